import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import type { UserKey } from "../../lib/domain/sca/psu-attempts";
import { instant } from "./columns";

/**
 * Failures in a row of one user ID, over all authorisations, sessions and servers (RTS art. 4(3)(b)).
 * Whether it is blocked follows from these columns and the profile's limits.
 */
export const psuAttempts = pgTable(
  "psu_attempts",
  {
    userKey: text("user_key").$type<UserKey>().primaryKey(),
    failures: smallint("failures").notNull(),
    /** A block is behind it, without a success since: the next one is for the bank to lift. */
    blockedBefore: boolean("blocked_before").notNull(),
    lastAt: instant("last_at").notNull(),
    /** False while the attempt that would block is being judged. */
    judged: boolean("judged").notNull().default(true),
  },
  (row) => [
    index("psu_attempts_age").on(row.lastAt),
    check("psu_attempts_failures", sql`${row.failures} >= 0`),
  ],
);
