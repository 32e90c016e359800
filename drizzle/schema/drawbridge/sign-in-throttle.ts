import { index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import type { ThrottleKey } from "../../../lib/domain/sca/sign-in-throttle";
import { instant } from "../columns";

/** Wrong passwords of one network, and of one network for one user ID, under a keyed fingerprint. */
export const signInThrottle = pgTable(
  "sign_in_throttle",
  {
    key: text("key").$type<ThrottleKey>().primaryKey(),
    failures: smallint("failures").notNull(),
    since: instant("since").notNull(),
    lastAt: instant("last_at").notNull(),
  },
  (row) => [index("sign_in_throttle_age").on(row.lastAt)],
);
