import type { AccountReads, TransactionQuery } from "../core-bank";
import type { AccountId, BooksState } from "../identifiers";
import type { InMemoryBank } from "./in-memory-bank";

/** Every account has the same entries and standing orders. */
export function coreBankOf(bank: InMemoryBank): AccountReads {
  const all = () => [...bank.accountsOf.values()].flat();
  const accounts: AccountReads["accounts"] = async (ids) =>
    all().filter(({ id }) => ids.includes(id));
  const known = async <Content extends object>(id: AccountId, content: Content) => {
    const [account] = await accounts([id]);
    return account && { account, ...content };
  };
  return {
    accountsOf: async (customerId) => bank.accountsOf.get(customerId) ?? [],
    accounts,
    balances: async (ids, now) =>
      (await accounts(ids)).map((account) => {
        const amount = { currency: account.currency, minorUnits: 1_234n };
        return { account, balances: [{ type: "expected", amount, lastChangeAt: now }] };
      }),
    transactions: async (query) => known(query.accountId, pageOf(bank, query)),
    transaction: async (accountId, id) =>
      known(accountId, { transaction: bank.transactions.find((entry) => entry.id === id) }),
    standingOrders: async (accountId) => known(accountId, { standingOrders: bank.standingOrders }),
    availableFunds: async () => bank.availableFunds,
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
