import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type postgres from "postgres";
import { codeOf, type Run } from "./guard";

export const migrationsFolder = fileURLToPath(new URL("../../drizzle/migrations", import.meta.url));

/**
 * A step from one release's schema to the next one's. The release before runs on with an expand step; a contract step
 * takes away what it uses, and its file says so in its first line: `-- contract: why`.
 */
export type Migration = {
  readonly tag: string;
  /** When it was made, in milliseconds of the epoch: what databases know it by. */
  readonly at: number;
  readonly hash: string;
  readonly statements: readonly string[];
  readonly isContract: boolean;
};

/** Those of this release, in their order. */
export function migrationsOfRelease(): readonly Migration[] {
  const journal = readFileSync(path.join(migrationsFolder, "meta/_journal.json"), "utf8");
  const { entries } = JSON.parse(journal) as { readonly entries: readonly { tag: string }[] };
  return readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }, nth) => ({
    tag: entries[nth]?.tag ?? hash,
    at: folderMillis,
    hash,
    statements: sql,
    isContract: sql[0]?.startsWith("-- contract") === true,
  }));
}

export type SchemaVersion = {
  /** Of this release, and not applied. */
  readonly pending: readonly Migration[];
  /** Applied, and of a newer release. */
  readonly newer: { readonly expand: number; readonly contract: number };
};

/** Undefined where no `migrate` of this release or a newer one has been, so that the running role may not ask. */
export async function schemaVersion(
  run: Run,
  known = migrationsOfRelease(),
): Promise<SchemaVersion | undefined> {
  try {
    return versionOf(await run(appliedMigrations), known);
  } catch (error) {
    if (/^(42P01|3F000|42501)$/.test(codeOf(error) ?? "none")) return undefined;
    throw error;
  }
}

type Applied = { readonly at: number; readonly isContract: boolean };

/** Releases that took Drizzle's migrator had no contract steps. */
export const appliedMigrations = (sql: postgres.ISql) => sql<Applied[]>`
  select created_at::float8 as at, coalesce((to_jsonb(applied) ->> 'contract')::boolean, false) as "isContract"
  from drizzle.__drizzle_migrations applied`;

export function versionOf(applied: readonly Applied[], known: readonly Migration[]): SchemaVersion {
  const newer = applied.filter(({ at }) => !known.some((one) => one.at === at));
  const contract = newer.filter(({ isContract }) => isContract).length;
  return {
    pending: known.filter(({ at }) => !applied.some((one) => one.at === at)),
    newer: { expand: newer.length - contract, contract },
  };
}

/** Why a server of this release cannot run on it, after "the database"; undefined when it can. */
export function schemaFault(version: SchemaVersion | undefined): string | undefined {
  if (version === undefined) return "is not set up for this release: npm run bank -- migrate";
  const { pending, newer } = version;
  if (newer.contract > 0) {
    return "lacks what this release uses, a newer one has taken it away: start the newer release";
  }
  const needed = pending.filter(({ isContract }) => !isContract);
  const [first] = needed;
  if (first === undefined) return undefined;
  // What comes before it has to be applied before it.
  const command = pending[0]?.isContract ? "migrate --contract" : "migrate";
  return `lacks ${needed.length} migrations of this release, from ${first.tag} on: npm run bank -- ${command}`;
}
