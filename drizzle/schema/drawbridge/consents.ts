import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AccessRequest } from "../../../lib/domain/accounts";
import { type ConsentStatus, consentTransitions } from "../../../lib/domain/consents";
import type {
  AccountId,
  AuthorisationId,
  ConsentId,
  Currency,
  Iban,
  ResourceId,
} from "../../../lib/domain/values";
import { day, instant, oneOf, psuId } from "../columns";
import { authorisation } from "./authorisations";
import { ofTpp } from "./tpps";

/** Account information consents. PSUs and accounts are the core bank's, so nothing refers to them here. */
export const accountConsent = pgTable(
  "account_consent",
  (t) => ({
    id: t.uuid("id").$type<ConsentId>().primaryKey(),
    tppId: ofTpp(),
    authorisationId: t
      .uuid("authorisation_id")
      .$type<AuthorisationId>()
      .notNull()
      .unique("account_consent_of_authorisation")
      .references(() => authorisation.id),
    status: t.text("status").$type<ConsentStatus>().notNull(),
    /** `json`, since `jsonb` would reorder the members that the TPP is to get back word for word. */
    requestedAccess: t.json("requested_access").$type<unknown>().notNull(),
    access: t.jsonb("access").$type<AccessRequest>().notNull(),
    recurringIndicator: t.boolean("recurring_indicator").notNull(),
    validUntil: day("valid_until").notNull(),
    frequencyPerDay: t.smallint("frequency_per_day").notNull(),
    createdAt: instant("created_at").notNull(),
    lastActionDate: day("last_action_date").notNull(),
    psuId: psuId(),
    authorisedAt: instant("authorised_at"),
    firstUsedAt: instant("first_used_at"),
    endedAt: instant("ended_at"),
    /** False where the bank lets a TPP have several recurring consents of a PSU. */
    sole: t.boolean("sole").notNull().default(true),
  }),
  (row) => [
    index("account_consent_of_tpp").on(row.tppId, row.psuId),
    /** Whom a TPP's block concerns. */
    index("account_consent_valid").on(row.tppId, row.psuId).where(sql`${row.status} = 'valid'`),
    /** For the sweep: consents that run out by their last day, or by the time since SCA. */
    index("account_consent_last_day").on(row.validUntil).where(sql`${row.status} = 'valid'`),
    index("account_consent_since_sca")
      .on(row.recurringIndicator, row.authorisedAt)
      .where(sql`${row.status} = 'valid'`),
    /** Decides between two recurring consents of one TPP and PSU that are authorised at once. */
    uniqueIndex("account_consent_one_recurring")
      .on(row.tppId, row.psuId)
      .where(sql`${row.recurringIndicator} and ${row.status} = 'valid' and ${row.sole}`),
    check("account_consent_status", oneOf(row.status, Object.keys(consentTransitions))),
    check(
      "account_consent_valid_by_psu",
      sql`${row.status} <> 'valid' or (${row.psuId} is not null and ${row.authorisedAt} is not null)`,
    ),
  ],
);

const ofConsent = () =>
  uuid("consent_id")
    .$type<ConsentId>()
    .notNull()
    .references(() => accountConsent.id, { onDelete: "cascade" });

/** The accounts a PSU shared by a consent; `position` keeps them in the order in which they were granted. */
export const accountGrant = pgTable(
  "account_grant",
  (t) => ({
    resourceId: t.uuid("resource_id").$type<ResourceId>().primaryKey(),
    consentId: ofConsent(),
    accountId: t.text("account_id").$type<AccountId>().notNull(),
    position: t.smallint("position").notNull(),
    iban: t.text("iban").$type<Iban>().notNull(),
    currency: t.text("currency").$type<Currency>().notNull(),
    balances: t.boolean("balances").notNull(),
    transactions: t.boolean("transactions").notNull(),
    ownerName: t.boolean("owner_name").notNull(),
  }),
  (row) => [
    unique("account_grant_once").on(row.consentId, row.accountId),
    index("account_grant_iban").using("hash", row.iban),
  ],
);

/** When a consent was used unattended, for each endpoint and account; RTS art. 36(5)(b). */
export const usageWindow = pgTable(
  "usage_window",
  (t) => ({
    consentId: ofConsent(),
    resource: t.text("resource").notNull(),
    hits: instant("hits").array().notNull(),
  }),
  (row) => [primaryKey({ columns: [row.consentId, row.resource] })],
);
