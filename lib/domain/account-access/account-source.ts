import type { AccountId, BooksState, PsuId, TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Balance, BankAccount, StandingOrder, Transaction } from "./bank-account";

/**
 * Where a following page begins: after the entry with this position, in the books as they were when
 * the report was begun. What has been entered or booked since then does not move anything in it.
 */
export type TransactionCursor = {
  readonly day: IsoDate;
  readonly id: TransactionId;
  readonly asOf: BooksState;
};

export type TransactionQuery = {
  readonly accountId: AccountId;
  readonly statuses: readonly Transaction["status"][];
  /** Both days inclusive. */
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly after?: TransactionCursor;
  readonly limit: number;
};

/** `next` is where the next page begins; absent on the last one. */
export type TransactionPage = {
  readonly entries: readonly Transaction[];
  readonly next?: TransactionCursor;
};

/** The core bank's view of accounts: payment accounts only, whatever else the PSU holds. */
export type AccountSource = {
  /** In the order in which the bank's own channel shows them. */
  readonly paymentAccountsOf: (psuId: PsuId) => Promise<readonly BankAccount[]>;
  /** In the order of the ids; an account that is gone is left out. */
  readonly accounts: (ids: readonly AccountId[]) => Promise<readonly BankAccount[]>;
  /** Per account, each of the three types once. */
  readonly balances: (
    ids: readonly AccountId[],
    now: Date,
  ) => Promise<ReadonlyMap<AccountId, readonly Balance[]>>;
  /**
   * Newest first: by day, then by id, both descending. All pages of a walk together hold every
   * entry that was there when it was begun once, as it was then.
   */
  readonly transactions: (query: TransactionQuery) => Promise<TransactionPage>;
  readonly transaction: (
    accountId: AccountId,
    id: TransactionId,
  ) => Promise<Transaction | undefined>;
  readonly standingOrders: (accountId: AccountId) => Promise<readonly StandingOrder[]>;
};
