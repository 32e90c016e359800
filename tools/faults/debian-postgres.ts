import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/usr/lib/postgresql";

/** The folder of Debian's PostgreSQL with all its programs, of the newest version there is; undefined without one. */
export function debianPostgres(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  return readdirSync(ROOT)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(ROOT, version, "bin"))
    .find((bin) => existsSync(join(bin, "pg_basebackup")) && existsSync(join(bin, "initdb")));
}
