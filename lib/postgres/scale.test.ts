import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "./testing";
import { recorder } from "./testing-database";
import { grown, pagesOf, workOf } from "./testing-scale";

/** npm run test:campaigns has 100,000 permissions and a million events; SCALE_EVENTS asks for more. */
const { SCALE_PERMISSIONS = "20000", SCALE_EVENTS = "100000" } = process.env;
const scale = { permissions: Number(SCALE_PERMISSIONS), events: Number(SCALE_EVENTS) };

/** The busiest customer has a two hundredth of the permissions, each in a few tables. */
const ROWS_MAX = scale.permissions / 5;

let database: TestDatabase;
const { asked, debug } = recorder();

beforeAll(async () => {
  database = await testDatabase({ debug, max: 1 });
  await grown(database.sql, scale);
}, 7_200_000);
afterAll(() => database.close());

it(`with ${scale.permissions} permissions and ${scale.events} events each page reads what it shows, and no table as a whole`, async () => {
  const sql = await database.sql.reserve();
  // Tables of so few rows are read from end to end for less: with this, PostgreSQL decides as with five times as many.
  await sql`set random_page_cost = 1`;
  const found: unknown[] = [];
  const told: string[] = [];
  for (const [page, open] of pagesOf(database.db)) {
    asked.length = 0;
    await open();
    let milliseconds = 0;
    for (const one of [...asked]) {
      const work = await workOf(sql, one);
      if (work.rows > ROWS_MAX || work.whole.length > 0) found.push([page, work, one.text]);
      milliseconds += work.milliseconds;
    }
    told.push(`${milliseconds.toFixed(1)} ms  ${page}`);
  }
  if (process.env["SCALE_EVENTS"] !== undefined) process.stdout.write(`${told.join("\n")}\n`);
  sql.release();
  expect(found).toEqual([]);
}, 600_000);
