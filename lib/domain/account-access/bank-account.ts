import type { Iban } from "../iban";
import type { AccountId, TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Currency, Money } from "../money";

export type AccountOwner = {
  readonly name: string;
  readonly role: "owner" | "legalRepresentative" | "authorisedUser";
};

/** A payment account, or one sub-account of a multi-currency IBAN. Savings and loans are none. */
export type BankAccount = {
  readonly id: AccountId;
  readonly iban: Iban;
  readonly currency: Currency;
  readonly bic: string;
  readonly name: string;
  readonly product: string;
  readonly usage: "PRIV" | "ORGA";
  readonly status: "enabled" | "blocked" | "deleted";
  /** Meant by an account reference without currency where only one can be meant. */
  readonly isDefault: boolean;
  readonly owners: readonly AccountOwner[];
};

/** The three balance types of this bank; amounts in the account's currency. */
export type Balance =
  | { readonly type: "closingBooked"; readonly amount: Money; readonly referenceDate: IsoDate }
  | { readonly type: "expected"; readonly amount: Money; readonly lastChangeAt?: Date }
  | { readonly type: "forwardAvailable"; readonly amount: Money; readonly referenceDate: IsoDate };

/** The other side of an entry. */
export type Counterparty = {
  readonly name?: string | undefined;
  readonly iban?: Iban | undefined;
  readonly bic?: string | undefined;
};

/**
 * Negative amounts leave the account. A pending entry has no booking date. Members may be there without a
 * value: a page has a hundred entries, and to make them all of one shape takes a tenth of the time.
 */
export type Transaction = {
  readonly id: TransactionId;
  readonly status: "booked" | "pending";
  readonly amount: Money;
  /** Local day: the booking date, or for a pending entry the day it was entered. */
  readonly day: IsoDate;
  readonly valueDate?: IsoDate | undefined;
  readonly counterparty: Counterparty;
  readonly remittance?: string | undefined;
  readonly endToEndId?: string | undefined;
  readonly entryReference?: string | undefined;
  /** ISO 20022 domain-family-subfamily, e.g. `PMNT-ICDT-ESCT`. */
  readonly bankTransactionCode: string;
};

export type StandingOrder = {
  readonly id: TransactionId;
  readonly amount: Money;
  readonly counterparty: Counterparty;
  readonly remittance?: string | undefined;
  readonly startDate: IsoDate;
  readonly endDate?: IsoDate;
  readonly frequency: "Weekly" | "Monthly" | "Quarterly" | "Annual";
  /** `1` to `31`, no leading zero. */
  readonly dayOfExecution?: string;
};
