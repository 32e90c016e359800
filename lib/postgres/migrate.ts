import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { codeOf } from "./guard";
import {
  appliedMigrations,
  type Migration,
  migrationsOfRelease,
  versionOf,
} from "./schema-version";

/** "drawbrid" as a number: any constant does, as long as all servers take the same one. */
const migrationLock = "7237128888997146980";
const oldestVersion = 15;

/**
 * How long a statement waits for a table: what comes after it waits behind it, requests too. It tries again after a
 * pause in which they are answered. Well under PostgreSQL's deadlock_timeout of a second: where a request and this wait
 * for each other, this is what gives up, and no request is answered 500.
 */
const TABLE_WAIT_MS = 200;
const PAUSE_MS = 1_000;
const ATTEMPTS_MAX = 60;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * What the role of the running server may not do to a table; it selects, inserts, updates and deletes in any other.
 * Triggers refuse most of this to all roles, but the owner of a table can switch its triggers off.
 */
const withheld = {
  "update, delete": [
    "access_log",
    "approval_evidence",
    "event_seal",
    "ledger_payment_status",
    "legal_hold",
    "opt_out",
    "passkey_evidence",
    "payment",
    "payment_initiation",
    "tpp_block_request",
  ],
  delete: ["ledger_entry", "ledger_payment", "payment_state", "tpp_block"],
  // Written by functions that run as their owner.
  "insert, update, delete": ["event", "event_key", "ledger_day", "payment_status_change"],
} as const;

/** Of what it may not change otherwise. */
const changeable = {
  event_seal: ["sent_at"],
  legal_hold: ["released_at", "released_by"],
  opt_out: ["ended_at", "ended_by"],
  tpp_block_request: ["outcome", "decided_by", "decided_at", "note", "report"],
} as const;

/** A fault of how the database is set up, in one sentence for the person who can change that. */
export class RoleError extends Error {
  override readonly name = "RoleError";
}

export type Migrating = {
  /** Of the running server, where it is not the one that owns the tables. */
  readonly serverUrl?: string | undefined;
  /** Stops before the first contract step, with which no server of an earlier release can run. */
  readonly expandOnly?: boolean | undefined;
  /** This release's. */
  readonly migrations?: readonly Migration[];
};

export type Migrated = {
  readonly applied: readonly Migration[];
  readonly waiting: readonly Migration[];
};

/**
 * Brings the database up to date, in one transaction: a failure leaves it as it was. Those that run at once queue behind
 * one lock. Throws when the database cannot be reached or is older than PostgreSQL 15.
 *
 * With the URL of another role, that one is the running server's: it is given what it needs and nothing else. What it
 * owns, as in a database of which it was the only role, passes to the migrating role first. Throws a RoleError when
 * that is not allowed, or when the running role could still change tables or what is to stay as it was written.
 */
export async function migrate(
  databaseUrl: string,
  {
    serverUrl = databaseUrl,
    expandOnly = false,
    migrations = migrationsOfRelease(),
  }: Migrating = {},
): Promise<Migrated> {
  const server = serverUrl === databaseUrl ? undefined : await askedAs(serverUrl, whoIsIt);
  const migrated = await askedAs(databaseUrl, async (sql) => {
    const [{ version } = { version: "an unknown version" }] = await sql<{ version: string }[]>`
      select current_setting('server_version') as version`;
    checkVersion(version);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sql.begin((tx) => migrateIn(tx, { server, expandOnly, migrations }));
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
        await sleep(PAUSE_MS);
      }
    }
  });
  if (server !== undefined) {
    const [fault] = await askedAs(serverUrl, excessesOf);
    if (fault !== undefined)
      throw new RoleError(`the role ${server.role} of DATABASE_URL ${fault}`);
  }
  return migrated;
}

type Steps = {
  readonly expandOnly: boolean;
  readonly migrations: readonly Migration[];
  readonly server: Server | undefined;
};

async function migrateIn(
  tx: postgres.TransactionSql,
  { server, expandOnly, migrations }: Steps,
): Promise<Migrated> {
  // A transaction's: a pooler that shares connections would give a session's lock to another client for good.
  await tx`select pg_advisory_xact_lock(${migrationLock}::bigint)`;
  await tx.unsafe(`set local lock_timeout = ${TABLE_WAIT_MS}`);
  if (server !== undefined) await takeOver(tx, server);
  await makeList(tx);
  const { pending, newer } = versionOf(await appliedMigrations(tx), migrations);
  const { applied, waiting } = stepsNow(pending, expandOnly);
  for (const { statements, hash, at, isContract } of applied) {
    for (const statement of statements) await tx.unsafe(statement);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at, contract)
      values (${hash}, ${at}, ${isContract})`;
  }
  // A newer release may withhold more of what it has made than this one knows of.
  const isNewest = newer.expand + newer.contract === 0;
  if (server !== undefined && isNewest) await grantWhatIsNeeded(tx, server.role);
  return { applied, waiting };
}

/** What is applied of these, and what waits: the first contract step, and all that follows it. */
export function stepsNow(pending: readonly Migration[], expandOnly: boolean): Migrated {
  const first = pending.findIndex(({ isContract }) => isContract && expandOnly);
  const count = first === -1 ? pending.length : first;
  return { applied: pending.slice(0, count), waiting: pending.slice(count) };
}

/**
 * The list is that of Drizzle's migrator, which earlier releases take; it cannot stop before a contract step. It is
 * changed only where it must be: that locks it until the end, and servers read it to know whether they are ready.
 */
async function makeList(tx: postgres.TransactionSql): Promise<void> {
  const [found] = await tx`select from pg_attribute
    where attrelid = to_regclass('drizzle.__drizzle_migrations') and attname = 'contract'`;
  if (found !== undefined) return;
  await tx.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint);
    alter table drizzle.__drizzle_migrations add column if not exists contract boolean not null default false`);
}

/** What the role of the URL could do that a running server has no need of; nothing when all is well. */
export function excessiveRights(serverUrl: string): Promise<readonly string[]> {
  return askedAs(serverUrl, excessesOf);
}

/** Makes a role that can connect, or gives it this password. It is given rights by `migrate`. */
export async function ensureRole(databaseUrl: string, role: string, password: string) {
  await askedAs(databaseUrl, async (sql) => {
    const [known] = await sql`select from pg_roles where rolname = ${role}`;
    const verb = known === undefined ? "create" : "alter";
    // No statement of this kind takes parameters.
    const [{ text } = { text: "" }] = await sql<{ text: string }[]>`
      select format('%s role %I login password %L', ${verb}::text, ${role}::text, ${password}::text) as text`;
    await sql.unsafe(text);
  });
}

/** Throws for a server older than PostgreSQL 15. `version` is what the server calls itself. */
export function checkVersion(version: string): void {
  if (Number.parseInt(version, 10) >= oldestVersion) return;
  throw new Error(`PostgreSQL ${version} is too old, ${oldestVersion} or newer is needed`);
}

type Server = { readonly role: string; readonly database: string };

async function askedAs<Result>(
  url: string,
  ask: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    return await ask(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Asked, not read off the URL: a pooler may connect as another role. */
async function whoIsIt(sql: postgres.Sql): Promise<Server> {
  const [row] = await sql<Server[]>`select current_user as role, current_database() as database`;
  if (row === undefined) throw new Error("the database did not say who asks");
  return row;
}

/** Everything that the running role owns in this database, and the database. */
async function takeOver(sql: postgres.TransactionSql, { role, database }: Server): Promise<void> {
  const [found] = await sql<
    { me: string; here: string; owns: boolean; may: boolean; super: boolean }[]
  >`
    select current_user as me, current_database() as here,
      pg_has_role(current_user, running.oid, 'USAGE') as may, running.rolsuper as super,
      exists (select from pg_class where relowner = running.oid and relnamespace in (${schemas(sql)}))
        or exists (select from pg_database where datname = current_database() and datdba = running.oid)
        as owns
    from pg_roles running where running.rolname = ${role}`;
  if (found === undefined || found.here !== database) {
    throw new RoleError("DATABASE_URL leads to another database than MIGRATION_DATABASE_URL");
  }
  if (found.me === role) throw new RoleError(`DATABASE_URL has the role ${role} as well`);
  if (found.super) throw new RoleError(`the role ${role} of DATABASE_URL is a superuser`);
  if (!found.owns) return;
  const reassign = `reassign owned by ${quoted(role)} to ${quoted(found.me)}`;
  if (!found.may) {
    throw new RoleError(
      `the tables belong to ${role}, the role of DATABASE_URL; a superuser says once: ${reassign}`,
    );
  }
  await sql.unsafe(reassign);
}

async function grantWhatIsNeeded(tx: postgres.TransactionSql, name: string): Promise<void> {
  const role = quoted(name);
  // What belongs to others, such as an extension's, is theirs to grant.
  const [own] = await tx<{ tables: string; functions: string }[]>`
    select
      (select string_agg(oid::regclass::text, ', ') from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
          and pg_has_role(current_user, relowner, 'USAGE')) as tables,
      (select string_agg(oid::regprocedure::text, ', ') from pg_proc
        where pronamespace = 'public'::regnamespace
          and pg_has_role(current_user, proowner, 'USAGE')) as functions`;
  // No sequence is among it: who inserts a row with an identity column needs no right to its sequence.
  await tx.unsafe(`
    revoke create on schema public from public;
    grant usage on schema public, drizzle to ${role};
    grant select on drizzle.__drizzle_migrations to ${role};
    revoke all on ${own?.tables} from ${role};
    grant select, insert, update, delete on ${own?.tables} to ${role};
    grant execute on function ${own?.functions} to ${role}`);
  for (const [rights, names] of Object.entries(withheld)) {
    await tx.unsafe(`revoke ${rights} on ${names.join(", ")} from ${role}`);
  }
  for (const [table, columns] of Object.entries(changeable)) {
    await tx.unsafe(`grant update (${columns.join(", ")}) on ${table} to ${role}`);
  }
}

/** Asked as the running role itself. Each sentence goes on from its name. */
async function excessesOf(sql: postgres.Sql): Promise<readonly string[]> {
  const kept = Object.values(withheld).flat();
  const [row] = await sql<{ excesses: readonly string[] }[]>`
    select array_remove(array[
      case when rolsuper or rolcreaterole then 'is a superuser or may make roles' end,
      case when exists (select from pg_class
          where relnamespace in (${schemas(sql)}) and pg_has_role(current_user, relowner, 'MEMBER'))
        or exists (select from pg_database
          where datname = current_database() and pg_has_role(current_user, datdba, 'MEMBER'))
        then 'owns tables or the database, or is a member of the role that does' end,
      case when has_schema_privilege(current_user, 'public', 'CREATE')
        or has_database_privilege(current_user, current_database(), 'CREATE')
        then 'may create tables in the database' end,
      case when exists (select from pg_class
          where relnamespace = 'public'::regnamespace and (relname in ${sql(kept)} or relispartition)
            and has_table_privilege(current_user, oid, 'DELETE, TRUNCATE, TRIGGER'))
        then 'may remove what is to be kept, as event' end], null) as excesses
    from pg_roles where rolname = current_user`;
  return row?.excesses ?? [];
}

/** Where the migrations put things: the list of them has a schema of its own. */
function schemas(sql: postgres.ISql) {
  return sql`select oid from pg_namespace where nspname in ('public', 'drizzle')`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
