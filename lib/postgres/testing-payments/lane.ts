import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "@/drizzle/schema";
import { clearingAccounts } from "@/lib/core-bank/ledger/clearing-accounts";
import type { Currency } from "@/lib/domain/money";
import { type TestDatabase, testDatabase } from "../testing";

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
  const client = postgres(url, { max: 6, fetch_types: false, onnotice: () => undefined });
  const close = async () => {
    await client.end();
    await database.close();
  };
  return { ...database, db: drizzle(preparing(client), { schema }), close };
}

/** Plans each statement once for a connection instead of each time: half the work of a hundred thousand. */
function preparing<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== "function") return found;
      if (name === "unsafe") {
        return (text: string, params: readonly unknown[]) =>
          Reflect.apply(found, target, [text, params, { prepare: true }]);
      }
      if (name === "begin") {
        return (work: (tx: object) => unknown) =>
          Reflect.apply(found, target, [(tx: object) => work(preparing(tx))]);
      }
      return found;
    },
  });
}
