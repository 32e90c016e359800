import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import * as schema from "@/drizzle/schema/drawbridge";
import type { Bounds, Run } from "./guard";
import { guardedClient } from "./guarded-client";
import { type SchemaVersion, schemaVersion } from "./schema-version";

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
  readonly schema: SchemaVersion | undefined;
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
    return { ...row, unreadable: await unreadableTables(run), schema: await schemaVersion(run) };
  } finally {
    await close();
  }
}

async function unreadableTables(run: Run): Promise<readonly string[]> {
  const tables = Object.values(schema)
    .filter((one) => is(one, PgTable))
    .map((one) => getTableName(one));
  const found = await run(
    (sql) => sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relname in ${sql(tables)}
        and not has_table_privilege(oid, 'SELECT')`,
  );
  return found.map(({ name }) => name);
}
