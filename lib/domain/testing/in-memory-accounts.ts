import type { AccountSource, TransactionQuery } from "../account-access/account-source";
import type { BooksState } from "../identifiers";
import type { InMemoryBank } from "./in-memory-bank";

export function accountSourceOf(bank: InMemoryBank): AccountSource {
  const all = () => [...bank.accountsOf.values()].flat();
  return {
    paymentAccountsOf: async (psuId) => bank.accountsOf.get(psuId) ?? [],
    accounts: async (ids) => all().filter(({ id }) => ids.includes(id)),
    balances: async (ids, now) =>
      new Map(
        all()
          .filter(({ id }) => ids.includes(id))
          .map(({ id, currency }) => {
            const amount = { currency, minorUnits: 1_234n };
            return [id, [{ type: "expected", amount, lastChangeAt: now }]];
          }),
      ),
    transactions: async (query) => pageOf(bank, query),
    transaction: async (_account, id) => bank.transactions.find((entry) => entry.id === id),
    standingOrders: async () => bank.standingOrders,
  };
}

/** Nothing is booked here while somebody pages, so that the books have one state only. */
function pageOf(bank: InMemoryBank, { statuses, from, to, after, limit }: TransactionQuery) {
  const rest = bank.transactions
    .filter(({ status, day }) => statuses.includes(status) && day >= from && day <= to)
    .filter(({ day, id }) => after === undefined || `${day}${id}` < `${after.day}${after.id}`)
    .sort((one, other) => (`${one.day}${one.id}` < `${other.day}${other.id}` ? 1 : -1));
  const entries = rest.slice(0, limit);
  const last = rest.length > limit ? entries.at(-1) : undefined;
  const asOf = "the only one" as BooksState;
  return last === undefined ? { entries } : { entries, next: { day: last.day, id: last.id, asOf } };
}
