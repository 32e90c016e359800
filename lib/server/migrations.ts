// biome-ignore-all lint/style/noRestrictedImports: the database is brought up to date before there are services

import { SettingError, type Settings } from "@/lib/config";
import { usualBounds } from "@/lib/postgres/guard";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { type Migrated, type Migrating, migrate, RoleError } from "@/lib/postgres/migrate";
import { primaryUrl } from "@/lib/postgres/primary";
import { type SchemaVersion, schemaFault, schemaVersion } from "@/lib/postgres/schema-version";

/** Of the role that owns the tables, and of the one that the server runs as; both the same where there is but one. */
export type DatabaseUrls = { readonly owner: string; readonly server: string };

export function givenDatabase(settings: Settings): DatabaseUrls {
  const { DATABASE_URL: server, MIGRATION_DATABASE_URL: owner = server } = settings;
  if (server === undefined || owner === undefined) {
    throw new SettingError("DATABASE_URL: a host alone needs a database; npm start brings its own");
  }
  return { owner, server };
}

/** Whether a server brings the database up to date itself. */
export const migratesAtStart = ({ MIGRATE_AT_START, SANDBOX }: Settings) =>
  MIGRATE_AT_START ?? SANDBOX;

/** A host that starts alone loads its modules meanwhile, which on a busy machine is longer than a request would wait. */
const BOUNDS_AT_START = { ...usualBounds, connect: 10_000, wait: 10_000 };

/** Throws a SettingError when that is not possible. */
export async function bringUpToDate(
  { owner, server }: DatabaseUrls,
  { expandOnly }: Pick<Migrating, "expandOnly"> = {},
): Promise<Migrated> {
  const setting = owner === server ? "DATABASE_URL" : "DATABASE_URL, MIGRATION_DATABASE_URL";
  return inOneLine(setting, async () => {
    const serverUrl = await primaryUrl(server);
    return migrate(await primaryUrl(owner), { serverUrl, expandOnly });
  });
}

/** Throws a SettingError when this release cannot run on what is there. */
export async function checkSchema(url: string): Promise<void> {
  const fault = schemaFault(await schemaAt(url));
  if (fault !== undefined) throw new SettingError(`DATABASE_URL: the database ${fault}`);
}

/** Settings of PostgreSQL without which a crash loses what was acknowledged, or leaves tables broken. */
const DURABLE = ["fsync", "full_page_writes", "synchronous_commit"];

/** Throws a SettingError where the database may lose what it has acknowledged. */
export async function checkDurability(url: string): Promise<void> {
  const off = await inOneLine("DATABASE_URL", async () => {
    const { run, close } = guardedClient(await primaryUrl(url), {
      max: 1,
      bounds: BOUNDS_AT_START,
    });
    const rows = run(
      (sql) => sql<{ name: string }[]>`
        select name from pg_settings where name in ${sql(DURABLE)} and setting = 'off' order by name`,
    );
    return rows.finally(close);
  });
  if (off.length === 0) return;
  const names = off.map(({ name }) => name).join(", ");
  throw new SettingError(`DATABASE_URL: the database loses payments in a crash: ${names} off`);
}

/** Changes nothing. Throws a SettingError of the one that names `url` when the database cannot be asked. */
export function schemaAt(
  url: string,
  setting = "DATABASE_URL",
): Promise<SchemaVersion | undefined> {
  return inOneLine(setting, async () => {
    const { run, close } = guardedClient(await primaryUrl(url), {
      max: 1,
      bounds: BOUNDS_AT_START,
    });
    return schemaVersion(run).finally(close);
  });
}

/** A failing query's text would fill the screen and may hold values; its reason is one line. */
async function inOneLine<Result>(setting: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RoleError) throw new SettingError(`${setting}: ${error.message}`);
    if (!(error instanceof Error)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new SettingError(`${setting}: the database cannot be used (${reason.split("\n")[0]})`);
  }
}
