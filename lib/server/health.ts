// biome-ignore-all lint/style/noRestrictedImports: a server without its database is not ready

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "@/lib/config";
import { retryAfter } from "@/lib/domain/errors";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { migrationsOfRelease, schemaFault, schemaVersion } from "@/lib/postgres/schema-version";
import type { Shutdown, Step } from "./processes";
import type { Handler } from "./tpp-host";

/** Milliseconds in which the database has to answer, all that it is asked. */
const ASKING_MS = 1_000;
/** In which the core bank has to, so that a balancer that asks has its answer in time when it hangs. */
const CORE_BANK_ASKING_MS = 500;
/** How long an answer is reused, in milliseconds. */
const HOLDING_MS = 250;
/** Too many for the least memory a query can have (64 kB), so that they go to a file of some 140 kB. */
const ROWS_WRITTEN = 10_000;

type Readiness = Step & {
  /** The server is not about to stop, and its database is available. */
  readonly isReady: () => Promise<boolean>;
  /** This release can run on what is in the database: a newer one may have taken away what it uses. */
  readonly knowsSchema: () => Promise<boolean>;
};

/** `stopping` is aborted when the server is asked to stop; from then on it is not ready. */
export function startReadiness(databaseUrl: string, stopping: AbortSignal): Readiness {
  const bounds = { connect: ASKING_MS, wait: ASKING_MS, answer: ASKING_MS, rest: ASKING_MS };
  const { run, begin, close } = guardedClient(databaseUrl, { max: 1, bounds });
  // A full disk still takes a row into a page that exists. A temporary file needs space as a growing table does, and
  // leaves nothing behind: no row, no log, no lock.
  const ask = () =>
    begin(async (run) => {
      await run((sql) => sql`set local work_mem = '64kB'`);
      // Where the tables are, and not where an operator has sent temporary files.
      await run((sql) => sql`set local temp_tablespaces = ''`);
      const [row] = await run(
        (sql) => sql<{ writable: boolean }[]>`
          select current_setting('transaction_read_only') = 'off' as writable
          from generate_series(1, ${ROWS_WRITTEN}::int) having count(*) = ${ROWS_WRITTEN}::int`,
      );
      return row?.writable === true;
    });
  const isAvailable = inTime(ask, ASKING_MS);
  const known = migrationsOfRelease();
  return {
    isReady: async () => (await isAvailable()) && !stopping.aborted,
    knowsSchema: inTime(
      async () => schemaFault(await schemaVersion(run, known)) === undefined,
      ASKING_MS,
    ),
    finish: close,
  };
}

/** Whether the core bank can be reached; undefined with the embedded ledger, for which nothing more is loaded. */
export async function coreBankProbe(settings: Config, shutdown: Shutdown) {
  const { CORE_BANK_URL: url } = settings;
  if (url === undefined) return undefined;
  const { probeCoreBank } = await import("@/lib/core-bank/connect");
  const { isReachable, close } = probeCoreBank(url, settings);
  shutdown.onStop({ finish: close });
  return inTime(isReachable, CORE_BANK_ASKING_MS);
}

/** False when the question fails or takes longer; an answer holds for a moment. */
function inTime(ask: () => Promise<boolean>, milliseconds: number): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  return () => {
    asked ??= Promise.race([ask(), sleep(milliseconds, false, { ref: false })])
      .catch(() => false)
      .finally(() => {
        setTimeout(() => {
          asked = undefined;
        }, HOLDING_MS).unref();
      });
    return asked;
  };
}

type Health = Pick<Readiness, "isReady" | "knowsSchema"> & {
  readonly isCoreBankReachable?: (() => Promise<boolean>) | undefined;
};

/**
 * Answers balancers: `/health/live` as long as the process runs, `/health/ready` as long as it takes requests. It does
 * so without its core bank: consents are ended, and TPPs and PSUs are told what to do; `/health/ready` says it.
 */
export function answeringHealth(
  handle: Handler,
  { isReady, knowsSchema, isCoreBankReachable }: Health,
): Handler {
  return async (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const path = isRead ? request.url?.split("?", 1)[0] : undefined;
    if (path === "/health/live") return say(response, 200, "live");
    if (path !== "/health/ready") return handle(request, response);
    const [ready, known] = await Promise.all([isReady(), knowsSchema()]);
    if (!ready) return say(response, 503, "not ready");
    if (!known) return say(response, 503, "not ready, schema of another release");
    const isWhole = (await isCoreBankReachable?.()) ?? true;
    return say(response, 200, isWhole ? "ready" : "ready, core bank unreachable");
  };
}

function say(response: ServerResponse, status: 200 | 503, text: string): void {
  const more = status === 503 ? retryAfter : {};
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  const body = `${text}\n`;
  const length = { "content-length": Buffer.byteLength(body) };
  const sniff = { "x-content-type-options": "nosniff" };
  response.writeHead(status, { ...headers, ...length, ...sniff, ...more }).end(body);
}
