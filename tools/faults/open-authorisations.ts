import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { clientId, makeCertificates } from "@/cli/tpp/certificates";
import { type Http, http } from "@/cli/tpp/http";
import { granted } from "@/cli/tpp/reply";
import { seal } from "@/cli/tpp/signing";
import { table } from "@/cli/tpp/table";
import { xs2a } from "@/cli/tpp/xs2a";
import { consentRequest } from "@/e2e/harness/consent-request";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import type { Size } from "./campaign";
import { inFolder, withDatabase } from "./in-folder";
import { quantile, timeLimit, type Verdict } from "./phases";

const AT_ONCE = 8;
const SECONDS = 10;
/** In turn with few and with many open, so that what else the machine does falls on both. */
const ROUNDS = 3;
const RATE = 20;
const REDIRECT_URI = "http://localhost:9/back";
/** Medians within one run; what else the machine does falls on them. Read row by row, 5,000 cost seven times as much. */
const DEARER_AT_MOST = 2.5;
/** Rows and index entries of authorisations, for a request of any kind. Read row by row it would be all that are open. */
const READ_AT_MOST = 10;

/**
 * One TPP has very many authorisations open, each with a redirect URI of its own, while anybody asks for
 * an authorisation in its name and it asks for tokens, eight at once; beside them a TPP that behaves.
 * `faults` counts the open authorisations. They are entered into the database: the bound on them is held
 * by tests, and this is about what they would cost.
 */
export function openAuthorisations(size: Size): Promise<Verdict> {
  const { faults: many, judgesTimes, signal } = size;
  return inFolder((folder) =>
    withDatabase(folder, async ({ url }) => {
      const shared = { DATABASE_URL: url };
      const bank = { ...(await freshSettings(join(folder, "bank"))), shared };
      const server = await startServer(bank);
      const sql = postgres(url, { max: 1 });
      try {
        const patient = await known(bank, "PSDRO-NBR-1000001");
        const greedy = await known(bank, "PSDRO-NBR-1000002");
        const seen: Seen[] = [];
        // The first only warms up.
        for (let round = 0; round <= ROUNDS; round += 1) {
          for (const open of [1, many]) {
            await haveOpen(sql, greedy, open);
            const before = await readSoFar(sql);
            const one = await attack(bank, greedy, patient);
            const rows = (await readSoFar(sql)) - before;
            if (round > 0) seen.push({ open, rows, ...one });
            await sleep(1_000, undefined, { signal });
          }
        }
        await Promise.all([patient, greedy].map(({ connection }) => connection.close()));
        return verdictOf(seen, many, judgesTimes);
      } finally {
        await sql.end({ timeout: 5 });
        await server.stop();
      }
    }),
  );
}

type Known = {
  readonly id: string;
  readonly connection: Http;
  readonly consentStatus: () => Promise<number>;
  readonly consentId: string;
};

/** A TPP that the bank has met by a consent, whose authorisation is open. */
async function known(bank: ServerSettings, id: `PSD${string}`): Promise<Known> {
  const organisation = { id, name: `TPP ${id}`, roles: ["PSP_AI"] } as const;
  const certificates = await makeCertificates(bank.dataDir, organisation);
  const { qwac, qseal, ca } = certificates;
  const connection = http({ certificate: qwac, ca, timeout: 60_000 });
  const api = xs2a({ url: bank.xs2aUrl, http: connection, seal: seal(qseal.pem, qseal.key) });
  const redirectUri = REDIRECT_URI;
  const { consentId } = granted(await api.createConsent(consentRequest(), { redirectUri }));
  const consentStatus = async () => (await api.consentStatus(consentId)).status;
  return { id: clientId(certificates), connection, consentStatus, consentId };
}

/** Copies of its first one; what is there of them already is taken away. */
async function haveOpen(sql: postgres.Sql, { consentId }: Known, open: number): Promise<void> {
  await sql`delete from authorisation where redirect_uri like ${`${REDIRECT_URI}?%`}`;
  await sql`insert into authorisation (id, kind, resource_id, tpp_id, request_id, sca_status, redirect_uri,
      nok_redirect_uri, failed_attempts, selection, codes_sent, created_at, expires_at)
    select gen_random_uuid(), kind, gen_random_uuid(), tpp_id, gen_random_uuid(), sca_status,
      redirect_uri || '?' || n, redirect_uri || '?nok=' || n, 0, selection, 0, created_at, expires_at
    from authorisation, generate_series(2, ${open}) n where resource_id = ${consentId}`;
  // As PostgreSQL does by itself within a minute: until then its plans are those for the few rows there were, and what was
  // deleted is read on.
  await sql`vacuum analyze authorisation`;
}

/**
 * Rows and index entries of authorisations that all statements have read. A connection's are added once a second while
 * it is used, so that those of an attack's last second can be missing.
 */
async function readSoFar(sql: postgres.Sql): Promise<number> {
  // What this connection has read itself is to be among them before, and not afterwards.
  await sql`select pg_stat_force_next_flush()`;
  const [row] = await sql<{ read: number }[]>`
    select (t.seq_tup_read + sum(i.idx_tup_read))::float8 as read
    from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
    where t.relname = 'authorisation' group by t.relid, t.seq_tup_read`;
  return row?.read ?? Number.NaN;
}

type Attacked = {
  readonly authMs: readonly number[];
  readonly tokenMs: readonly number[];
  readonly patientMs: readonly number[];
  /** Requests of either that had another answer than theirs, or none. */
  readonly failed: number;
  readonly unready: number;
};
type Seen = Attacked & { readonly open: number; readonly rows: number };

async function attack(bank: ServerSettings, greedy: Known, patient: Known): Promise<Attacked> {
  const [authMs, tokenMs, patientMs]: [number[], number[], number[]] = [[], [], []];
  let failed = 0;
  let unready = 0;
  const timed = async (times: number[], ask: () => Promise<boolean>) => {
    const began = performance.now();
    if (await ask().catch(() => false)) times.push(performance.now() - began);
    else failed += 1;
  };
  const watch = async () => {
    if (!(await isReady(bank))) unready += 1;
  };
  const end = performance.now() + SECONDS * 1_000;
  const hostile = Array.from({ length: AT_ONCE }, async (_, nth) => {
    while (performance.now() < end) {
      if (nth % 2 === 0) await timed(authMs, () => unknownScope(bank, greedy));
      else await timed(tokenMs, () => unknownCode(bank, greedy));
    }
  });
  const asked: Promise<void>[] = [];
  const began = performance.now();
  for (let nth = 0; nth < RATE * SECONDS; nth += 1) {
    await sleep(Math.max(0, began + (nth * 1_000) / RATE - performance.now()));
    asked.push(timed(patientMs, async () => (await patient.consentStatus()) === 200));
    if (nth % RATE === 0) asked.push(watch());
  }
  await Promise.all([...hostile, ...asked]);
  return { authMs, tokenMs, patientMs, failed, unready };
}

/** As anybody may send it: of the client nothing but its name is known. */
async function unknownScope({ webUrl }: ServerSettings, { id }: Known): Promise<boolean> {
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: id,
    scope: `AIS:${randomUUID()}`,
    redirect_uri: REDIRECT_URI,
    state: "state",
    code_challenge: randomBytes(32).toString("base64url"),
    code_challenge_method: "S256",
  });
  const answer = await fetch(`${webUrl}/auth?${parameters}`, { redirect: "manual" });
  await answer.arrayBuffer();
  return answer.headers.get("location")?.includes("error=invalid_scope") === true;
}

async function unknownCode({ xs2aUrl }: ServerSettings, tpp: Known): Promise<boolean> {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: tpp.id,
    code: randomBytes(32).toString("base64url"),
    redirect_uri: REDIRECT_URI,
    code_verifier: randomBytes(32).toString("base64url"),
  });
  const { status } = await tpp.connection.send({
    method: "POST",
    url: `${xs2aUrl}/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: Buffer.from(form.toString()),
  });
  return status === 400;
}

async function isReady({ webUrl }: ServerSettings): Promise<boolean> {
  const answer = await fetch(`${webUrl}/health/ready`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

function verdictOf(seen: readonly Seen[], many: number, judgesTimes: boolean): Verdict {
  const of = (open: number) => seen.filter((one) => one.open === open);
  const median = (open: number, name: "authMs" | "tokenMs" | "patientMs", part = 0.5) =>
    quantile(
      of(open).map((one) => quantile(one[name], part)),
      0.5,
    );
  const auth = median(many, "authMs") / median(1, "authMs");
  const token = median(many, "tokenMs") / median(1, "tokenMs");
  const perRequest = (open: number) => {
    const asked = of(open).flatMap(({ authMs, tokenMs, patientMs }) => [
      authMs,
      tokenMs,
      patientMs,
    ]);
    const rows = of(open).reduce((sum, one) => sum + one.rows, 0);
    return rows / asked.reduce((sum, { length }) => sum + length, 0);
  };
  const read = perRequest(many);
  const failed = seen.reduce((sum, one) => sum + one.failed, 0);
  const unready = seen.reduce((sum, one) => sum + one.unready, 0);
  const right = (heading: string) => ({ heading, align: "right" }) as const;
  const headings = [
    "rows a request",
    "/auth p50 ms",
    "/token p50 ms",
    "other TPP p50 ms",
    "other TPP p99 ms",
  ];
  const shown = table(
    [right("Open"), ...headings.map(right)],
    [1, many].map((open) => [
      String(open),
      perRequest(open).toFixed(1),
      median(open, "authMs").toFixed(1),
      median(open, "tokenMs").toFixed(1),
      median(open, "patientMs").toFixed(1),
      median(open, "patientMs", 0.99).toFixed(1),
    ]),
  );
  const judged = table(
    [{ heading: "In this run" }, right("is"), right("may be")],
    [
      [`/auth with ${many} open / with 1`, auth.toFixed(2), timeLimit(DEARER_AT_MOST, judgesTimes)],
      [
        `/token with ${many} open / with 1`,
        token.toFixed(2),
        timeLimit(DEARER_AT_MOST, judgesTimes),
      ],
      ["authorisations read a request", read.toFixed(1), `${READ_AT_MOST} at most`],
      ["requests failed", String(failed), "0"],
      ["times not ready", String(unready), "0"],
    ],
  );
  const isCheap = Math.max(auth, token) <= DEARER_AT_MOST || !judgesTimes;
  const isAsked = seen.every(({ authMs, tokenMs }) => authMs.length > 0 && tokenMs.length > 0);
  const passed = isCheap && isAsked && read <= READ_AT_MOST && failed + unready === 0;
  return { text: [shown, judged].join("\n\n"), passed };
}
