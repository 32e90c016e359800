import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { csv } from "@/lib/csv";
import { lastPublishedDay, parseQuarter, type Quarter } from "@/lib/domain/interface-figures";
import { COUNT_DAYS_KEPT } from "@/lib/domain/statistics";
import { addDays, dayIn, endOfDayIn } from "@/lib/domain/values";
import { connect, type Transaction } from "@/lib/postgres/client";
import { usualBounds } from "@/lib/postgres/guard";
import { bankProfile } from "@/lib/profile/in-force";
import { loadSettings } from "@/lib/server/hosts";
import { systemClock } from "@/lib/system-clock";
import { CommandFailed } from "../command-failed";
import { databaseUrl } from "../database-url";
import { figuresOf } from "../supervisor-pack/figures";
import { type MeasuredFigure, packPage } from "../supervisor-pack/page";
import { type BenchReport, benchReport } from "../supervisor-pack/stress-test";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- supervisor-pack 2026Q4 --out DIR [--bench FILE]

Writes index.html, which a person reads and prints, and of each figure NAME.csv and the query that gives it, NAME.sql. The
quarter has to be over for six hours. All queries see the database at one instant, and change nothing.

  --out DIR      a folder that does not exist yet
  --bench FILE   the stress test: what npm run bench -- --json FILE has written`;

/** A quarter of a large bank; nothing waits for it. */
const ANSWER_MS_MAX = 15 * 60_000;

export async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { out: { type: "string" }, bench: { type: "string" } },
    allowPositionals: true,
  });
  const [name = "none", ...more] = positionals;
  const quarter = parseQuarter(name);
  if (quarter === undefined || more.length > 0 || values.out === undefined)
    throw new WrongUsage("supervisor-pack needs a quarter, as 2026Q4, and --out DIR");
  const { timeZone, name: bank } = bankProfile();
  const now = await systemClock.now();
  checkTime(quarter, now, timeZone);
  const bench = values.bench === undefined ? undefined : await readBench(values.bench);
  const figures = await measured(quarter, timeZone);
  const out = values.out;
  await mkdir(out).catch((error: Error) => {
    throw new CommandFailed(`${out} has to be a new folder: ${error.message}`);
  });
  const files: (readonly [file: string, text: string])[] = figures.flatMap(
    ({ name, query, columns, rows }) => [
      [`${name}.csv`, csv([columns, ...rows])],
      [`${name}.sql`, `${query};\n`],
    ],
  );
  if (bench !== undefined) files.push(["stress-test.csv", csv(stressTable(bench))]);
  files.push(["index.html", packPage({ bank, quarter, madeAt: now, figures, bench })]);
  for (const [file, text] of files) await writeFile(join(out, file), text);
  return `${out}: index.html and ${figures.length} figures of ${quarter.name}, each with its query`;
}

function checkTime({ name, from, to }: Quarter, now: Date, timeZone: string): void {
  const last = lastPublishedDay(now, timeZone);
  if (last < to)
    throw new CommandFailed(
      `${name} is not over: its last day is ${to}, and the last day whose figures are whole ${last}`,
    );
  if (from < addDays(dayIn(timeZone, now), -COUNT_DAYS_KEPT))
    throw new CommandFailed(`${name} is too old: counts are kept for ${COUNT_DAYS_KEPT} days`);
}

async function readBench(file: string): Promise<BenchReport> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new CommandFailed(`${file} cannot be read`);
  });
  try {
    return benchReport.parse(JSON.parse(text));
  } catch {
    throw new CommandFailed(`${file} is not what npm run bench -- --json FILE writes`);
  }
}

/** All at one instant, so that they agree with each other. */
async function measured(quarter: Quarter, timeZone: string): Promise<readonly MeasuredFigure[]> {
  const bounds = { ...usualBounds, answer: ANSWER_MS_MAX };
  const { db, close } = connect(await databaseUrl(loadSettings()), { max: 1, bounds });
  try {
    return await db.transaction(
      async (tx) => {
        await checkData(tx, quarter, timeZone);
        const figures: MeasuredFigure[] = [];
        for (const figure of figuresOf(quarter, { timeZone })) {
          const rows = await tx.execute(sql.raw(figure.query));
          const columns = rows.columns.map(({ name }) => name);
          const texts = rows.map((row) => columns.map((column) => textOf(row[column])));
          figures.push({ ...figure, columns, rows: texts });
        }
        return figures;
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    );
  } finally {
    await close();
  }
}

function textOf(value: unknown): string {
  return value === null ? "" : String(value);
}

/** A figure of nothing would look like one of a quiet quarter. */
async function checkData(tx: Transaction, { name, from, to }: Quarter, timeZone: string) {
  const end = endOfDayIn(timeZone, to);
  const [found] = await tx.execute<Record<"requests" | "probes" | "counted", boolean>>(sql`
    select exists (select from request_day where day between ${from}::date and ${to}::date) as requests,
      exists (select from probe_run where last_at >= ${from}::date and began_at < ${end.toISOString()}::timestamptz) as probes,
      exists (select from day_count_position where counted_to >= ${end.toISOString()}::timestamptz) as counted`);
  if (!found?.requests && !found?.probes)
    throw new CommandFailed(
      `there is no data of ${name}: no request was counted in it, and no prober has run`,
    );
  if (!found.counted)
    throw new CommandFailed(`the events of ${name} are not all counted yet: a TPP host does so`);
}

function stressTable({ figures }: BenchReport): readonly (readonly string[])[] {
  const columns = Object.keys(benchReport.shape.figures.element.shape);
  const rows = figures.map((figure) =>
    Object.values({ ...Object.fromEntries(columns.map((one) => [one, ""])), ...figure }).map(
      String,
    ),
  );
  return [columns, ...rows];
}
