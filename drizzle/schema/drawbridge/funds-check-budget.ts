import { doublePrecision, pgTable, uuid } from "drizzle-orm/pg-core";
import type { ConsentId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";
import { fundsConsent } from "./funds-consent";

/** How many funds checks a consent has left: it gets them back as time goes by. */
export const fundsCheckBudget = pgTable("funds_check_budget", {
  consentId: uuid("consent_id")
    .$type<ConsentId>()
    .primaryKey()
    .references(() => fundsConsent.id),
  /** Left at that instant; fractions are time that has gone by towards the next. */
  checksLeft: doublePrecision("checks_left").notNull(),
  at: instant("at").notNull(),
});
