import { randomBytes } from "node:crypto";
import { appendFile, chmod, chown, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { runBank } from "@/cli/bank/testing";
import { type Column, table } from "@/cli/tpp/table";
import { startCoreBank } from "@/e2e/harness/core-bank";
import { stopLeftDatabase } from "@/e2e/harness/own-database";
import { freshSettings, type RunningServer, startServer } from "@/e2e/harness/server";
import { steadyPort } from "@/e2e/harness/steady-port";
import { movesOf } from "@/lib/core-bank/ledger/testing";
import type { TransactionStatus } from "@/lib/domain/payment-order";
import { databaseAccount, databaseName, run, superuser } from "@/lib/server/embedded-database";
import { ownersUrl } from "./both-sides";
import { atDatabase, inFolder, PATIENCE_MS, type Size, type Verdict } from "./campaign";
import { type Client, client } from "./client";
import { type Customer, newCustomers, OPENING } from "./customers";
import { debianPostgres } from "./debian-postgres";
import { emptyJournal, isBehind, type Journal } from "./journal";
import { type Order, type PayingTpp, payingTpp } from "./tpp";
import { traffic } from "./traffic";

const ASKED_EVERY_MS = 100;

/** What cannot be had here, of Debian's packages postgresql and pgbackrest; undefined when both are there. */
export async function missingForRestore(): Promise<string | undefined> {
  if (debianPostgres() === undefined) return "postgresql";
  const { code } = await run("pgbackrest", ["version"], { as: {}, cwd: "/" });
  return code === 0 ? undefined : "pgbackrest";
}

/**
 * The database is backed up by pgBackRest under payments, lost some payments later, and restored to an instant before its
 * end. The core bank, which has a database of its own, has executed what the restored one does not know.
 */
export function restoreDrill(size: Size): Promise<Verdict> {
  return inFolder(async (folder) => {
    // The databases' user has to come through.
    await chmod(folder, 0o711);
    const since = new Date().toISOString();
    const coreDir = join(folder, "core");
    const core = await startCoreBank(coreDir);
    const database = await backedUpDatabase(folder);
    let server: RunningServer | undefined;
    const tpps: PayingTpp[] = [];
    try {
      const shared = { ...core.settings, DATABASE_URL: database.url };
      const bank = { ...(await freshSettings(join(folder, "bank"))), shared };
      server = await startServer(bank);
      const ledgerUrl = await ownersUrl(coreDir);
      const here = <Result>(work: (sql: postgres.Sql) => Promise<Result>) =>
        atDatabase(() => database.url, work);
      const ledger = <Result>(work: (sql: postgres.Sql) => Promise<Result>) =>
        atDatabase(() => ledgerUrl, work);

      const journal = emptyJournal();
      const paying = { bank, journal, mayFail: "a service" as const, traffic: traffic() };
      const customers = await here((sql) =>
        ledger((books) => newCustomers(sql, size.clients, books)),
      );
      for (const _ of customers) tpps.push(await payingTpp(paying));
      const clients = tpps.flatMap((tpp, at) => {
        const [customer, ...others] = [...customers.slice(at), ...customers.slice(0, at)];
        return customer === undefined ? [] : [client(tpp, paying, customer, others)];
      });
      const payments = await payThrough(clients, async (over) => {
        await database.backUp();
        await authorised(journal, size);
        const point = await database.pointInTime();
        await authorised(journal, size);
        await database.archivedSince(point);
        await authorised(journal, size);
        over();
        const seen = seenSoFar(journal);
        const began = performance.now();
        await database.lose();
        await server?.stop();
        await database.restoreTo(point);
        await ledger(settled);
        const lines = await reconciled(since, { ...shared, DATA_DIR: bank.dataDir });
        const rows = await here(
          (sql) => sql<{ id: string; lost: boolean }[]>`
            select payment_id as id, authorisation_lost as lost from payment_state`,
        );
        const executed = await ledger(statusesThere);
        server = await startServer(bank);
        const took = Math.round(performance.now() - began);
        const shown = await askedFor(seen, tpps);
        const known = new Map(rows.map(({ id, lost }) => [id, lost]));
        return { seen, lines, known, executed, shown, took };
      });
      await ledger(settled);
      const after = await ledger(statusesThere);
      const moves = await ledger((sql) => movesOf(sql, ibansOf(customers)));
      return verdictOf(journal, { ...payments, after, moves }, size.judgesTimes);
    } finally {
      await Promise.all(tpps.map((tpp) => tpp.close()));
      await server?.stop();
      await database.stop();
      await core.stop();
      await stopLeftDatabase(coreDir);
    }
  });
}

/** Clients pay until `over` is called in the work, and once more afterwards. */
async function payThrough<Result>(
  clients: readonly Client[],
  work: (over: () => void) => Promise<Result>,
): Promise<Result> {
  for (const { begin } of clients) await begin();
  const over = new AbortController();
  // What a client had is lost with the database, its tokens too: it may end for that.
  const paying = Promise.allSettled(clients.map(({ pay }) => pay(over.signal)));
  try {
    return await work(() => over.abort());
  } finally {
    over.abort();
    await paying;
  }
}

/** Until so many payments more are authorised. */
async function authorised({ tally }: Journal, { faults: count, signal }: Size): Promise<void> {
  const wanted = tally["payments authorised"] + count;
  const end = performance.now() + PATIENCE_MS;
  while (tally["payments authorised"] < wanted) {
    if (performance.now() > end) throw new Error("no payments are authorised");
    await sleep(ASKED_EVERY_MS, undefined, { signal });
  }
}

type Seen = {
  readonly order: Pick<Order, "product">;
  /** The last that the TPP was told; undefined when it never asked. */
  readonly status: TransactionStatus | undefined;
};

/** Every payment that was acknowledged to a TPP. */
function seenSoFar({ answers, asked, statuses }: Journal): ReadonlyMap<string, Seen> {
  const orders = new Map(asked.map((order) => [order.requestId, order as Order]));
  const last = new Map(statuses.map(({ paymentId, status }) => [paymentId, status]));
  return new Map(
    answers.flatMap(({ requestId, paymentId }) => {
      const order = orders.get(requestId);
      if (paymentId === undefined || order === undefined) return [];
      return [[paymentId, { order, status: last.get(paymentId) }] as const];
    }),
  );
}

/** Until the core bank has done with all that it was given. */
async function settled(sql: postgres.Sql): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  const due = () => sql`select from ledger_payment where due_at is not null limit 1`;
  while ((await due()).length > 0 && performance.now() < end) await sleep(ASKED_EVERY_MS);
}

async function statusesThere(sql: postgres.Sql): Promise<ReadonlyMap<string, TransactionStatus>> {
  const rows = await sql<{ id: string; status: TransactionStatus }[]>`
    select distinct on (payment_id) payment_id as id, status from ledger_payment_status
    order by payment_id, array_position(array['ACCP', 'PDNG', 'ACSP', 'ACSC', 'ACCC', 'RJCT'], status) desc`;
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function reconciled(since: string, env: Readonly<Record<string, string>>) {
  const { stdout, stderr } = await runBank(["reconcile", "--since", since, "--mend"], env);
  const lines = `${stdout}${stderr}`.trim().split("\n");
  return lines.filter((line) => line !== "no differences" && !line.startsWith("differences: "));
}

type Shown = ReadonlyMap<string, TransactionStatus | "refused">;

/** What the TPP that started a payment is told of it now. */
async function askedFor(
  seen: ReadonlyMap<string, Seen>,
  tpps: readonly PayingTpp[],
): Promise<Shown> {
  const shown = new Map<string, TransactionStatus | "refused">();
  for (const [id, { order }] of seen) {
    // Of other TPPs a payment is not found: the one that started it is told most.
    for (const tpp of tpps) {
      const status = await tpp.status(order as Order, id);
      if (shown.get(id) === undefined || (status !== undefined && status !== "refused"))
        shown.set(id, status ?? "refused");
    }
  }
  return shown;
}

type Found = {
  readonly seen: ReadonlyMap<string, Seen>;
  /** Of reconciliation. */
  readonly lines: readonly string[];
  /** In the restored database, and whether their authorisation was lost. */
  readonly known: ReadonlyMap<string, boolean>;
  readonly executed: ReadonlyMap<string, TransactionStatus>;
  readonly shown: Shown;
  readonly took: number;
  /** At the core bank, when all is over. */
  readonly after: ReadonlyMap<string, TransactionStatus>;
  readonly moves: Awaited<ReturnType<typeof movesOf>>;
};

function verdictOf({ tally }: Journal, found: Found, isFull: boolean): Verdict {
  const { seen, lines, known, executed, shown, took, after, moves } = found;
  const unknown = [...executed].filter(([id]) => !known.has(id));
  const told = new Set(
    unknown.map(([id, there]) => `${id}  here none  core bank ${there}  not known here`),
  );
  const ofKnown = [...seen].filter(([id]) => known.has(id));
  const isBackwards = ([id, { status }]: (typeof ofKnown)[number]) => {
    const now = shown.get(id);
    // Authorised in the last moment, and not at the core bank yet: nothing came of it anywhere.
    if (status === undefined || now === undefined || !executed.has(id)) return false;
    return now === "refused" || isBehind(status, now);
  };
  const learned = [...known].filter(([, isLost]) => isLost);
  const debits = moves
    .filter(({ amount, remittance }) => BigInt(amount) < 0n && remittance !== OPENING)
    .map(({ remittance }) => remittance);
  const findings: Readonly<Record<string, readonly unknown[]>> = {
    "payments of the core bank that reconciliation missed": [...told].filter(
      (line) => !lines.includes(line),
    ),
    "differences made up": lines.filter((line) => !told.has(line)),
    "payments shown otherwise than the core bank has them": ofKnown.filter(
      ([id]) => executed.has(id) && shown.get(id) !== executed.get(id),
    ),
    "statuses gone backwards": ofKnown.filter(isBackwards),
    "payments shown that are not known": [...seen].filter(
      ([id]) => !known.has(id) && shown.get(id) !== "refused",
    ),
    "payments debited twice": debits.filter((one, at) => debits.indexOf(one) !== at),
  };
  const happened = {
    "payments authorised": tally["payments authorised"],
    "payments of the core bank that were lost here": unknown.length,
    "payments shown as executed whose authorisation was lost": learned.length,
    "payments executed after the restore": after.size - executed.size,
    "ms from the loss to the server's return": took,
  };
  const columns = (heading: string): readonly Column[] => [
    { heading },
    { heading: "restore", align: "right" },
  ];
  const rows = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([name, count]) => [name, String(count)]);
  const counts = Object.fromEntries(
    Object.entries(findings).map(([name, { length }]) => [name, length]),
  );
  const examples = Object.entries(findings).flatMap(([name, [first]]) =>
    first === undefined ? [] : [`${name}: ${JSON.stringify(first)}`],
  );
  // In a short run it is chance whether a payment is at that very step when the backup is made, or the database lost.
  const isTriedWhole = learned.length > 0 && after.size > executed.size;
  const isTried = unknown.length > 0 && (isTriedWhole || !isFull);
  const passed = isTried && Object.values(counts).every((count) => count === 0);
  const tables = [
    table(columns("What happened"), rows(happened)),
    table(columns("What must be 0"), rows(counts)),
  ];
  return { text: [...tables, ...examples].join("\n\n"), passed };
}

const ibansOf = (customers: readonly Customer[]) =>
  customers.flatMap(({ accounts }) => Object.values(accounts));

/** A PostgreSQL of Debian's whose log is archived, and its repository of backups. */
async function backedUpDatabase(folder: string) {
  const bin = debianPostgres();
  if (bin === undefined) throw new Error("there is no PostgreSQL of Debian's");
  const as = databaseAccount();
  const own = async (path: string) => {
    if (as.uid !== undefined && as.gid !== undefined) await chown(path, as.uid, as.gid);
  };
  const home = join(folder, "database");
  await mkdir(home, { mode: 0o700 });
  const [data, config, secret] = ["data", "pgbackrest.conf", "password"].map((name) =>
    join(home, name),
  ) as [string, string, string];
  const port = await steadyPort();
  const password = randomBytes(24).toString("hex");
  const options = {
    global: {
      ...{ "repo1-path": join(home, "repository"), "repo1-retention-full": 1 },
      ...{ "log-path": home, "lock-path": join(home, "lock"), "log-level-file": "off" },
      ...{ "start-fast": "y", "compress-type": "lz4" },
    },
    drawbridge: {
      ...{ "pg1-path": data, "pg1-port": port, "pg1-socket-path": home, "pg1-user": superuser },
    },
  };
  const ini = Object.entries(options).map(([section, of]) =>
    [`[${section}]`, ...Object.entries(of).map((pair) => pair.join("=")), ""].join("\n"),
  );
  await writeFile(config, ini.join("\n"), { mode: 0o600 });
  await writeFile(secret, password, { mode: 0o600 });
  for (const path of [home, config, secret]) await own(path);

  const told = async (program: string, ...args: readonly string[]) => {
    const { code, output } = await run(program, args, { as, cwd: home });
    if (code !== 0) throw new Error(`${program} ${args.join(" ")}:\n${output.slice(-2_000)}`);
  };
  const pgBackRest = (...args: readonly string[]) =>
    told("pgbackrest", `--config=${config}`, "--stanza=drawbridge", ...args);
  const pgCtl = (...args: readonly string[]) => told(join(bin, "pg_ctl"), "-D", data, ...args);
  const start = () => pgCtl("start", "-w", "-l", join(home, "log"));
  const at = (database: string) =>
    `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  const url = at(databaseName);
  const asked = <Result>(work: (sql: postgres.Sql) => Promise<Result>, of = url) =>
    atDatabase(() => of, work);
  const until = async (what: string, isSo: (sql: postgres.Sql) => Promise<boolean>) => {
    const end = performance.now() + PATIENCE_MS;
    while (!(await asked(isSo))) {
      if (performance.now() > end) throw new Error(`it does not come: ${what}`);
      await sleep(ASKED_EVERY_MS);
    }
  };

  const encoding = ["--encoding=UTF8", "--locale=C.UTF-8"];
  const login = ["-U", superuser, `--pwfile=${secret}`, "--auth-local=trust"];
  await told(join(bin, "initdb"), "-D", data, ...encoding, ...login, "--auth-host=scram-sha-256");
  const settings = {
    ...{ listen_addresses: "127.0.0.1", port, unix_socket_directories: home },
    ...{ archive_mode: "on", archive_timeout: "2s" },
    archive_command: `pgbackrest --config=${config} --stanza=drawbridge archive-push %p`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(data, "postgresql.conf"), lines.join(""));
  await start();
  await asked((sql) => sql.unsafe(`create database ${databaseName}`), at("postgres"));
  await pgBackRest("stanza-create");

  return {
    url,
    backUp: () => pgBackRest("backup", "--type=full"),
    /** As text, to the microsecond; one at which a payment waits for its PSU, who is going to authorise it. */
    pointInTime: async () => {
      let point: string | undefined;
      await until("a payment that waits for its PSU", async (sql) => {
        const [row] = await sql<{ now: string }[]>`
          select now()::text as now from payment_state where status = 'RCVD' limit 1`;
        point = row?.now;
        return point !== undefined;
      });
      return String(point);
    },
    /** Until the log of that instant is in the repository, of which a lost machine takes nothing along. */
    archivedSince: (instant: string) =>
      until("the log in the archive", async (sql) => {
        const rows = await sql`select from pg_stat_archiver
          where last_archived_time > ${instant}::timestamptz + interval '3 seconds'`;
        return rows.length > 0;
      }),
    lose: async () => {
      await pgCtl("stop", "-m", "immediate");
      await rm(data, { recursive: true });
    },
    restoreTo: async (instant: string) => {
      await mkdir(data, { mode: 0o700 });
      await own(data);
      const to = ["--type=time", `--target=${instant}`, "--target-action=promote"];
      await pgBackRest("restore", ...to);
      await start();
      await until("the end of the recovery", async (sql) => {
        const [row] = await sql<{ over: boolean }[]>`select not pg_is_in_recovery() as over`;
        return row?.over === true;
      });
    },
    stop: async () => {
      await run(join(bin, "pg_ctl"), ["-D", data, "stop", "-m", "immediate"], { as, cwd: home });
    },
  };
}
