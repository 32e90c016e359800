import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { type FundsConsentStatus, fundsConsentTransitions } from "../../../lib/domain/funds";
import type { AccountId, AuthorisationId, ConsentId, TppId } from "../../../lib/domain/values";
import { coreBankId, currency, day, iban, instant, minorUnits, oneOf, psuId } from "../columns";
import { ofTpp } from "./tpps";

/** A card's issuer may ask whether one account has enough funds (PSD2 art. 65). */
export const fundsConsent = pgTable(
  "funds_consent",
  (t) => ({
    id: t.uuid("id").$type<ConsentId>().primaryKey(),
    tppId: ofTpp(),
    authorisationId: t
      .uuid("authorisation_id")
      .$type<AuthorisationId>()
      .notNull()
      .unique("funds_consent_of_authorisation"),
    status: t.text("status").$type<FundsConsentStatus>().notNull(),
    iban: iban("iban").notNull(),
    currency: currency("currency"),
    cardNumber: t.varchar("card_number", { length: 35 }),
    cardExpiryDate: day("card_expiry_date"),
    cardInformation: t.varchar("card_information", { length: 140 }),
    registrationInformation: t.varchar("registration_information", { length: 140 }),
    createdAt: instant("created_at").notNull(),
    psuId: psuId(),
    accountId: coreBankId("account_id").$type<AccountId>(),
    authorisedAt: instant("authorised_at"),
    firstUsedAt: instant("first_used_at"),
    endedAt: instant("ended_at"),
  }),
  (row) => [
    index("funds_consent_of_tpp").on(row.tppId, row.createdAt),
    index("funds_consent_valid").on(row.tppId, row.psuId).where(sql`${row.status} = 'valid'`),
    index("funds_consent_of_psu").on(row.psuId),
    index("funds_consent_iban").using("hash", row.iban),
    index("funds_consent_last_day").on(row.cardExpiryDate).where(sql`${row.status} = 'valid'`),
    check("funds_consent_status", oneOf(row.status, Object.keys(fundsConsentTransitions))),
    check(
      "funds_consent_valid_by_psu",
      sql`${row.status} <> 'valid' or (${row.psuId} is not null and ${row.accountId} is not null and ${row.authorisedAt} is not null)`,
    ),
  ],
);

/** How many funds checks a consent has left: it gets them back as time goes by. */
export const fundsCheckBudget = pgTable("funds_check_budget", (t) => ({
  consentId: t
    .uuid("consent_id")
    .$type<ConsentId>()
    .primaryKey()
    .references(() => fundsConsent.id),
  /** Left at that instant; fractions are time that has gone by towards the next. */
  checksLeft: t.doublePrecision("checks_left").notNull(),
  at: instant("at").notNull(),
}));

/**
 * What a TPP has learnt of an account by its funds checks, over all of its consents, in minor units of the account's
 * currency. The amounts are those of 24 hours; the sweep removes them. No foreign key: accounts are the core bank's.
 */
export const fundsSearch = pgTable(
  "funds_search",
  (t) => ({
    accountId: coreBankId("account_id").$type<AccountId>().notNull(),
    tppId: t.text("tpp_id").$type<TppId>().notNull(),
    /** Different amounts, and when each was first asked. */
    askedMinor: minorUnits("asked_minor").array().notNull(),
    askedAt: instant("asked_at").array().notNull(),
    currency: currency("currency"),
    /** The highest amount that was available, and the lowest that was not. */
    floorMinor: minorUnits("floor_minor"),
    ceilingMinor: minorUnits("ceiling_minor"),
    /** Answered though they were close to one of the two. */
    closeAmounts: t.integer("close_amounts").notNull(),
    /** Since when the two and the count hold. */
    since: instant("since").notNull(),
    /** When a search was last written into the audit log. */
    refusedAt: instant("refused_at"),
    /** When the sweep has something to remove. */
    forgetAt: instant("forget_at").notNull(),
  }),
  (row) => [
    primaryKey({ columns: [row.accountId, row.tppId] }),
    index("funds_search_forget_at").on(row.forgetAt),
    check("funds_search_asked", sql`cardinality(${row.askedMinor}) = cardinality(${row.askedAt})`),
    check("funds_search_bounds", sql`${row.floorMinor} < ${row.ceilingMinor}`),
  ],
);
