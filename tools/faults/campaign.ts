import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { ServerSettings } from "@/e2e/harness/server";
import { type Books, paymentsUnderWay, readBooks } from "./books";
import { type Client, client } from "./client";
import { newCustomers } from "./customers";
import { compare, emptyJournal, isFlawless, type Outcome, report } from "./journal";
import { payingTpp, type Run } from "./tpp";
import { type Moment, traffic } from "./traffic";

/** What a run is to be; the faults are spread over it. */
export type Size = {
  readonly clients: number;
  readonly faults: number;
  /** From the recovery to the next fault, on average. */
  readonly seconds: number;
  /** The processors of hostile clients, as taskset takes them; undefined: no processors of their own. */
  readonly hostileCores?: string | undefined;
  /**
   * Whether a time can fail the run: with `--full` alone. A short run is as long as CI can wait, on a machine that does
   * other things too, and there a few milliseconds more are noise; it reports the same times and judges the rest.
   */
  readonly judgesTimes: boolean;
  /** Ends the run early and without a result. */
  readonly signal: AbortSignal;
};

/** A campaign's last word. */
export type Verdict = { readonly text: string; readonly passed: boolean };

/** Held against the books, see journal.ts. */
export const booked =
  (name: string, run: (size: Size) => Promise<Outcome>) =>
  async (size: Size): Promise<Verdict> => {
    const outcome = await run(size);
    return { text: report(name, outcome), passed: isFlawless(outcome) };
  };

/** A run that is broken until its end, or until a client cannot go on. */
type Broken = Run & { readonly over: AbortSignal };

type Campaign = Pick<Size, "clients"> &
  Pick<Run, "mayFail" | "bank"> & {
    /** Asked at the beginning and at the end: another host can be the primary by then. */
    readonly databaseUrl: () => string;
    /** Where the ledger has another one. */
    readonly ledgerUrl?: () => string;
    /** Breaks the bank again and again, counts it, and has it running when it is done. */
    readonly breakAgain: (run: Broken) => Promise<void>;
    /** What else is looked at in the end, with the books. */
    readonly lookAgain?: (run: Run, books: Books) => Promise<void>;
  };

/** How long accepted payments may take when nothing is broken any more: the slowest settles in seconds. */
const SETTLING_MS = 60_000;

/** Clients pay while the bank is broken; afterwards their journal is held against its books. */
export async function campaign(wanted: Campaign): Promise<Outcome> {
  const { clients, databaseUrl, ledgerUrl = databaseUrl, breakAgain, bank, mayFail } = wanted;
  const over = new AbortController();
  const run: Run = { bank, mayFail, journal: emptyJournal(), traffic: traffic() };
  run.journal.tally.clients = clients;
  const atBoth = <Result>(work: (sql: postgres.Sql, ledger: postgres.Sql) => Promise<Result>) =>
    atDatabase(databaseUrl, (sql) =>
      ledgerUrl === databaseUrl
        ? work(sql, sql)
        : atDatabase(ledgerUrl, (ledger) => work(sql, ledger)),
    );
  const customers = await atBoth((sql, ledger) => newCustomers(sql, clients, ledger));
  const tpps = await Promise.all(customers.map(() => payingTpp(run)));
  const all = tpps.flatMap((tpp, at) => {
    const [customer, ...others] = [...customers.slice(at), ...customers.slice(0, at)];
    return customer === undefined ? [] : [client(tpp, run, customer, others)];
  });
  try {
    await Promise.all(all.map(({ begin }) => begin()));
    await payDuring(all, breakAgain({ ...run, over: over.signal }), over);
    await atDatabase(databaseUrl, settled);
    await Promise.all(all.map(({ askAgain }) => askAgain()));
    const books = await atBoth((sql, ledger) => readBooks(sql, customers, ledger));
    const executed = books.payments.filter(({ status }) => status === "ACSC" || status === "ACCC");
    run.journal.tally["payments executed"] = executed.length;
    await wanted.lookAgain?.(run, books);
    return compare(run.journal, books);
  } finally {
    await Promise.all(tpps.map((tpp) => tpp.close()));
  }
}

export async function atDatabase<Result>(
  databaseUrl: () => string,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(databaseUrl(), { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** A client that cannot go on ends the run: what it would have found is not known. */
async function payDuring(
  clients: readonly Client[],
  breaking: Promise<void>,
  over: AbortController,
): Promise<void> {
  const paying = Promise.all(clients.map(({ pay }) => pay(over.signal)));
  try {
    await Promise.race([breaking, paying]);
  } finally {
    over.abort();
    // Or what it starts would outlive a run that fails.
    await Promise.allSettled([breaking]);
  }
  await paying;
}

/** What does not settle in time is found among the books as a payment without end. */
async function settled(database: postgres.Sql): Promise<void> {
  const end = performance.now() + SETTLING_MS;
  while (performance.now() < end) {
    if ((await paymentsUnderWay(database)) === 0) return;
    await sleep(500);
  }
}

/** Where a fault hurts: somewhere in a call that changes something, or just after it was acknowledged. */
const MOMENTS = [
  "initiation sent",
  "consent sent",
  "confirmation sent",
  "initiation over",
  "confirmation over",
] as const satisfies readonly Moment[];
/** How long such a moment is waited for. */
const MOMENT_PATIENCE_MS = 2_000;
/** About as long as such a call takes. */
const INTO_THE_CALL_MS = 40;

/** So many faults, each at such a moment. */
export async function timesOf(
  { faults, seconds, signal }: Size,
  { traffic, over, journal: { tally } }: Broken,
  fault: (nth: number) => Promise<void>,
): Promise<void> {
  const patience = () => sleep(MOMENT_PATIENCE_MS);
  for (let nth = 0; nth < faults && !over.aborted; nth += 1) {
    await sleep(randomInt(1, Math.ceil(seconds * 2_000)), undefined, { signal });
    const moment = MOMENTS[nth % MOMENTS.length] ?? "other sent";
    await Promise.race([traffic.next(moment), patience()]);
    if (moment.endsWith("sent")) await sleep(randomInt(INTO_THE_CALL_MS));
    // There may have been one call, and it a short one.
    if (traffic.inFlight() === 0) await Promise.race([traffic.next("other sent"), patience()]);
    if (traffic.inFlight() > 0) tally["faults while calls were in flight"] += 1;
    tally.faults += 1;
    await fault(nth);
  }
}

/** A server that is back later than this does not come back. */
export const PATIENCE_MS = 60_000;
/** Promised from the database's return on, without an operator. */
const RECOVERED_WITHIN_MS = 2_000;
const ASKED_EVERY_MS = 20;

/**
 * From `began` until every one of the servers answers from its database again. Measured at each by itself, with a
 * request that reads one row.
 */
export async function recovered(
  { journal: { tally, late } }: Run,
  servers: readonly ServerSettings[],
  { judgesTimes }: Pick<Size, "judgesTimes">,
  { began = performance.now(), withinMs = RECOVERED_WITHIN_MS } = {},
): Promise<void> {
  const untilItAnswers = async ({ webPort }: ServerSettings) => {
    while (performance.now() - began < PATIENCE_MS) {
      const answer = await fetch(`http://127.0.0.1:${webPort}/sandbox/clock`).catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok === true) return;
      await sleep(ASKED_EVERY_MS);
    }
  };
  await Promise.all(servers.map(untilItAnswers));
  const took = Math.round(performance.now() - began);
  tally["slowest recovery in ms"] = Math.max(tally["slowest recovery in ms"], took);
  if (took > (judgesTimes ? withinMs : PATIENCE_MS))
    late.push(`${took} ms until the last server had the database again`);
}

/** Runs in a folder that is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-faults-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
