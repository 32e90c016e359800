import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { ServerSettings } from "@/e2e/harness/server";
import { type BookedPayment, paymentsUnderWay, readBooks } from "./books";
import { compare, type Findings } from "./checks";
import { type Client, client } from "./client";
import { newCustomers } from "./customers";
import { emptyNotebook } from "./journal";
import { emptyTally, type Tally } from "./tally";
import { type PayingTpp, payingTpp, type Run } from "./tpp";
import { traffic } from "./traffic";

/** What a run is to be; the faults are spread over it. */
export type Size = {
  readonly clients: number;
  /** Servers, where there are several. */
  readonly nodes: number;
  readonly faults: number;
  /** From the recovery to the next fault, on average. */
  readonly seconds: number;
  /** The processors of hostile clients, as taskset takes them; undefined leaves them those of everybody. */
  readonly hostileCores?: string | undefined;
  /**
   * Whether a time can fail the run: with `--full` alone. A short run is as long as CI can wait, on a machine that does
   * other things too, and there a few milliseconds more are noise; it reports the same times and judges the rest.
   */
  readonly judgesTimes: boolean;
  /** Ends the run early and without a result. */
  readonly signal: AbortSignal;
};

export type Outcome = { readonly findings: Findings; readonly tally: Tally };

type Campaign = Pick<Size, "clients"> &
  Pick<Run, "mayFail"> & {
    readonly bank: ServerSettings;
    /** Asked at the beginning and at the end: another host can be the primary by then. */
    readonly databaseUrl: () => string;
    /** Breaks the bank again and again, counts it, and has it running when it is done. */
    readonly torment: (run: Run) => Promise<void>;
  };

/** How long accepted payments may take when nothing is broken any more: the slowest settles in seconds. */
const SETTLING_MS = 60_000;

/** Clients pay while the bank is tormented; afterwards their journal is held against its books. */
export async function campaign({
  clients,
  databaseUrl,
  torment,
  ...conditions
}: Campaign): Promise<Outcome> {
  const run: Run = {
    ...conditions,
    notebook: emptyNotebook(),
    tally: emptyTally(),
    traffic: traffic(),
  };
  const customers = await atDatabase(databaseUrl, (sql) => newCustomers(sql, clients));
  const tpps = await Promise.all(customers.map(() => payingTpp(run)));
  const all = customers.map((customer, at) => {
    const others = customers.filter((other) => other !== customer);
    return client(tpps[at] as PayingTpp, run, customer, others);
  });
  try {
    await Promise.all(all.map(({ begin }) => begin()));
    await payDuring(all, () => torment(run));
    await atDatabase(databaseUrl, settled);
    await Promise.all(all.map(({ askAgain }) => askAgain()));
    const books = await atDatabase(databaseUrl, (sql) => readBooks(sql, customers));
    run.tally["payments executed"] = books.payments.filter(isExecuted).length;
    return { findings: compare(run.notebook, books), tally: run.tally };
  } finally {
    await Promise.all(tpps.map((tpp) => tpp.close()));
  }
}

async function atDatabase<Result>(
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
async function payDuring(clients: readonly Client[], torment: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const paying = Promise.all(clients.map(({ pay }) => pay(over.signal)));
  try {
    await Promise.race([torment(), paying]);
  } finally {
    over.abort();
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

function isExecuted({ status }: BookedPayment): boolean {
  return status === "ACSC" || status === "ACCC";
}
