import postgres from "postgres";
import { clearingAccounts } from "@/lib/core-bank/ledger/clearing-accounts";
import type { Currency } from "@/lib/domain/money";
import { clientOptions } from "../client";
import { type TestDatabase, testDatabase } from "../testing";
import { unguarded } from "../testing-unguarded";

export type Lane = TestDatabase;

export const EUR = "EUR" as string as Currency;
const RON = "RON" as string as Currency;

/**
 * A database for many runs, one after the other, with the bank's own accounts for the rest of the world.
 * Nothing waits for the disk, because a cut is the server's end and not the database's.
 */
export async function aLane(): Promise<Lane> {
  const database = await testDatabase();
  const { sql, db, url } = database;
  await clearingAccounts(db, [EUR, RON]);
  const [{ name } = { name: "" }] = await sql<
    { name: string }[]
  >`select current_database() as name`;
  await sql`alter database ${sql(name)} set synchronous_commit to off`;
  // What is planned while the tables are empty has to do when they are not.
  await sql`alter database ${sql(name)} set enable_seqscan to off`;
  const client = postgres(url, { ...clientOptions, max: 6 });
  const close = async () => {
    await client.end();
    await database.close();
  };
  return { ...database, db: unguarded(client, preparing), close };
}

/** Plans each statement once for a connection instead of each time: half the work of a hundred thousand. */
function preparing<Sql extends postgres.ISql>(sql: Sql): Sql {
  const unsafe: Sql["unsafe"] = (text, params) => sql.unsafe(text, params, { prepare: true });
  return new Proxy(sql, {
    get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)),
  });
}
