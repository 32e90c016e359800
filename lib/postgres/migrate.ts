import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

export const migrationsFolder = fileURLToPath(new URL("../../drizzle/migrations", import.meta.url));

/** "drawbrid" as a number: any constant does, as long as all servers take the same one. */
const migrationLock = "7237128888997146980";
const oldestVersion = 15;

/**
 * Brings the database up to date. Servers that start at once queue behind one lock, since Drizzle's
 * migrator takes none. Throws when the database cannot be reached or is older than PostgreSQL 15.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  // The lock has a transaction and a connection for itself: a pooler that shares connections between
  // transactions would hand a session's lock to somebody else, and never give it back.
  const sql = postgres(databaseUrl, { max: 2, connect_timeout: 10, onnotice: () => undefined });
  try {
    const [{ version } = { version: "an unknown version" }] = await sql<{ version: string }[]>`
      select current_setting('server_version') as version`;
    checkVersion(version);
    await sql.begin(async (holding) => {
      await holding`select pg_advisory_xact_lock(${migrationLock}::bigint)`;
      await applyMigrations(drizzle(sql), { migrationsFolder });
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Throws for a server older than PostgreSQL 15. `version` is what the server calls itself. */
export function checkVersion(version: string): void {
  if (Number.parseInt(version, 10) >= oldestVersion) return;
  throw new Error(`PostgreSQL ${version} is too old, ${oldestVersion} or newer is needed`);
}
