import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  json,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { AccessRequest } from "../../../lib/domain/accounts";
import { type ConsentStatus, consentTransitions } from "../../../lib/domain/consents";
import type {
  AccountId,
  AuthorisationId,
  ConsentId,
  Currency,
  Iban,
  IsoDate,
  PsuId,
  ResourceId,
  TppId,
} from "../../../lib/domain/values";
import { instant, oneOf } from "../columns";
import { authorisation } from "./authorisations";
import { tpp } from "./tpps";

/** Account information consents. PSUs and accounts are the core bank's, so nothing refers to them here. */
export const accountConsent = pgTable(
  "account_consent",
  {
    id: uuid("id").$type<ConsentId>().primaryKey(),
    tppId: text("tpp_id")
      .$type<TppId>()
      .notNull()
      .references(() => tpp.id),
    authorisationId: uuid("authorisation_id")
      .$type<AuthorisationId>()
      .notNull()
      .unique("account_consent_of_authorisation")
      .references(() => authorisation.id),
    status: text("status").$type<ConsentStatus>().notNull(),
    /** `json`, since `jsonb` would reorder the members that the TPP is to get back word for word. */
    requestedAccess: json("requested_access").$type<unknown>().notNull(),
    access: jsonb("access").$type<AccessRequest>().notNull(),
    recurringIndicator: boolean("recurring_indicator").notNull(),
    validUntil: date("valid_until", { mode: "string" }).$type<IsoDate>().notNull(),
    frequencyPerDay: smallint("frequency_per_day").notNull(),
    createdAt: instant("created_at").notNull(),
    lastActionDate: date("last_action_date", { mode: "string" }).$type<IsoDate>().notNull(),
    psuId: text("psu_id").$type<PsuId>(),
    authorisedAt: instant("authorised_at"),
    endedAt: instant("ended_at"),
  },
  (row) => [
    index("account_consent_of_tpp").on(row.tppId, row.psuId),
    /** For the sweep: consents that run out by their last day, or by the time since SCA. */
    index("account_consent_last_day").on(row.validUntil).where(sql`${row.status} = 'valid'`),
    index("account_consent_since_sca")
      .on(row.recurringIndicator, row.authorisedAt)
      .where(sql`${row.status} = 'valid'`),
    /** Decides between two recurring consents of one TPP and PSU that are authorised at once. */
    uniqueIndex("account_consent_one_recurring")
      .on(row.tppId, row.psuId)
      .where(sql`${row.recurringIndicator} and ${row.status} = 'valid'`),
    check("account_consent_status", oneOf(row.status, Object.keys(consentTransitions))),
    check(
      "account_consent_valid_by_psu",
      sql`${row.status} <> 'valid' or (${row.psuId} is not null and ${row.authorisedAt} is not null)`,
    ),
  ],
);

/** The accounts a PSU shared by a consent; `position` keeps them in the order in which they were granted. */
export const accountGrant = pgTable(
  "account_grant",
  {
    resourceId: uuid("resource_id").$type<ResourceId>().primaryKey(),
    consentId: uuid("consent_id")
      .$type<ConsentId>()
      .notNull()
      .references(() => accountConsent.id, { onDelete: "cascade" }),
    accountId: text("account_id").$type<AccountId>().notNull(),
    position: smallint("position").notNull(),
    iban: text("iban").$type<Iban>().notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    balances: boolean("balances").notNull(),
    transactions: boolean("transactions").notNull(),
    ownerName: boolean("owner_name").notNull(),
  },
  (row) => [unique("account_grant_once").on(row.consentId, row.accountId)],
);

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
