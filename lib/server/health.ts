import type { ServerResponse } from "node:http";
import { retryAfter } from "@/lib/domain/unavailable";
import { connect } from "@/lib/postgres/client";
import type { Step } from "./shutdown";
import type { Handler } from "./tpp-host";

/** Milliseconds in which the database has to say that it can be written to. */
const ASKING_MS = 1_000;

export type Readiness = Step & {
  /** Whether requests may come: the server is not about to stop, and its database is there. */
  readonly isReady: () => Promise<boolean>;
};

/** `stopping` is aborted when the server is asked to stop; from then on it is not ready. */
export function startReadiness(databaseUrl: string, stopping: AbortSignal): Readiness {
  const bounds = { connect: ASKING_MS, wait: ASKING_MS, answer: ASKING_MS, rest: ASKING_MS };
  const { sql, close } = connect(databaseUrl, { max: 1, bounds });
  const ask = async () => {
    const [row] = await sql<{ writable: boolean }[]>`
      select current_setting('transaction_read_only') = 'off' as writable`;
    return row?.writable === true;
  };
  let asked: Promise<boolean> | undefined;
  const isReady = async () => {
    // However many ask at once, the database is asked once.
    asked ??= ask()
      .catch(() => false)
      .finally(() => {
        asked = undefined;
      });
    return (await asked) && !stopping.aborted;
  };
  return { isReady, finish: close };
}

/**
 * Answers balancers, before anything else is looked at: `/health/live` as long as the process runs,
 * `/health/ready` as long as requests should come. They say yes or no and nothing about the bank.
 */
export function answeringHealth(handle: Handler, { isReady }: Pick<Readiness, "isReady">): Handler {
  return async (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const path = isRead ? request.url?.split("?", 1)[0] : undefined;
    if (path === "/health/live") return say(response, 200, "live");
    if (path !== "/health/ready") return handle(request, response);
    return (await isReady()) ? say(response, 200, "ready") : say(response, 503, "not ready");
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
