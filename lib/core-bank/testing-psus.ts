import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type { PsuId } from "@/lib/domain/identifiers";
import { psu } from "../../drizzle/schema/drawbridge/psu";
import { addCustomer } from "./ledger/testing";

type Writer = Pick<PgDatabase<PostgresJsQueryResultHKT>, "select" | "insert">;

/** A customer of the ledger who can sign in, with a password that nothing matches. */
export async function addPsu(db: Writer, name: string, userId: string): Promise<PsuId> {
  const id = await addCustomer(db, name);
  await db.insert(psu).values({ id, userId, name, passwordHash: "$argon2id$none" });
  return id;
}
