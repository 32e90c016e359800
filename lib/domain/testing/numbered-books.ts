import type { TransactionPage } from "../account-access/account-source";
import type { Access } from "../account-access/granted-account";
import { readTransactions } from "../account-access/read-transactions";
import type { TransactionsAsked } from "../account-access/transactions-page";
import type { BooksState } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { access, opened } from "./access";
import { entry } from "./samples";

const state = (text: string) => text as BooksState;

/** What every page looks like as it goes out. */
export const bytes = Uint8Array.of(1, 2, 3);

/** A bank whose books tell their state: that of the account as it is found, and that of the entries as they are read. */
export async function numberedBooks() {
  const house = await opened();
  const { bank, ports, consent, resourceId } = house;
  const books = { found: state("7"), read: state("7"), times: 0 };
  for (const [psu, accounts] of bank.accountsOf) {
    bank.accountsOf.set(
      psu,
      accounts.map((account) => {
        return Object.defineProperty({ ...account }, "booksState", {
          enumerable: true,
          get: () => books.found,
        });
      }),
    );
  }
  bank.transactions.push(entry("a", "2026-11-19"));
  const accountSource: typeof ports.accountSource = {
    ...ports.accountSource,
    transactions: async (query): Promise<TransactionPage> => {
      books.times += 1;
      return { ...(await ports.accountSource.transactions(query)), booksState: books.read };
    },
  };
  const asked = { resourceId, bookingStatus: "booked", dateFrom: "2026-11-01" as IsoDate } as const;
  const counting = { ...ports, accountSource };
  const read = async (given: Partial<TransactionsAsked> = {}, by: Access = access(consent)) =>
    (await readTransactions(counting, by, { ...asked, ...given })).content;
  /** Reads a page, which then goes out. */
  const send = async (given: Partial<TransactionsAsked> = {}, by: Access = access(consent)) => {
    const page = await read(given, by);
    if ("sentBefore" in page) return page;
    page.keep?.(bytes);
    return page;
  };
  return { ...house, ports: counting, books, read, send };
}
