import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ConsentId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";
import { accountConsent } from "./account-consent";

/** When a consent was used unattended, for each endpoint and account; RTS art. 36(5)(b). */
export const usageWindow = pgTable(
  "usage_window",
  {
    consentId: uuid("consent_id")
      .$type<ConsentId>()
      .notNull()
      .references(() => accountConsent.id, { onDelete: "cascade" }),
    resource: text("resource").notNull(),
    hits: instant("hits").array().notNull(),
  },
  (row) => [primaryKey({ columns: [row.consentId, row.resource] })],
);
