import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { table } from "@/cli/tpp/table";
import { granted } from "@/clients/typescript/src";
import { ownDatabase } from "@/e2e/harness/own-database";
import { heldConsent } from "@/e2e/harness/psu-by-forms";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import { type TestTpp, testTpp } from "@/e2e/harness/test-tpp";
import { authoriseAsPsu } from "@/tools/psu-by-forms";
import { inFolder, type Size, type Verdict } from "./campaign";
import type { Answered, Greedy } from "./greedy-process";
import { beginProcess } from "./hostile-clients";
import type { Hostile } from "./hostile-process";
import { type Asked, askAtRate, numbers, quantile, timeLimit } from "./measuring";

const [CONSENTS, CONSENTS_FULL] = [500, 10_000];
const ROUNDS_FULL = 5;
/** Requests a second of the TPP that behaves, and of it at first, so that the server has the code that a busy one has. */
const [RATE, WARMING_RATE] = [20, 200];
/** The storm begins with two hundred handshakes and with requests that came while nobody else asked: shown apart. */
const SETTLING_SECONDS = 3;
const SLOWER_AT_MOST = 1.3;
const PHASES_MAX = 10;

/**
 * A licensed TPP misbehaves beside one that behaves: it holds very many consents, and reads their status, whole histories of
 * an account, and refreshes a token, in as many calls at once as there are clients, while other connections of its send
 * bodies slowly, too large and too deep. `faults` counts seconds a phase.
 */
export function fairness(size: Size): Promise<Verdict> {
  return inFolder(async (folder) => {
    const { url, stop } = await ownDatabase(join(folder, "database"));
    // What is tried is what the TPP does at once, and not what it may send in a minute.
    const shared = { DATABASE_URL: url, TPP_REQUESTS_PER_MINUTE: "100000000" };
    const bank = { ...(await freshSettings(join(folder, "bank"))), shared };
    const server = await startServer(bank);
    const tpp = await testTpp({ bank, roles: ["PSP_AI"] });
    let greedy: Awaited<ReturnType<typeof greedyTpp>> | undefined;
    try {
      const ask = await asking(tpp, bank);
      greedy = await greedyTpp(bank, size);
      const [alone, settling, beside]: [Asked[], Asked[], Asked[]] = [[], [], []];
      const answered: Answered[] = [];
      await askAtRate(3, WARMING_RATE, ask);
      for (let round = 0; round < (size.judgesTimes ? ROUNDS_FULL : 1); round += 1) {
        alone.push(await askAtRate(size.faults, RATE, ask));
        const asked = await greedy.granted();
        const storm = await beginProcess<Answered>("greedy-process.ts", asked, size.hostileCores);
        const bodies = await beginProcess("hostile-process.ts", greedy.hostile, size.hostileCores);
        settling.push(await askAtRate(SETTLING_SECONDS, RATE, ask));
        // On a busy machine it takes a while until two hundred requests are under way at once.
        for (let phase = 0; phase < PHASES_MAX; phase += 1) {
          beside.push(await askAtRate(size.faults, RATE, ask));
          if (storm.told().tooMany > 0) break;
        }
        answered.push(storm.told());
        await Promise.all([storm.stop(), bodies.stop()]);
        await sleep(SETTLING_SECONDS * 1_000, undefined, { signal: size.signal });
      }
      return verdictOf({ alone, settling, beside }, answered, size.judgesTimes);
    } finally {
      await tpp.close();
      await greedy?.close();
      await server.stop();
      await stop();
    }
  });
}

/** It reads accounts and balances with its PSU at hand. */
async function asking({ ask, bank: api, redirectUri }: TestTpp, { webUrl }: ServerSettings) {
  const show = await heldConsent(await ask(), { redirectUri, webUrl }, Number.POSITIVE_INFINITY);
  const { accounts } = granted(await api.accounts(await show()));
  const accountId = accounts[0]?.resourceId ?? "none";
  return async (nth: number) =>
    nth % 2 === 0 ? api.accounts(await show()) : api.balances(await show(), accountId);
}

/** What its two processes are given: the storm a permission of its own each time, since its tokens are refreshed. */
async function greedyTpp(
  bank: ServerSettings & { readonly shared: { readonly DATABASE_URL: string } },
  { clients: parallel, judgesTimes }: Size,
) {
  const tpp = await testTpp({ bank, roles: ["PSP_AI"] });
  const { certificates, redirectUri, ask, close } = tpp;
  const { xs2aUrl } = bank;
  const undecided = await ask();
  const consentIds = await copies(
    bank.shared.DATABASE_URL,
    undecided.consentId,
    judgesTimes ? CONSENTS_FULL : CONSENTS,
  );
  const granting = async (): Promise<Greedy> => {
    const { consentId, server, request } = await ask();
    const back = await authoriseAsPsu(request.url, redirectUri, bank.webUrl);
    const { accessToken, refreshToken = "none" } = await server.token(back, request);
    const permission = { consentId, accessToken };
    const { accounts } = granted(await tpp.bank.accounts(permission));
    const accountId = accounts[0]?.resourceId ?? "none";
    return {
      ...{ xs2aUrl, certificates, parallel, consentIds, accountId, refreshToken },
      granted: permission,
    };
  };
  const hostile: Hostile = { ...bank, ...certificates, sockets: 0 };
  return { granted: granting, hostile, close };
}

/** Entered into the database: how many a TPP may have open is held by tests. */
async function copies(url: string, consentId: string, count: number): Promise<readonly string[]> {
  const sql = postgres(url, { max: 1 });
  const rows = await sql<{ id: string }[]>`
    with made as materialized (
      select gen_random_uuid() as id, gen_random_uuid() as authorisation_id, n from generate_series(1, ${count}::int) n
    ), authorisations as (
      insert into authorisation (id, kind, resource_id, tpp_id, request_id, sca_status, redirect_uri, nok_redirect_uri,
        failed_attempts, selection, codes_sent, created_at, expires_at)
      select m.authorisation_id, kind, m.id, tpp_id, gen_random_uuid(), sca_status, redirect_uri || '?' || m.n,
        nok_redirect_uri || '?' || m.n, 0, selection, 0, created_at, expires_at
      from authorisation, made m where resource_id = ${consentId}
    )
    insert into account_consent (id, tpp_id, authorisation_id, status, requested_access, access, recurring_indicator,
      valid_until, frequency_per_day, created_at, last_action_date, sole)
    select m.id, tpp_id, m.authorisation_id, status, requested_access, access, recurring_indicator,
      valid_until, frequency_per_day, created_at, last_action_date, sole
    from account_consent c, made m where c.id = ${consentId} returning id`;
  await sql`vacuum analyze authorisation, account_consent`;
  await sql.end({ timeout: 5 });
  return rows.map(({ id }) => id);
}

function verdictOf(
  others: Readonly<Record<"alone" | "settling" | "beside", readonly Asked[]>>,
  told: readonly Answered[],
  judgesTimes: boolean,
): Verdict {
  const all = (phases: readonly Asked[]) => phases.flatMap(({ milliseconds }) => milliseconds);
  const slower = quantile(all(others.beside), 0.99) / quantile(all(others.alone), 0.99);
  const failed = Object.values(others)
    .flat()
    .reduce((sum, one) => sum + one.failed, 0);
  const of = (name: keyof Answered) => told.reduce((sum, one) => sum + one[name], 0);
  const rows = Object.entries(others).map(([name, phases]) => {
    const times = all(phases);
    const shown = [0.5, 0.99].map((part) => quantile(times, part).toFixed(1));
    return [name, String(times.length), ...shown];
  });
  const lines = [
    ["others' p99 beside it / alone", slower.toFixed(2), timeLimit(SLOWER_AT_MOST, judgesTimes)],
    ["others' requests refused or failed", String(failed), "0"],
    ["its requests answered", String(of("answered")), "1 at least"],
    ["of them 429", String(of("tooMany")), "1 at least"],
    ["of them 5xx or unanswered", String(of("failed")), "0"],
    ["its whole histories read", String(of("histories")), "1 a phase at least"],
    ["its tokens refreshed", String(of("refreshes")), "1 a phase at least"],
  ];
  const isFast = slower <= SLOWER_AT_MOST || (!judgesTimes && !Number.isNaN(slower));
  const isBounded = of("answered") > 0 && of("tooMany") > 0 && of("failed") === 0;
  const isGreedy = told.every(({ histories, refreshes }) => histories > 0 && refreshes > 0);
  const text = [
    table(numbers(["Others", "answered", "p50 ms", "p99 ms"]), rows),
    table(numbers(["In this run", "is", "may be"]), lines),
  ].join("\n\n");
  return { text, passed: isFast && isBounded && isGreedy && failed === 0 };
}
