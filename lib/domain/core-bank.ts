import type { Balance, BankAccount, Debit, StandingOrder, Transaction } from "./accounts";
import { Rejection, reject } from "./errors";
import type { Payment, PaymentOrder, PaymentRejection, TransactionStatus } from "./payment-order";
import type {
  AccountId,
  ChangePosition,
  Currency,
  IsoDate,
  Money,
  PaymentId,
  PsuId,
  ReportCursor,
  RequestId,
  TransactionId,
} from "./values";

/** Of any id that a core bank gives out: a customer's, an account's, a transaction's. */
export const CORE_BANK_ID_CHARACTERS_MAX = 70;

/** False for what no core bank has to be asked about; ids have no control characters. */
export function isCoreBankId(text: string): boolean {
  return text.length > 0 && text.length <= CORE_BANK_ID_CHARACTERS_MAX && !/\p{C}/u.test(text);
}

/**
 * The core banking system: accounts, owners, balances, entries, standing orders, and the execution of payments.
 * It may be another machine. Each method is one complete request; no transaction spans two of them or one of them and
 * a statement of Drawbridge's. Ids are its own opaque texts, and a text that it does not know is answered like
 * anything unknown, never with an error. It knows payment accounts only, whatever else the customer holds. Each read
 * that names a customer, and each quote, rejects with `CustomerBlocked` where the bank has blocked that customer.
 */
export type CoreBank = {
  /** The same for one request of a TPP, whose id goes with each call; absent where nobody could read it. */
  readonly forRequest?: (requestId: RequestId) => CoreBank;
  /**
   * The error to throw when an answer contradicts what is known here: an incident in the log, and no answer. Absent
   * where the core bank is no other system.
   */
  readonly malformed?: (asked: AccountRead, detail: string) => Error;
  /** The customer's payment accounts that are open, in the order in which the bank's own channel shows them. */
  readonly accountsOf: (customerId: PsuId) => Promise<readonly BankAccount[]>;
  /** In the order of the ids; an account that is gone, or is not (or no longer) this customer's, is left out. */
  readonly accounts: (asked: AccountsOfCustomer) => Promise<readonly BankAccount[]>;
  /** The same with each of the three types of balance once. */
  readonly balances: (
    asked: AccountsOfCustomer,
    now: Date,
  ) => Promise<readonly AccountWithBalances[]>;
  /**
   * Newest first by day. All pages of a report together hold every entry that was there when it was begun once, as it
   * was then. Undefined when the account is gone, or is not the customer's; rejects with `expiredCursor` when the page cannot be read any more.
   */
  readonly transactions: (query: TransactionQuery) => Promise<AccountReport | undefined>;
  /** Undefined when the account is gone, or is not the customer's. */
  readonly transaction: (
    account: AccountOfCustomer,
    id: TransactionId,
  ) => Promise<AccountEntry | undefined>;
  /** By day of execution, those without one last. Undefined when the account is gone, or is not the customer's. */
  readonly standingOrders: (account: AccountOfCustomer) => Promise<AccountOrders | undefined>;
  /** Undefined when the account is gone, or is not (or no longer) this customer's. */
  readonly checkFunds: (question: FundsToCheck) => Promise<FundsAnswer | undefined>;

  /**
   * What the payment would take and whether the bank would take it on now; changes nothing. Undefined when the
   * debtor account is none of the customer's open payment accounts.
   */
  readonly quotePayment: (question: QuoteQuestion) => Promise<PaymentQuote | undefined>;
  /**
   * Hands an authorised payment over, once for each payment id: the same submission again changes nothing and is
   * answered with how far the payment has come. Another one under the same id is a `conflict`.
   */
  readonly submitPayment: (submission: PaymentSubmission) => Promise<PaymentProgress | "conflict">;
  /** How far it has come; undefined for one that was never submitted. */
  readonly payment: (id: PaymentId) => Promise<PaymentProgress | undefined>;
  /**
   * Payments that have changed since a position, in the order of their changes, with how far they have come by now. No
   * change is left out by one that takes long. From the beginning without a position.
   */
  readonly paymentChanges: (after?: ChangePosition) => Promise<PaymentChanges>;
  /** What the bank's own channels allow the customer; undefined for one that is unknown. */
  readonly limits: (customerId: PsuId, now: Date) => Promise<CustomerLimits | undefined>;
};

/** The bank has blocked the customer in all channels: no outage, and to a TPP as a blocked account. */
export class CustomerBlocked extends Rejection {
  constructor() {
    super(403, [{ code: "SERVICE_BLOCKED", text: "the bank has blocked this PSU" }]);
  }
}

/** Returns this value where the core bank refuses a blocked customer, and throws every other error again. */
export function whereBlocked<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof CustomerBlocked) return value;
    throw error;
  };
}

/** What of it is about payments. */
export type CorePayments = Pick<
  CoreBank,
  "quotePayment" | "submitPayment" | "payment" | "paymentChanges" | "limits"
>;

export type AccountsOfCustomer = {
  readonly customerId: PsuId;
  readonly ids: readonly AccountId[];
};

/** What a customer has granted is read for that customer, who may have lost the account since. */
export type AccountOfCustomer = {
  readonly customerId: PsuId;
  readonly accountId: AccountId;
};

/** What is read of an account that a consent opens. */
export type AccountRead =
  | "accounts"
  | "balances"
  | "transactions"
  | "transaction"
  | "standingOrders";

export type AccountWithBalances = {
  readonly account: BankAccount;
  readonly balances: readonly Balance[];
};

export type TransactionQuery = AccountOfCustomer & {
  readonly statuses: readonly [Transaction["status"], ...Transaction["status"][]];
  /** Both days inclusive. */
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly after?: ReportCursor;
  /** The last entry of the page before, where it is known. */
  readonly last?: EntryPosition;
  readonly limit: number;
};

/** By which a following page is held against the one before: each entry comes once, and days go back. */
export type EntryPosition = Pick<Transaction, "id" | "day">;

/** With the account as it is now, so that one call tells whether its entries may be shown. */
export type AccountReport = {
  readonly account: BankAccount;
  readonly entries: readonly Transaction[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: ReportCursor;
};

/** The rejection of a page that the core bank can no longer read, or that it has never offered. */
export function expiredCursor(): Rejection {
  return reject("FORMAT_ERROR", "the report can no longer be continued", { path: "cursor" });
}

type AccountEntry = {
  readonly account: BankAccount;
  /** Absent when it is not one of this account. */
  readonly transaction?: Transaction | undefined;
};

type AccountOrders = {
  readonly account: BankAccount;
  readonly standingOrders: readonly StandingOrder[];
};

type FundsToCheck = AccountOfCustomer & {
  /** Three at most, each compared by itself. */
  readonly amounts: readonly Money[];
};

/** Yes or no: how much there is stays with the core bank. */
export type FundsAnswer = {
  readonly currency: Currency;
  readonly status: BankAccount["status"];
  /** Each amount in the account's currency; undefined where the bank has no rate for it. */
  readonly compared: readonly (ComparedAmount | undefined)[];
};

export type ComparedAmount = { readonly amount: Money; readonly isCovered: boolean };

export type QuoteQuestion = {
  readonly customerId: PsuId;
  readonly order: PaymentOrder;
  readonly now: Date;
};

/** A quote binds nobody: the bank decides again when the payment is submitted. */
type PaymentQuote = {
  readonly account: BankAccount;
  /** Amount and fee in the account's currency. */
  readonly debit: Debit;
  /** In the tariff's currency. */
  readonly fee: Money;
  /** Where the account's currency is not the amount's. */
  readonly rate?: ExchangeRate | undefined;
  readonly fundsAvailable: boolean;
  /** The day on which it is executed, by the bank's calendar, if it is authorised now. */
  readonly executionDate?: IsoDate | undefined;
  /** What the customer allows for one payment in the bank's own channel; absent where nothing is set. */
  readonly ownLimit?: Money | undefined;
  /** Why the bank would not take it on; the first of several. */
  readonly refusal?: BankRefusal | undefined;
};

/** Of payments in the bank's own channels. */
export type CustomerLimits = {
  /** Absent where nothing is set. */
  readonly onePayment?: Money | undefined;
  readonly day: Money;
  readonly usedToday: Money;
};

/** Units of `to` for one unit of `from`. */
export type ExchangeRate = {
  readonly from: Currency;
  readonly to: Currency;
  /** A decimal number. */
  readonly rate: string;
  /** Who says so, in words that a customer reads. */
  readonly source: string;
};

export type PaymentSubmission = {
  readonly paymentId: PaymentId;
  readonly customerId: PsuId;
  readonly order: PaymentOrder;
  /** As the customer has authorised it. */
  readonly debit: Debit;
  readonly authorisedAt: Date;
  readonly now: Date;
};

/** How far a payment has come at the core bank, which moves forward only. */
export type PaymentProgress = {
  readonly status: TransactionStatus;
  /** Every status it has had there, oldest first, the present one last. */
  readonly history: readonly PaymentStep[];
  /** What the funds check at the submission found; absent when the payment was refused then. */
  readonly fundsAvailable?: boolean | undefined;
  /** When there may be more to tell; absent when the payment has come to its end. */
  readonly nextAt?: Date | undefined;
};

export type PaymentChanges = {
  readonly changes: readonly (PaymentProgress & { readonly paymentId: PaymentId })[];
  /** Changes of the page that are malformed, and so not among these. */
  readonly unusable?: number;
  /** Where the next page begins, also when there is nothing more by now. */
  readonly next: ChangePosition;
};

export type PaymentStep = {
  readonly status: TransactionStatus;
  readonly at: Date;
  /** Set with RJCT. */
  readonly reason?: PaymentRejection | undefined;
};

const refusals = ["account-blocked", "psu-limit", "day-limit"] as const;

/** A rule of the bank that refuses what the PSU has just authorised. */
export type BankRefusal = (typeof refusals)[number];

/**
 * Why the bank refused the payment at its authorisation. Undefined for one that was accepted, even if
 * its execution fails later.
 */
export function bankRefusal({
  status,
  reason,
}: Pick<Payment, "status" | "reason"> | PaymentStep): BankRefusal | undefined {
  return status === "RJCT" ? refusals.find((refusal) => refusal === reason) : undefined;
}
