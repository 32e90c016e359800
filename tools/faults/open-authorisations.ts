import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { table } from "@/cli/tpp/table";
import { granted } from "@/clients/typescript/src";
import { consentRequest } from "@/e2e/harness/consent-request";
import { ownDatabase } from "@/e2e/harness/own-database";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import { type TestTpp, testTpp } from "@/e2e/harness/test-tpp";
import { fetchAlone } from "@/tools/psu-by-forms";
import { inFolder, type Size, type Verdict } from "./campaign";
import { askAtRate, numbers, quantile, timeLimit } from "./measuring";

const AT_ONCE = 8;
const SECONDS = 5;
/** In turn with few and with many open, so that what else the machine does falls on both. */
const ROUNDS = 3;
const RATE = 20;
/** Medians within one run; what else the machine does falls on them. Read row by row, 5,000 cost seven times as much. */
const DEARER_AT_MOST = 2.5;
/** Rows and index entries of authorisations, for a request of any kind. Read row by row it would be all that are open. */
const READ_AT_MOST = 10;

/**
 * One TPP has very many authorisations open, each with a redirect URI of its own, while anyone asks for an
 * authorisation in its name and it asks for tokens, eight at once; beside them a TPP that behaves. `faults` counts the
 * open authorisations. They are entered into the database: the bound on them is held by tests, and this is about what
 * they would cost.
 */
export function openAuthorisations({ faults: many, judgesTimes, signal }: Size): Promise<Verdict> {
  return inFolder(async (folder) => {
    const { url, stop } = await ownDatabase(join(folder, "database"));
    const shared = { DATABASE_URL: url };
    const bank = { ...(await freshSettings(join(folder, "bank"))), shared };
    const server = await startServer(bank);
    const sql = postgres(url, { max: 1 });
    try {
      const [patient, greedy] = [await known(bank), await known(bank)];
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
      await Promise.all([patient, greedy].map(({ tpp }) => tpp.close()));
      return verdictOf(seen, many, judgesTimes);
    } finally {
      await sql.end({ timeout: 5 });
      await server.stop();
      await stop();
    }
  });
}

type Known = { readonly tpp: TestTpp; readonly consentId: string };

/** A TPP that the bank knows by a consent, whose authorisation is open. */
async function known(bank: ServerSettings): Promise<Known> {
  const tpp = await testTpp({ bank, roles: ["PSP_AI"] });
  const { redirectUri } = tpp;
  const { consentId } = granted(await tpp.bank.createConsent(consentRequest(), { redirectUri }));
  return { tpp, consentId };
}

/** Copies of its first one; what is there of them already is taken away. */
async function haveOpen(sql: postgres.Sql, { tpp, consentId }: Known, open: number): Promise<void> {
  await sql`delete from authorisation where redirect_uri like ${`${tpp.redirectUri}?%`}`;
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

const timed = ["authMs", "tokenMs", "patientMs"] as const;
type Attacked = Readonly<Record<(typeof timed)[number], readonly number[]>> & {
  /** Requests of either that had another answer than theirs, or none; times the bank was not ready among them. */
  readonly failed: number;
};
type Seen = Attacked & { readonly open: number; readonly rows: number };

async function attack(bank: ServerSettings, greedy: Known, patient: Known): Promise<Attacked> {
  const [authMs, tokenMs]: [number[], number[]] = [[], []];
  let failed = 0;
  const end = performance.now() + SECONDS * 1_000;
  const hostile = Array.from({ length: AT_ONCE }, async (_, nth) => {
    const [times, ask] = nth % 2 === 0 ? [authMs, unknownScope] : [tokenMs, unknownCode];
    while (performance.now() < end) {
      const began = performance.now();
      if (await ask(bank, greedy.tpp).catch(() => false)) times.push(performance.now() - began);
      else failed += 1;
    }
  });
  const { bank: api } = patient.tpp;
  const [asked, readiness] = await Promise.all([
    askAtRate(SECONDS, RATE, () => api.consentStatus(patient.consentId)),
    askAtRate(SECONDS, 1, () => fetchAlone(new URL("/health/ready", bank.webUrl))),
    ...hostile,
  ]);
  failed += asked.failed + readiness.failed;
  return { authMs, tokenMs, patientMs: asked.milliseconds, failed };
}

/** Anyone can send it: only the client_id is known of the client. */
async function unknownScope({ webUrl }: ServerSettings, { id, redirectUri }: TestTpp) {
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: id,
    scope: `AIS:${randomUUID()}`,
    redirect_uri: redirectUri,
    state: "state",
    code_challenge: randomBytes(32).toString("base64url"),
    code_challenge_method: "S256",
  });
  const answer = await fetch(`${webUrl}/auth?${parameters}`, { redirect: "manual" });
  await answer.arrayBuffer();
  return answer.headers.get("location")?.includes("error=invalid_scope") === true;
}

async function unknownCode(_bank: ServerSettings, { postToken, redirectUri }: TestTpp) {
  const { status } = await postToken({
    grant_type: "authorization_code",
    code: randomBytes(32).toString("base64url"),
    redirect_uri: redirectUri,
    code_verifier: randomBytes(32).toString("base64url"),
  });
  return status === 400;
}

function verdictOf(seen: readonly Seen[], many: number, judgesTimes: boolean): Verdict {
  const of = (open: number) => seen.filter((one) => one.open === open);
  const median = (open: number, name: (typeof timed)[number], part = 0.5) =>
    quantile(
      of(open).map((one) => quantile(one[name], part)),
      0.5,
    );
  const perRequest = (open: number) => {
    const requests = of(open).flatMap((one) => timed.map((name) => one[name].length));
    const rows = of(open).reduce((sum, one) => sum + one.rows, 0);
    return rows / requests.reduce((sum, one) => sum + one, 0);
  };
  const auth = median(many, "authMs") / median(1, "authMs");
  const token = median(many, "tokenMs") / median(1, "tokenMs");
  const read = perRequest(many);
  const failed = seen.reduce((sum, one) => sum + one.failed, 0);
  const headings = ["Open", "rows a request", "/auth p50 ms", "/token p50 ms", "other TPP p50 ms"];
  const rows = [1, many].map((open) => {
    const medians = timed.map((name) => median(open, name));
    const shown = [perRequest(open), ...medians, median(open, "patientMs", 0.99)];
    return [String(open), ...shown.map((value) => value.toFixed(1))];
  });
  const limit = timeLimit(DEARER_AT_MOST, judgesTimes);
  const lines = [
    [`/auth with ${many} open / with 1`, auth.toFixed(2), limit],
    [`/token with ${many} open / with 1`, token.toFixed(2), limit],
    ["authorisations read a request", read.toFixed(1), `${READ_AT_MOST} at most`],
    ["requests failed, or times not ready", String(failed), "0"],
  ];
  const judged = table(numbers(["In this run", "is", "may be"]), lines);
  const isCheap = Math.max(auth, token) <= DEARER_AT_MOST || !judgesTimes;
  const isAsked = seen.every(({ authMs, tokenMs }) => authMs.length > 0 && tokenMs.length > 0);
  const passed = isCheap && isAsked && read <= READ_AT_MOST && failed === 0;
  return {
    text: `${table(numbers([...headings, "other TPP p99 ms"]), rows)}\n\n${judged}`,
    passed,
  };
}
