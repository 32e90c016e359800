import { is } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "@/drizzle/schema/drawbridge";
import type { Bounds, Run } from "./guard";
import { guardedClient } from "./guarded-client";
import { migrationsFolder } from "./migrate";

/** What a server would find at a URL. */
export type DatabaseState = {
  /** What the server calls itself. */
  readonly version: string;
  readonly database: string;
  readonly role: string;
  /** False of a standby. */
  readonly takesChanges: boolean;
  /** Tables of this release that the role may not read. */
  readonly unreadable: readonly string[];
  /** Columns of this release that the tables lack. */
  readonly missing: readonly string[];
  /** By how many migrations it differs from this release; undefined for the running role, which may not know. */
  readonly migrations: { readonly pending: number; readonly unknown: number } | undefined;
};

/** Changes nothing, and ends in `bounds`. Throws when the database does not answer. */
export async function databaseState(url: string, bounds: Bounds): Promise<DatabaseState> {
  const { run, close } = guardedClient(url, { max: 1, bounds });
  try {
    const [row] = await run(
      (sql) => sql<Pick<DatabaseState, "version" | "database" | "role" | "takesChanges">[]>`
        select current_setting('server_version') as version, current_database() as database,
          current_user as role, current_setting('transaction_read_only') = 'off' as "takesChanges"`,
    );
    if (row === undefined) throw new Error("the database did not say what it is");
    return { ...row, ...(await tablesFor(run)), migrations: await migrationsFor(run) };
  } finally {
    await close();
  }
}

async function tablesFor(run: Run): Promise<Pick<DatabaseState, "unreadable" | "missing">> {
  const tables = Object.values(schema)
    .filter((one) => is(one, PgTable))
    .map(getTableConfig);
  const found = await run(
    (sql) => sql<{ name: string; columns: readonly string[]; readable: boolean }[]>`
      select relname as name, has_table_privilege(oid, 'SELECT') as readable,
        (select json_agg(attname) from pg_attribute where attrelid = pg_class.oid and not attisdropped) as columns
      from pg_class
      where relnamespace = 'public'::regnamespace and relname in ${sql(tables.map(({ name }) => name))}`,
  );
  const there = new Set(
    found.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)),
  );
  const ours = tables.flatMap(({ name, columns }) => columns.map((one) => `${name}.${one.name}`));
  return {
    unreadable: found.filter(({ readable }) => !readable).map(({ name }) => name),
    missing: ours.filter((column) => !there.has(column)),
  };
}

async function migrationsFor(run: Run): Promise<DatabaseState["migrations"]> {
  const [list] = await run(
    (sql) => sql<{ readable: boolean }[]>`
      select has_schema_privilege(pg_namespace.oid, 'USAGE')
        and has_table_privilege(pg_class.oid, 'SELECT') as readable
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'drizzle' and relname = '__drizzle_migrations'`,
  );
  if (list?.readable === false) return undefined;
  // An empty database has no list.
  const rows =
    list === undefined
      ? []
      : await run(
          (sql) => sql<{ at: string }[]>`
            select created_at::text as at from drizzle.__drizzle_migrations`,
        );
  const applied = rows.map(({ at }) => at);
  const ours = readMigrationFiles({ migrationsFolder }).map((one) => String(one.folderMillis));
  return {
    pending: ours.filter((one) => !applied.includes(one)).length,
    unknown: applied.filter((one) => !ours.includes(one)).length,
  };
}
