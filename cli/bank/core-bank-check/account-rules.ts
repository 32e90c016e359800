import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Currency, fractionDigitsOf } from "@/lib/domain/values";
import {
  type Account,
  Broken,
  type Kit,
  type KitSettings,
  type Money,
  NotChecked,
  OUT_OF_REACH,
  PAGE,
  PAGE_MAX,
  PAGE_OF_MANY,
} from "./kit";

export async function listsAccounts({ listed }: Kit): Promise<string> {
  const all = await listed();
  const empty = all.find(({ accounts }) => accounts.length === 0);
  if (empty) throw new Broken(`accounts of ${empty.customerId}`, "none");
  return all.map(({ customerId, accounts }) => `${customerId}: ${accounts.length}`).join(", ");
}

/** As it is listed for one of its owners, but for what is told to one customer alone. */
export async function checkAccount(kit: Kit, id: string, came: Account): Promise<void> {
  const plain = ({ mayPay: _, ...account }: Account) => account;
  const listed = (await kit.listed()).flatMap(({ accounts }) => accounts.map(plain));
  const wanted = listed.filter((one) => one.id === id);
  if (wanted.some((one) => isDeepStrictEqual(one, plain(came)))) return;
  throw new Broken(`the account ${JSON.stringify(wanted[0] ?? id)}`, JSON.stringify(came));
}

/** Of all customers; one that they own together comes once. */
async function accountsOnce(kit: Kit): Promise<readonly Account[]> {
  const all = (await kit.listed()).flatMap(({ accounts }) => accounts);
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

export async function separatesCustomers({ listed }: Kit): Promise<string> {
  const [one, ...others] = await listed();
  if (one === undefined || others.length === 0) throw new NotChecked("--customer was given once");
  for (const { customerId, accounts } of others) {
    for (const shared of accounts) {
      const isShared = one.accounts.some(({ id }) => id === shared.id);
      if (isShared && shared.owners.length < 2) {
        throw new Broken(
          `an account of one owner with one customer`,
          `${shared.id} of ${customerId} too`,
        );
      }
    }
  }
  return "no account of one owner is listed twice";
}

type Payer = { readonly customerId: string; readonly account: Account };

/** To pay from: of those whose entries were counted the one that has the most. */
export async function anyAccount({ listed, entryCounts }: Kit): Promise<Payer> {
  const payers = (await listed()).flatMap(({ customerId, accounts }) =>
    accounts
      .filter(({ status, mayPay }) => status === "enabled" && mayPay !== false)
      .map((account) => ({ customerId, account })),
  );
  const countOf = ({ account }: Payer) => entryCounts.get(account.id) ?? 0;
  const [payer] = payers.toSorted((one, other) => countOf(other) - countOf(one));
  if (payer === undefined) throw new NotChecked("no customer has an account to pay from");
  return payer;
}

/** The customer for whom an account is listed first; the first of all for one that nobody has. */
async function holderOf({ listed }: Kit, accountId: string): Promise<string> {
  const all = await listed();
  const holder = all.find(({ accounts }) => accounts.some(({ id }) => id === accountId)) ?? all[0];
  return holder?.customerId ?? "none";
}

/** For each customer what a lookup of everybody's accounts, and of an unknown one, has to find: the customer's own. */
async function lookups(kit: Kit) {
  const ids = (await accountsOnce(kit)).map(({ id }) => id).slice(0, 49);
  return (await kit.listed()).map(({ customerId, accounts }) => ({
    body: { customerId, ids: [...ids, `no ${randomUUID()}`] },
    wanted: accounts.map(({ id }) => id).filter((id) => ids.includes(id)),
  }));
}

export async function looksUpAccounts(kit: Kit): Promise<string> {
  const told: string[] = [];
  for (const { body, wanted } of await lookups(kit)) {
    const { accounts } = await kit.answerOf("lookupAccounts", { body });
    checkIds(
      accounts.map(({ id }) => id),
      wanted,
    );
    for (const account of accounts) await checkAccount(kit, account.id, account);
    told.push(`${body.customerId}: ${accounts.length} of ${body.ids.length}`);
  }
  return told.join(", ");
}

/** In any order. */
function checkIds(came: readonly string[], wanted: readonly string[]): void {
  if (isDeepStrictEqual(came.toSorted(), wanted.toSorted())) return;
  throw new Broken(wanted.join(", "), came.length === 0 ? "none" : came.join(", "));
}

export async function hasBalances(kit: Kit): Promise<string> {
  let count = 0;
  for (const { body, wanted } of await lookups(kit)) {
    const { accounts } = await kit.answerOf("lookupBalances", { body });
    checkIds(
      accounts.map(({ account }) => account.id),
      wanted,
    );
    for (const { account, balances } of accounts) {
      await checkAccount(kit, account.id, account);
      const types = balances
        .map(({ type }) => type)
        .toSorted()
        .join(", ");
      if (types !== "closingBooked, expected, forwardAvailable") {
        throw new Broken(`closingBooked, expected, forwardAvailable of ${account.id}`, types);
      }
      const other = balances.find(({ amount }) => amount.currency !== account.currency);
      if (other) throw new Broken(`${account.currency} of ${account.id}`, other.amount.currency);
    }
    count += accounts.length;
  }
  return `${count} accounts`;
}

export async function hasDecimals(kit: Kit): Promise<string> {
  const amounts: Money[] = [];
  for (const { body } of await lookups(kit)) {
    const { accounts } = await kit.answerOf("lookupBalances", { body });
    amounts.push(...accounts.flatMap(({ balances }) => balances.map(({ amount }) => amount)));
  }
  for (const { id } of await accountsOnce(kit)) {
    const { transactions } = await report(kit, id, PAGE);
    amounts.push(...transactions.map(({ amount }) => amount));
  }
  for (const { amount, currency } of amounts) {
    const digits = amount.split(".")[1]?.length ?? 0;
    const wanted = fractionDigitsOf(currency as Currency);
    if (digits !== wanted) throw new Broken(`${wanted} decimals of ${currency}`, amount);
  }
  return `${amounts.length} amounts in ${[...new Set(amounts.map(({ currency }) => currency))].join(", ")}`;
}

export const everything = { dateFrom: "2000-01-01", dateTo: "2099-12-31", status: "both" };
/** What of an account's entries is asked for; all of them unless it says so. */
type Part = Partial<typeof everything>;

export async function report(kit: Kit, accountId: string, limit: number, more: More = {}) {
  const answer = await kit.answerOf("listTransactions", {
    path: { accountId },
    query: {
      customerId: await holderOf(kit, accountId),
      ...{ ...everything, ...more, limit: String(limit) },
    },
  });
  await checkAccount(kit, accountId, answer.account);
  return answer;
}

type More = Part & { readonly cursor?: string };
type Entry = Awaited<ReturnType<typeof report>>["transactions"][number];

type Reading = { readonly part?: Part; readonly between?: () => Promise<unknown> };

/** Of an account; `between` is called after the first page. */
export async function wholeReport(
  kit: Kit,
  accountId: string,
  limit: number,
  { part, between }: Reading = {},
) {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= kit.entriesMax / limit; page += 1) {
    const got = await report(kit, accountId, limit, {
      ...part,
      ...(cursor !== undefined && { cursor }),
    });
    if (got.transactions.length > limit) {
      throw new Broken(`at most ${limit} entries a page`, String(got.transactions.length));
    }
    entries.push(...got.transactions);
    cursor = got.cursor;
    if (cursor === undefined) return entries;
    if (got.transactions.length === 0) throw new Broken("entries before a next page", "none");
    if (page === 1) await between?.();
  }
  throw new NotChecked(`the account has more than ${kit.entriesMax} entries`);
}

export function checkOnce(entries: readonly Entry[]): void {
  const ids = new Set(entries.map(({ id }) => id));
  if (ids.size !== entries.length) {
    throw new Broken("each entry once", `${entries.length - ids.size} of them twice`);
  }
  const unordered = entries.findIndex(({ day }, nth) => day > (entries[nth - 1]?.day ?? day));
  if (unordered >= 0)
    throw new Broken("newest first", `${entries[unordered]?.id} after an older one`);
}

/** In their order, each with its status. */
export function checkSame(came: readonly Entry[], wanted: readonly Entry[], which: string): void {
  const differs = ({ id, status }: Entry, nth: number) =>
    id !== came[nth]?.id || status !== came[nth]?.status;
  const nth = wanted.findIndex(differs);
  if (nth < 0 && came.length === wanted.length) return;
  const at = (entries: readonly Entry[]) => entries[nth < 0 ? wanted.length : nth]?.id ?? "none";
  throw new Broken(
    `${wanted.length} entries ${which}, among them ${at(wanted)}`,
    `${came.length} entries, and there ${at(came)}`,
  );
}

export async function pagesOnce(kit: Kit, { entries = 0 }: KitSettings): Promise<string> {
  for (const { id } of await accountsOnce(kit)) {
    const whole = await wholeReport(kit, id, PAGE_MAX);
    checkOnce(whole);
    kit.entryCounts.set(id, whole.length);
    const size = whole.length > PAGE_MAX ? PAGE_OF_MANY : PAGE;
    checkSame(await wholeReport(kit, id, size), whole, `of ${id} in pages of ${size}`);
  }
  const most = Math.max(...kit.entryCounts.values());
  if (most < entries) throw new Broken(`an account with ${entries} entries`, `${most} at most`);
  return [...kit.entryCounts].map(([id, count]) => `${id}: ${count}`).join(", ");
}

export async function reportsWhatIsAskedFor(kit: Kit): Promise<string> {
  const told: string[] = [];
  for (const { id: accountId } of await accountsOnce(kit)) {
    const whole = await wholeReport(kit, accountId, PAGE_MAX);
    const day = whole[Math.floor(whole.length / 2)]?.day;
    if (day === undefined) continue;
    const parts: readonly (readonly [Part, (entry: Entry) => boolean])[] = [
      [{ status: "booked" }, ({ status }) => status === "booked"],
      [{ status: "pending" }, ({ status }) => status === "pending"],
      [{ dateFrom: day, dateTo: day }, (entry) => entry.day === day],
    ];
    for (const [part, isPart] of parts) {
      const came = await wholeReport(kit, accountId, PAGE_MAX, { part });
      checkSame(came, whole.filter(isPart), `of ${accountId} with ${JSON.stringify(part)}`);
    }
    told.push(`${accountId}: ${whole.filter((one) => one.day === day).length} of ${day}`);
  }
  if (told.length === 0) throw new NotChecked("no account has an entry");
  return told.join(", ");
}

export async function findsEntry(kit: Kit): Promise<string> {
  for (const { customerId, accounts } of await kit.listed()) {
    for (const { id: accountId } of accounts) {
      const [entry] = (await report(kit, accountId, PAGE)).transactions;
      if (entry === undefined) continue;
      const { account, transaction } = await kit.answerOf("getTransaction", {
        path: { accountId, transactionId: entry.id },
        query: { customerId },
      });
      await checkAccount(kit, accountId, account);
      const same = (["id", "amount", "status", "day"] as const).every((name) =>
        isDeepStrictEqual(transaction[name], entry[name]),
      );
      if (!same) throw new Broken(JSON.stringify(entry), JSON.stringify(transaction));
      await kit.refusedAs("unknown-transaction", "getTransaction", {
        path: { accountId, transactionId: `no ${randomUUID()}` },
        query: { customerId },
      });
      return entry.id;
    }
  }
  throw new NotChecked("no account has an entry");
}

/** Ids may be an account's own: what the own account has under the same id is not the other's. */
export async function keepsEntriesApart(kit: Kit): Promise<string> {
  const [own, ...others] = await accountsOnce(kit);
  const asked: string[] = [];
  for (const other of others) {
    const [entry] = (await report(kit, other.id, PAGE)).transactions;
    if (own === undefined || entry === undefined) continue;
    const path = { accountId: own.id, transactionId: entry.id };
    const query = { customerId: await holderOf(kit, own.id) };
    const got = await kit.call("getTransaction", { path, query });
    const isOwn =
      "answer" in got &&
      (await wholeReport(kit, own.id, PAGE_MAX)).some(({ id }) => id === entry.id);
    const came = "answer" in got ? `the entry ${entry.id} of ${other.id}` : got.problem;
    if (!isOwn && came !== "unknown-transaction") throw new Broken("unknown-transaction", came);
    asked.push(other.id);
  }
  if (asked.length === 0) throw new NotChecked("needs two accounts, and an entry of the second");
  return `unknown-transaction for entries of ${asked.join(", ")}`;
}

export async function refusesCursor(kit: Kit): Promise<string> {
  const { customerId, account } = await anyAccount(kit);
  const query = { customerId, ...everything, limit: "10", cursor: "bm90LWEtY3Vyc29y" };
  await kit.refusedAs("expired-cursor", "listTransactions", {
    path: { accountId: account.id },
    query,
  });
  // From where it is answered so, the feed is read again from its beginning.
  return kit.refusedAs("expired-cursor", "listChanges", { query: { after: query.cursor } });
}

export async function refusesAccount(kit: Kit): Promise<string> {
  const { customerId } = await anyAccount(kit);
  return isUnknown(kit, customerId, `no ${randomUUID()}`);
}

/** Nor is one that the customer has lost: nothing of it is shown by a consent of an earlier time. */
export async function refusesOthersAccount(kit: Kit): Promise<string> {
  const { customerId, account } = await othersAccount(kit);
  return isUnknown(kit, customerId, account.id);
}

async function isUnknown(kit: Kit, customerId: string, accountId: string): Promise<string> {
  const [path, own] = [{ accountId }, { customerId }];
  const [entry] = (await kit.listed()).some(({ accounts }) =>
    accounts.some(({ id }) => id === accountId),
  )
    ? (await report(kit, accountId, PAGE)).transactions
    : [];
  const one = { ...path, transactionId: entry?.id ?? `no ${randomUUID()}` };
  await kit.refusedAs("unknown-account", "getTransaction", { path: one, query: own });
  await kit.refusedAs("unknown-account", "listStandingOrders", { path, query: own });
  const query = { ...own, ...everything, limit: "10" };
  return kit.refusedAs("unknown-account", "listTransactions", { path, query });
}

export async function listsStandingOrders(kit: Kit): Promise<string> {
  const counts: string[] = [];
  for (const { id: accountId } of await accountsOnce(kit)) {
    const [path, query] = [{ accountId }, { customerId: await holderOf(kit, accountId) }];
    const { account, standingOrders } = await kit.answerOf("listStandingOrders", { path, query });
    await checkAccount(kit, accountId, account);
    counts.push(`${accountId}: ${standingOrders.length}`);
  }
  return counts.join(", ");
}

export const least = (currency: string): Money => {
  const digits = fractionDigitsOf(currency as Currency);
  return { amount: digits === 0 ? "1" : `0.${"1".padStart(digits, "0")}`, currency };
};

export const most = (currency: string): Money => {
  const digits = fractionDigitsOf(currency as Currency);
  return {
    amount: digits === 0 ? OUT_OF_REACH : `${OUT_OF_REACH}.${"0".repeat(digits)}`,
    currency,
  };
};

export async function confirmsFunds(kit: Kit): Promise<string> {
  const { customerId, account } = await anyAccount(kit);
  const ask = async (amount: Money) =>
    (
      await kit.answerOf("checkFunds", {
        body: { accountId: account.id, customerId, amounts: [amount] },
      })
    ).compared[0]?.covered;
  const { accounts } = await kit.answerOf("lookupBalances", {
    body: { customerId, ids: [account.id] },
  });
  const expected = accounts[0]?.balances.find(({ type }) => type === "expected")?.amount.amount;
  if (await ask(most(account.currency))) throw new Broken(`no for ${OUT_OF_REACH}`, "yes");
  const isPositive = Number(expected) > 0;
  if (isPositive && !(await ask(least(account.currency)))) {
    throw new Broken(`yes for the smallest amount with a balance of ${expected}`, "no");
  }
  return `no for ${OUT_OF_REACH}${isPositive ? ", yes for the smallest amount" : ""}`;
}

/** With no, two and three decimals; the schema has looked at those of the answer. */
const CURRENCIES = ["JPY", "RON", "BHD"] as const;

export async function comparesFunds(kit: Kit): Promise<string> {
  let answered = 0;
  for (const { customerId, accounts } of await kit.listed()) {
    for (const { id: accountId, currency } of accounts) {
      const amounts = CURRENCIES.map(least);
      const body = { accountId, customerId, amounts };
      const { compared } = await kit.answerOf("checkFunds", { body });
      if (compared.length !== amounts.length)
        throw new Broken(`${amounts.length} answers`, String(compared.length));
      for (const [nth, one] of compared.entries()) {
        const asked = amounts[nth];
        const isFit =
          asked?.currency === currency
            ? isDeepStrictEqual(one?.amount, asked)
            : one === null || one.amount.currency === currency;
        if (!isFit)
          throw new Broken(`${JSON.stringify(asked)} in ${currency}`, JSON.stringify(one));
        if (one !== null) answered += 1;
      }
    }
  }
  return `${answered} amounts in ${CURRENCIES.join(", ")}`;
}

/** An account of the second customer that the first does not own. */
export async function othersAccount({ listed }: Kit) {
  const [one, ...others] = await listed();
  const own = new Set(one?.accounts.map(({ id }) => id));
  const account = others.flatMap(({ accounts }) => accounts).find(({ id }) => !own.has(id));
  if (one === undefined || account === undefined) throw new NotChecked("needs two customers");
  return { customerId: one.customerId, account };
}

export async function refusesOthersFunds(kit: Kit): Promise<string> {
  const { customerId, account } = await othersAccount(kit);
  const body = { accountId: account.id, customerId, amounts: [least(account.currency)] };
  return kit.refusedAs("unknown-account", "checkFunds", { body });
}

export async function tellsLimits(kit: Kit): Promise<string> {
  const { customerId } = await anyAccount(kit);
  const { day, usedToday } = await kit.answerOf("getLimits", { path: { customerId } });
  return `${usedToday.amount} of ${day.amount} ${day.currency}`;
}

export async function refusesMalformed(kit: Kit): Promise<string> {
  const { customerId } = await anyAccount(kit);
  const got = await kit.call("lookupAccounts", { body: { customerId, ids: "all of them" } });
  if ("problem" in got && got.problem === "malformed-request") return got.problem;
  throw new Broken("malformed-request", "problem" in got ? got.problem : "an answer");
}
