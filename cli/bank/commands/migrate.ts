import { parseArgs } from "node:util";
import { type Migrated, stepsNow } from "@/lib/postgres/migrate";
import { type Migration, migrationsOfRelease } from "@/lib/postgres/schema-version";
import { loadSettings } from "@/lib/server/hosts";
import { bringUpToDate, givenDatabase, schemaAt } from "@/lib/server/migrations";

export const help = `npm run bank -- migrate [--contract] [--check]

Applies this release's migrations as the role of MIGRATION_DATABASE_URL, and gives the role of DATABASE_URL what a running
server needs; with DATABASE_URL alone, as its role. Servers of the release before run on meanwhile and afterwards. Commands
that run at once wait for each other, and one that fails leaves the database as it was.

  --contract  also the steps that take away what the release before uses: when no server of it runs any more
  --check     applies nothing, and says what is to be applied`;

export async function run(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: { contract: { type: "boolean" }, check: { type: "boolean" } },
  });
  const urls = givenDatabase(loadSettings());
  const expandOnly = values.contract !== true;
  if (values.check === true) {
    const setting = urls.owner === urls.server ? "DATABASE_URL" : "MIGRATION_DATABASE_URL";
    const pending = (await schemaAt(urls.owner, setting))?.pending ?? migrationsOfRelease();
    return linesOf("to apply", stepsNow(pending, expandOnly));
  }
  return linesOf("applied", await bringUpToDate(urls, { expandOnly }));
}

/** `word` says what has happened to those that do not wait, or is to. */
export function linesOf(word: string, { applied, waiting }: Migrated): string {
  const lines = [...applied.map(lineOf(word)), ...waiting.map(lineOf("waits"))];
  if (waiting.length > 0)
    lines.push("What waits: migrate --contract, when no server of an earlier release runs.");
  return lines.length === 0 ? UP_TO_DATE : lines.join("\n");
}

const UP_TO_DATE = "the database is up to date";

const lineOf =
  (word: string) =>
  ({ tag, isContract }: Migration) =>
    `${word.padEnd(8)}  ${tag}${isContract ? " (contract)" : ""}`;
