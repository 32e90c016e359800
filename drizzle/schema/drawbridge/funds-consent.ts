import { sql } from "drizzle-orm";
import { char, check, date, index, pgTable, text, uuid, varchar } from "drizzle-orm/pg-core";
import {
  type FundsConsentStatus,
  fundsConsentTransitions,
} from "../../../lib/domain/funds-confirmation/funds-consent-status";
import type { Iban } from "../../../lib/domain/iban";
import type {
  AccountId,
  AuthorisationId,
  ConsentId,
  PsuId,
  TppId,
} from "../../../lib/domain/identifiers";
import type { IsoDate } from "../../../lib/domain/iso-date";
import type { Currency } from "../../../lib/domain/money";
import { coreBankId, instant, oneOf } from "../columns";
import { tpp } from "./tpp";

/** A card's issuer may ask whether one account has enough funds (PSD2 art. 65). */
export const fundsConsent = pgTable(
  "funds_consent",
  {
    id: uuid("id").$type<ConsentId>().primaryKey(),
    tppId: text("tpp_id")
      .$type<TppId>()
      .notNull()
      .references(() => tpp.id),
    authorisationId: uuid("authorisation_id")
      .$type<AuthorisationId>()
      .notNull()
      .unique("funds_consent_of_authorisation"),
    status: text("status").$type<FundsConsentStatus>().notNull(),
    iban: varchar("iban", { length: 34 }).$type<Iban>().notNull(),
    currency: char("currency", { length: 3 }).$type<Currency>(),
    cardNumber: varchar("card_number", { length: 35 }),
    cardExpiryDate: date("card_expiry_date", { mode: "string" }).$type<IsoDate>(),
    cardInformation: varchar("card_information", { length: 140 }),
    registrationInformation: varchar("registration_information", { length: 140 }),
    createdAt: instant("created_at").notNull(),
    psuId: text("psu_id").$type<PsuId>(),
    accountId: coreBankId("account_id").$type<AccountId>(),
    authorisedAt: instant("authorised_at"),
    endedAt: instant("ended_at"),
  },
  (row) => [
    index("funds_consent_of_tpp").on(row.tppId, row.createdAt),
    index("funds_consent_of_psu").on(row.psuId),
    index("funds_consent_last_day").on(row.cardExpiryDate).where(sql`${row.status} = 'valid'`),
    check("funds_consent_status", oneOf(row.status, Object.keys(fundsConsentTransitions))),
    check(
      "funds_consent_valid_by_psu",
      sql`${row.status} <> 'valid' or (${row.psuId} is not null and ${row.accountId} is not null and ${row.authorisedAt} is not null)`,
    ),
  ],
);
