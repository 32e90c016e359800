// biome-ignore-all lint/style/noRestrictedImports: what waits in the outbox is read from the database
import cluster, { type Worker } from "node:cluster";
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry, register } from "prom-client";
import * as z from "zod";
import type { Config } from "@/lib/config";
import { LIST_OF_LISTS } from "@/lib/eidas/followed-lists";
import { log } from "@/lib/log";
import type { Run } from "@/lib/postgres/guard";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { GRACE_MS, type Port } from "./hosts";
import { listen } from "./listeners";
import type { Step } from "./processes";
import { readFollowed } from "./trusted-lists";

const BOUNDS = { connect: 1_000, wait: 1_000, answer: 2_000, rest: 1_000 };
/** What a process of WORKERS is sent, and how long it may take, in milliseconds. */
const ASKED = "metrics";
const ASKING_MS = 5_000;

/**
 * Serves `/metrics` for Prometheus at a port of its own, in the process that has started the host and runs its jobs: with
 * WORKERS for all of them together. What concerns the bank and not one process is read when it is asked for.
 */
export async function startMetrics(port: Port, config: Config): Promise<Step> {
  const { run, close } = guardedClient(config.DATABASE_URL, { max: 1, bounds: BOUNDS });
  const ofBank = new Registry();
  const collect = gaugesOfBank(ofBank, run, config);
  measureProcess();
  const listener = await listen({
    ...port,
    handle: async (request, response) => {
      const isAsked = request.method === "GET" && request.url === "/metrics";
      if (!isAsked) {
        response.writeHead(404).end();
        return;
      }
      try {
        const own = await ofProcesses();
        await collect();
        const text = `${own}\n${await ofBank.metrics()}`;
        response.writeHead(200, { "content-type": register.contentType }).end(text);
      } catch (err) {
        log.error({ err }, "metrics could not be collected");
        response.writeHead(500).end();
      }
    },
    broken: () => "HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n",
  });
  return { finish: () => listener.close(GRACE_MS).then(close), hurry: () => listener.cut() };
}

/** Of this process and of those of WORKERS. The library's own way would leave out this one, whose jobs have metrics too. */
async function ofProcesses(): Promise<string> {
  const workers = Object.values(cluster.workers ?? {}).filter((one) => one?.isConnected() === true);
  if (workers.length === 0) return register.metrics();
  const all = await Promise.all([register.getMetricsAsJSON(), ...workers.map(metricsOf)]);
  return AggregatorRegistry.aggregate(all).metrics();
}

const answered = z.object({ metrics: z.array(z.object({ name: z.string() }).loose()) });

function metricsOf(worker: Worker | undefined): Promise<readonly object[]> {
  return new Promise((resolve, reject) => {
    const done = (message: unknown) => {
      const { data } = answered.safeParse(message);
      if (data === undefined) return;
      clearTimeout(late);
      worker?.off("message", done);
      resolve(data.metrics);
    };
    const late = setTimeout(() => {
      worker?.off("message", done);
      reject(new Error("a process of WORKERS did not tell its metrics"));
    }, ASKING_MS);
    // One that has just been killed is told by its end; without the callback this process would end by that.
    worker?.on("message", done).send(ASKED, () => undefined);
  });
}

/** In a process of WORKERS: answers the one that serves them. */
export function answerForMetrics(): void {
  if (!cluster.isWorker) return;
  measureProcess();
  process.on("message", async (message) => {
    if (message === ASKED) process.send?.({ metrics: await register.getMetricsAsJSON() });
  });
}

/** Memory, processor time, lag of the event loop. */
function measureProcess(): void {
  if (register.getSingleMetric("process_cpu_user_seconds_total") === undefined)
    collectDefaultMetrics();
}

/** Yields what sets all of them. */
function gaugesOfBank(registry: Registry, run: Run, config: Config): () => Promise<void> {
  const registers = [registry];
  const reachable = new Gauge({
    ...{ name: "drawbridge_database_reachable", registers },
    help: "1 when what follows could be read from the database.",
  });
  const outbox = new Gauge({
    ...{ name: "drawbridge_outbox_payments", registers },
    help: "Authorised payments that have not come to their end at the core bank.",
  });
  const overdue = new Gauge({
    ...{ name: "drawbridge_outbox_overdue_seconds", registers },
    help: "For how long the payment has waited that was authorised first and that the core bank has not accepted.",
  });
  const unsealed = new Gauge({
    ...{ name: "drawbridge_events_unsealed_seconds", registers },
    help: "Age of the oldest event that no seal covers yet.",
  });
  const proofs = new Gauge({
    ...{ name: "drawbridge_sca_last_five_minutes", registers, labelNames: ["kind", "means"] },
    help: "Attempts, proofs, failures and blocks of strong customer authentication in the last five minutes.",
  });
  const ends = new Gauge({
    ...{ name: "drawbridge_certificate_end_timestamp_seconds", registers, labelNames: ["setting"] },
    help: "When the certificate ends that is first to end in the file of the setting.",
  });
  const lists = new Gauge({
    ...{ name: "drawbridge_trusted_list_checked_timestamp_seconds", registers },
    help: "When the trusted list of a territory that is followed was last had and good; EU: the list of lists.",
    labelNames: ["territory"],
  });
  const editions = new Gauge({
    ...{ name: "drawbridge_trusted_list_next_update_timestamp_seconds", registers },
    help: "Until when the trusted list of a territory is believed, one in TRUST_ANCHORS by a server that starts.",
    labelNames: ["territory"],
  });
  const setLists = async () => {
    if (config.TRUSTED_LISTS === undefined) {
      const own = await editionIn(config.TRUST_ANCHORS);
      editions.reset();
      if (own !== undefined) editions.set({ territory: own.territory }, own.nextUpdate / 1_000);
      return;
    }
    const followed = await readFollowed(config.TRUST_ANCHORS).catch(() => undefined);
    if (!followed) return;
    lists.reset();
    editions.reset();
    for (const { territory } of [{ territory: LIST_OF_LISTS }, ...followed.pointers]) {
      // Of one that was never had, as if it were of the beginning of time.
      lists.set({ territory }, Date.parse(followed.checkedAt[territory] ?? "1970-01-01") / 1_000);
    }
    for (const { territory, nextUpdate } of [
      { territory: LIST_OF_LISTS, nextUpdate: followed.nextUpdate },
      ...followed.lists,
    ]) {
      editions.set({ territory }, Date.parse(nextUpdate) / 1_000);
    }
  };
  return async () => {
    await setLists();
    for (const setting of CERTIFICATES) {
      // Of a file that the server has refused: it shows what it has read before.
      const end = await firstEndIn(config[setting]).catch(() => undefined);
      if (end !== undefined) ends.set({ setting }, end);
    }
    proofs.reset();
    try {
      const state = await stateOf(run);
      outbox.set(state.payments);
      overdue.set(state.overdue);
      unsealed.set(state.unsealed);
      for (const { kind, means, count } of state.sca) proofs.set({ kind, means }, count);
      reachable.set(1);
    } catch {
      reachable.set(0);
    }
  };
}

/** Of what failed the kind is `failed-` and the reason: one of FailureReason, as few as there are. */
type SeenSca = { readonly kind: string; readonly means: string; readonly count: number };

/** Payments are authorised at the bank's time, which a sandbox can move; events are recorded at the database's. */
async function stateOf(run: Run) {
  const [waiting] = await run(
    (sql) => sql<{ payments: number; overdue: number; unsealed: number }[]>`
      select count(*)::int as payments,
        greatest(0, extract(epoch from now() - min(status_at) filter (where status = 'ACTC'))
          + coalesce((select offset_milliseconds from sandbox_clock), 0) / 1000.0)::float8 as overdue,
        coalesce((select extract(epoch from now() - recorded_at) from event
          where recorded_at >= coalesce((select "to" from event_seal order by number desc limit 1), '-infinity')
          order by recorded_at limit 1), 0)::float8 as unsealed
      from payment_submission join payment_state using (payment_id)`,
  );
  const sca = await run(
    (sql) => sql<SeenSca[]>`
      select
        case kind when 'sca-status' then 'failed-' || coalesce(detail->>'because', 'unknown') else kind end as kind,
        case when kind in ('sca-attempt', 'sca-proved') then coalesce(detail->>'means', 'unknown') else 'none' end as means,
        count(*)::int as count
      from event
      where kind in ('sca-attempt', 'sca-proved', 'sca-status', 'psu-blocked')
        and (kind <> 'sca-status' or detail->>'to' = 'failed')
        and recorded_at > now() - interval '5 minutes'
      group by 1, 2`,
  );
  if (waiting === undefined) throw new Error("the outbox could not be counted");
  return { ...waiting, sca };
}

const CERTIFICATES = [
  "XS2A_TLS_CERT",
  "BANK_API_TLS_CERT",
  "TRUST_ANCHORS",
  "TRUSTED_LIST_SIGNERS",
  "CORE_BANK_TLS_CERT",
  "NOTIFICATIONS_SEAL_CERT",
  "BANK_API_CLIENT_CA",
  "BANK_API_JWKS_CA",
  "CORE_BANK_TLS_CA",
  "IDP_CA",
  "STAFF_IDP_CA",
  "WEBHOOKS_CA",
] as const;
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** First in a list; others follow where it points to other lists. */
const TERRITORY = /<(?:[\w.-]+:)?SchemeTerritory\s*>\s*(?<territory>[A-Z]{2})\s*</;
const NEXT_UPDATE =
  /<(?:[\w.-]+:)?NextUpdate\s*>\s*<(?:[\w.-]+:)?dateTime\s*>\s*(?<time>[^<\s]+)\s*</;

/**
 * Of a trusted list in XML, as it says itself: to verify a list of megabytes takes seconds, and a server has done it that
 * believes the list. Undefined for certificates in PEM.
 */
async function editionIn(file: string) {
  const text = await readFile(file, "utf8").catch(() => "unreadable");
  const nextUpdate = Date.parse(NEXT_UPDATE.exec(text)?.groups?.["time"] ?? "none");
  if (Number.isNaN(nextUpdate)) return undefined;
  return { territory: TERRITORY.exec(text)?.groups?.["territory"] ?? "unknown", nextUpdate };
}

/** In seconds since 1970. Undefined for a trusted list, whose issuers stand in XML. */
async function firstEndIn(file: string | undefined): Promise<number | undefined> {
  const text = file === undefined ? undefined : await readFile(file, "utf8").catch(() => undefined);
  const ends = text?.match(PEM)?.map((pem) => Date.parse(new X509Certificate(pem).validTo));
  return ends === undefined ? undefined : Math.min(...ends) / 1_000;
}
