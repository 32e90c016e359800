import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import type { UserKey } from "../../../lib/domain/sca/psu-attempts";
import { instant } from "../columns";

/**
 * Failures in a row of one user ID, over all authorisations, sessions and servers (RTS art. 4(3)(b)).
 * Whether it is blocked follows from these columns and the profile's limits.
 */
export const psuAttempts = pgTable(
  "psu_attempts",
  {
    userKey: text("user_key").$type<UserKey>().primaryKey(),
    /** Passwords, codes and passkeys together, since the last block or success. */
    failures: smallint("failures").notNull(),
    /** Codes and passkeys alone, since the last success: only these block for good. */
    secondFailures: smallint("second_failures").notNull().default(0),
    lastAt: instant("last_at").notNull(),
    /** False while the attempt that would block is being judged. */
    judged: boolean("judged").notNull().default(true),
    /** How many of the notices of `blockNotices` have been due since the last success. */
    noticesDue: smallint("notices_due").notNull().default(0),
  },
  (row) => [
    index("psu_attempts_age").on(row.lastAt),
    check("psu_attempts_failures", sql`${row.failures} >= 0 and ${row.secondFailures} >= 0`),
  ],
);
