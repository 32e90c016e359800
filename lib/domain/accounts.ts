import type {
  AccountId,
  Currency,
  Iban,
  IsoDate,
  Money,
  ResourceId,
  TransactionId,
} from "./values";

/** An account the PSU shared: what the TPP may read of it, and under which name. */
export type GrantedAccount = {
  readonly resourceId: ResourceId;
  readonly accountId: AccountId;
  readonly iban: Iban;
  readonly currency: Currency;
  readonly rights: AccessRights;
};

/** What leaves the debtor's account, in that account's currency. */
export type Debit = {
  readonly accountId: AccountId;
  readonly amount: Money;
  readonly fee: Money;
};

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
  /** The customer's own name of it. */
  readonly displayName?: string | undefined;
  readonly product: string;
  readonly linkedAccounts?: string | undefined;
  /** Of the card account behind it. */
  readonly maskedPan?: string | undefined;
  readonly usage: "PRIV" | "ORGA";
  readonly status: "enabled" | "blocked" | "deleted";
  /** Meant by an account reference without currency where only one can be meant. */
  readonly isDefault: boolean;
  readonly owners: readonly AccountOwner[];
};

/** The three balance types of this bank; amounts in the account's currency. */
export type Balance =
  | { readonly type: "closingBooked"; readonly amount: Money; readonly referenceDate: IsoDate }
  | { readonly type: "expected"; readonly amount: Money; readonly lastChangeAt?: Date | undefined }
  | { readonly type: "forwardAvailable"; readonly amount: Money; readonly referenceDate: IsoDate };

/** The other side of an entry. */
export type Counterparty = {
  readonly name?: string | undefined;
  readonly iban?: Iban | undefined;
  readonly bic?: string | undefined;
  readonly ultimateName?: string | undefined;
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
  readonly details?: TransactionDetails | undefined;
};

/** What few entries have; NextGenPSD2 1.3.12, Transactions. */
export type TransactionDetails = PartyDetails & {
  /** The ultimate party on the account holder's side. */
  readonly ultimateName?: string | undefined;
  readonly additionalInformation?: string | undefined;
  readonly proprietaryBankTransactionCode?: string | undefined;
  readonly currencyExchange?: readonly CurrencyExchange[] | undefined;
  readonly balanceAfter?: Balance | undefined;
  readonly batch?: Batch | undefined;
};

/** Of an entry and of a member of a batch. */
type PartyDetails = {
  readonly mandateId?: string | undefined;
  readonly checkId?: string | undefined;
  readonly creditorId?: string | undefined;
  readonly remittanceLines?: readonly string[] | undefined;
  readonly structuredRemittance?: readonly StructuredRemittance[] | undefined;
  readonly purposeCode?: string | undefined;
};

type StructuredRemittance = {
  readonly reference: string;
  readonly referenceType?: string | undefined;
  readonly referenceIssuer?: string | undefined;
};

/** Units of `target` for one of `source`, as a decimal number. */
type CurrencyExchange = {
  readonly sourceCurrency: Currency;
  readonly targetCurrency: Currency;
  readonly unitCurrency: Currency;
  readonly rate: string;
  readonly quotationDate: IsoDate;
  readonly contractId?: string | undefined;
};

type Batch = {
  readonly count: number;
  /** As many of them as the core bank tells. */
  readonly members?: readonly BatchMember[] | undefined;
};

export type BatchMember = PartyDetails &
  Pick<Transaction, "amount" | "counterparty" | "endToEndId" | "remittance"> & {
    readonly ultimateName?: string | undefined;
  };

/** As the standard has them. */
export const standingOrderFrequencies = [
  "Daily",
  "Weekly",
  "EveryTwoWeeks",
  "Monthly",
  "EveryTwoMonths",
  "Quarterly",
  "SemiAnnual",
  "Annual",
  "MonthlyVariable",
] as const;

export type StandingOrder = {
  readonly id: TransactionId;
  /** Of one execution, and negative: it leaves the account. */
  readonly amount: Money;
  readonly counterparty: Counterparty;
  readonly remittance?: string | undefined;
  readonly startDate: IsoDate;
  readonly endDate?: IsoDate | undefined;
  readonly frequency: (typeof standingOrderFrequencies)[number];
  /** On which side of a day that is no business day it is executed. */
  readonly executionRule?: "following" | "preceding" | undefined;
  readonly withinAMonthFlag?: boolean | undefined;
  /** `1` to `12`; with `MonthlyVariable`, and only then. */
  readonly monthsOfExecution?: readonly string[] | undefined;
  /** Of the frequency: `Weekly` with 3 is every three weeks. */
  readonly multiplicator?: number | undefined;
  /** `1` to `31`, no leading zero. */
  readonly dayOfExecution?: string | undefined;
  readonly limitAmount?: Money | undefined;
  /** `PMNT-ICDT-STDO` where it is absent. */
  readonly bankTransactionCode?: string | undefined;
};

/** How a TPP names an account. Without a currency it means every sub-account of the IBAN. */
export type AccountReference = { readonly iban: Iban; readonly currency?: Currency | undefined };

/** What may be read of one account beyond that it is there. */
export type AccessRights = {
  readonly balances: boolean;
  readonly transactions: boolean;
  readonly ownerName: boolean;
};

/** An account the TPP named, with the rights it asked for this account. */
export type NamedAccount = { readonly reference: AccountReference; readonly rights: AccessRights };

/**
 * What was asked, whichever of the three models asked it. The PSU always chooses the accounts
 * (the effective flow is the bank offered one): a named account gets the rights asked for it, an
 * account the PSU adds gets `rights`, which is the union of all that was asked.
 */
export type AccessRequest = {
  readonly model: "dedicated" | "bankOffered" | "global";
  readonly rights: AccessRights;
  readonly named: readonly NamedAccount[];
};

/**
 * The one account that a reference means where only one can be meant: the sub-account of the
 * currency it names; without one that of the preferred currency, else the default sub-account.
 */
export function accountMeant(
  { iban, currency }: AccountReference,
  accounts: readonly BankAccount[],
  preferred?: Currency,
): BankAccount | undefined {
  const subAccounts = accounts.filter((account) => account.iban === iban);
  const having = (wanted: Currency | undefined) =>
    subAccounts.find((account) => account.currency === wanted);
  if (currency !== undefined) return having(currency);
  return having(preferred) ?? subAccounts.find(({ isDefault }) => isDefault);
}
