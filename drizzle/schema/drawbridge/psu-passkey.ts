import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";
import type { PasskeyId } from "../../../lib/domain/passkeys/passkey";
import { instant } from "../columns";

/**
 * The public halves of the PSUs' passkeys, apart from their passwords: who gets at one of the two
 * elements has not got the other (RTS art. 9). A removed one stays, so that it never comes back.
 */
export const psuPasskey = pgTable(
  "psu_passkey",
  {
    id: uuid("id").$type<PasskeyId>().primaryKey(),
    credentialId: text("credential_id").notNull().unique(),
    psuId: text("psu_id").$type<PsuId>().notNull(),
    publicKey: text("public_key").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    name: text("name").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    removedAt: instant("removed_at"),
  },
  (row) => [
    index("psu_passkey_of_psu").on(row.psuId, row.createdAt),
    check("psu_passkey_counter", sql`${row.counter} >= 0`),
  ],
);
