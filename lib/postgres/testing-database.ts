import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from "vitest";
import { isUnavailable } from "@/lib/domain/errors";
import { databaseOf as clientDatabaseOf, type Database } from "./client";
import { codeOf } from "./guard";
import { clientOptions } from "./guarded-client";
import { migrationsFolder } from "./schema-version";
import { type TestDatabase, testDatabase } from "./testing";
import { databaseOf } from "./testing-cluster";

const journal = JSON.parse(readFileSync(path.join(migrationsFolder, "meta/_journal.json"), "utf8"));
const tags = (journal as { entries: { tag: string }[] }).entries.map(({ tag }) => tag);

/** A database as it was before the migration, for one test, and what applies it, alone or with all after it. */
export async function databaseBefore(migration: string) {
  const at = tags.findIndex((tag) => tag.endsWith(`_${migration}`));
  if (at === -1) throw new Error(`there is no migration ${migration}`);
  const { sql, url } = await emptyDatabase();
  await apply(sql, tags.slice(0, at));
  return {
    sql,
    url,
    migrate: () => apply(sql, tags.slice(at, at + 1)),
    migrateToTheLast: () => apply(sql, tags.slice(at)),
  };
}

async function emptyDatabase() {
  const admin = postgres(inject("databaseUrl"), { max: 1 });
  const name = `test_${randomBytes(8).toString("hex")}`;
  await admin`create database ${admin(name)}`;
  const url = databaseOf(inject("databaseUrl"), name);
  const sql = postgres(url, { max: 1 });
  onTestFinished(async () => {
    await sql.end();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  return { sql, url };
}

async function apply(sql: postgres.Sql, migrations: readonly string[]): Promise<void> {
  for (const tag of migrations) {
    const text = readFileSync(path.join(migrationsFolder, `${tag}.sql`), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) await sql.unsafe(statement);
  }
}

type NotesDatabase = Pick<TestDatabase, "url" | "sql"> & {
  readonly notes: () => PromiseLike<readonly unknown[]>;
};

/** A database for the tests of a file, with a table of notes that is empty before each of them. */
export function databaseOfNotes(): NotesDatabase {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await database.sql`create table note (text text)`;
    await database.sql`grant all on note to public`;
  });
  afterAll(() => database.close());
  beforeEach(async () => void (await database.sql`truncate note`));
  return {
    get url() {
      return database.url;
    },
    get sql() {
      return database.sql;
    },
    notes: () => database.sql`select text from note order by ctid`,
  };
}

/** What a rejected call says; undefined when it was not. */
export const told = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => [isUnavailable(error), codeOf(error)],
  );

/** The line to a database, which a test can cut or silence. */
export type Line = {
  /** The same database through the line. */
  readonly url: string;
  /** Cuts all connections and refuses new ones, as a stopped PostgreSQL does. */
  readonly cut: () => Promise<void>;
  /** From now on nothing comes through in either direction, and nothing is closed. */
  readonly silence: () => void;
  /** On the connections there are nothing comes through from now on, and nothing is closed, as where a machine is frozen. */
  readonly freeze: () => void;
  /** From now on each answer of the database is this late. */
  readonly slow: (milliseconds: number) => void;
  /** From now on each connection is taken and closed at once, as by a balancer that has nobody behind it. */
  readonly refuse: () => void;
  /** The next connection is taken and not answered; those after it are. */
  readonly hang: () => void;
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function lineTo(databaseUrl: string): Promise<Line> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let frozen: ReadonlySet<Socket> = new Set();
  let silent = false;
  let refusing = false;
  let hanging = false;
  let lateMs = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined).once("close", () => sockets.delete(socket)));
  };
  const server = createServer((inner) => {
    keep(inner);
    if (refusing) {
      inner.resume().end();
      return;
    }
    if (hanging) {
      hanging = false;
      return;
    }
    const outer = connect(Number(target.port), target.hostname);
    keep(outer);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on("data", (chunk) => {
        if (silent || frozen.has(from)) return;
        if (from === outer && lateMs > 0) setTimeout(() => to.write(chunk), lateMs);
        else to.write(chunk);
      });
      from.once("close", () => silent || frozen.has(from) || to.destroy());
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const { port } = address;
  const cut = async () => {
    const closed = server.listening ? once(server.close(), "close") : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    cut,
    silence: () => {
      silent = true;
    },
    freeze: () => {
      frozen = new Set(sockets);
    },
    slow: (milliseconds) => {
      lateMs = milliseconds;
    },
    refuse: () => {
      refusing = true;
    },
    hang: () => {
      hanging = true;
    },
    mend: async () => {
      silent = false;
      refusing = false;
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}

export type Cut = {
  /** How many packets leave the server before it is killed; a statement is one or two. */
  readonly afterPackets: number;
  /** Whether the last of them still arrives: then its work is done, and nobody hears of it. */
  readonly lastArrives: boolean;
};

type Cuttable = Pick<TestDatabase, "sql" | "url">;

/**
 * Does the work as a server that is killed in the middle: its connection is gone, and not a line of it
 * runs any more. PostgreSQL sees the end of the stream and rolls back what has not been committed. Comes
 * back when that has happened; undefined when the work was cut short.
 */
export async function cutShort<T>(
  { sql, url }: Cuttable,
  cut: Cut,
  work: (db: Database) => Promise<T>,
): Promise<T | undefined> {
  const name = `cut ${crypto.randomUUID()}`;
  const socket = await connected(url);
  const options = {
    ...clientOptions,
    max: 1,
    connection: { application_name: name },
    socket: () => socket,
  };
  const doomed = postgres(url, options);
  await doomed`select`;
  const killed = kill(socket, cut);
  const done = await Promise.race([killed, work(unguarded(doomed))]);
  if (done === undefined) socket.destroy();
  else await doomed.end();
  await gone(sql, name);
  return done;
}

function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket.off("error", reject)));
  });
}

/** From then on the driver hears nothing, so that whatever waits for an answer waits for ever. */
function kill(socket: Socket, { afterPackets, lastArrives }: Cut): Promise<undefined> {
  const write = socket.write.bind(socket);
  let packets = 0;
  return new Promise((resolve) => {
    const dies = () => resolve(undefined);
    socket.write = (packet: Uint8Array | string) => {
      packets += 1;
      if (packets < afterPackets) return write(packet);
      socket.removeAllListeners().on("error", dies);
      if (packets > afterPackets || !lastArrives) dies();
      else write(packet, dies);
      return true;
    };
  });
}

/** A statement that was under way ends first; then its session does. */
async function gone(sql: TestDatabase["sql"], name: string): Promise<void> {
  const [{ left } = { left: 1 }] = await sql<{ left: number }[]>`
    select count(*)::int as left from pg_stat_activity where application_name = ${name}`;
  if (left > 0) await gone(sql, name);
}

type Wrap = <Sql extends postgres.ISql>(sql: Sql) => Sql;

/** Drizzle over a client of the driver with nothing in between; each statement is sent by the client that `wrap` makes. */
export function unguarded(client: postgres.Sql, wrap: Wrap = (sql) => sql): Database {
  return clientDatabaseOf({
    run: async (ask) => ask(wrap(client)),
    begin: async (work) => {
      const done = client.begin(async (tx) => ({
        result: await work(async (ask) => ask(wrap(tx))),
      }));
      return (await done).result;
    },
  });
}

/** Consents whose rows do not fit together, and PSUs with two valid recurring consents at a TPP. */
export async function contradictions({
  sql,
}: Pick<TestDatabase, "sql">): Promise<readonly unknown[]> {
  return sql`
    select c.id::text from account_consent c join authorisation a on a.id = c.authorisation_id
    where (c.status = 'received') <> (a.sca_status not in ('finalised', 'failed'))
       or (c.status = 'valid' and a.sca_status <> 'finalised')
       or (c.status = 'rejected' and a.sca_status <> 'failed')
       or (c.psu_id is not null) <> (a.sca_status = 'finalised')
       or (c.psu_id is not null) <> exists (select from account_grant g where g.consent_id = c.id)
       or (c.status not in ('received', 'valid') and exists
            (select from oidc_payload p where p.account_id = a.id::text))
    union all
    select c.tpp_id || c.psu_id from account_consent c
    where c.recurring_indicator and c.status = 'valid' group by c.tpp_id, c.psu_id having count(*) > 1`;
}

/** There is one row, or one for a job, a month, a day, an hour, a legal case or an announcement. */
export const doNotGrow: readonly string[] = [
  "sandbox_clock",
  "webhook_receiver",
  "core_bank_feed",
  "day_count_position",
  "event_key",
  "event_seal",
  "job_run",
  "legal_hold",
  "request_day",
  "refusal_day",
  "channel_day",
  "planned_downtime",
];

/** Columns that take few values, however many rows there are. */
const kept: readonly string[] = [
  "model",
  "kind",
  "status",
  "sca_status",
  "outcome",
  "purpose",
  "what",
  "currency",
  "retention",
  "area",
  "outcome",
  "interface",
];

/**
 * Copies a row of each table that grows, with other values in the columns that are looked for; neither
 * triggers nor foreign keys have a say. Throws when a table has no row to copy.
 */
export async function manyRows(sql: postgres.Sql, rowsOfEach: number): Promise<void> {
  const columns = await sql<Column[]>`
    select c.table_name as table, c.column_name as name, c.udt_name as type,
      exists (select from pg_index i join pg_attribute a
        on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indrelid = c.table_name::regclass and a.attname = c.column_name) as indexed
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.is_generated = 'NEVER' and c.is_identity = 'NO'
      and not exists (select from pg_class where relispartition and relname = c.table_name)`;
  const tables = [...new Set(columns.map(({ table }) => table))].filter(
    (table) => !doNotGrow.includes(table),
  );
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role to replica`;
    for (const table of tables) {
      const own = columns.filter((column) => column.table === table);
      const { count } = await tx.unsafe(copying(table, own, rowsOfEach));
      if (count !== rowsOfEach) throw new Error(`${table} has no row to copy`);
    }
  });
  await sql`analyze`;
}

type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
};

function copying(table: string, columns: readonly Column[], rows: number): string {
  const names = columns.map(({ name }) => name).join(", ");
  const copied = columns.map((column) => {
    const own = `one.${column.name}`;
    const other = column.indexed && !kept.includes(column.name) ? others[column.type] : undefined;
    return other === undefined ? own : `case when ${own} is not null then ${other} end`;
  });
  // One of the bank's own accounts cannot have a second one beside it.
  const which = table === "ledger_account" ? "where kind <> 'internal'" : "";
  return `insert into ${table} (${names}) select ${copied.join(", ")}
    from (select * from ${table} ${which} limit 1) one, generate_series(1, ${rows}) n`;
}

/** Another value for each copy, by the type of the column. */
const others: Readonly<Record<string, string>> = {
  uuid: "gen_random_uuid()",
  text: "md5(random()::text)",
  varchar: "md5(random()::text)",
  date: "date '2026-11-20' - (n % 1000)::int",
  timestamptz: "timestamptz '2026-11-20' - make_interval(mins => (n % 100000)::int)",
};

/** A statement as it was sent. */
export type Asked = { readonly text: string; readonly params: readonly unknown[] };

/** Notes what is sent to a test database that is given `debug`, but for the ends of transactions. */
export function recorder() {
  const asked: Asked[] = [];
  const debug = (_connection: number, text: string, params: readonly unknown[]) => {
    // The driver writes what it sends into its list of values.
    if (!/^(begin|commit|rollback)\b/.test(text)) asked.push({ text, params: [...params] });
  };
  return { asked, debug };
}

/** How PostgreSQL goes about a statement with these values. */
export async function planOf(
  { sql }: Pick<TestDatabase, "sql">,
  { text, params }: Asked,
): Promise<string> {
  const rows = await sql.unsafe(`explain ${text}`, params as string[]);
  return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
}

/** The statements that have been prepared on the connection of a test database with one. */
export async function preparedIn({ db }: Pick<TestDatabase, "db">): Promise<ReadonlySet<string>> {
  const rows = await db.execute("select statement from pg_prepared_statements");
  return new Set(rows.map((row) => String(row["statement"])));
}
