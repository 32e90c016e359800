import type { AccountId } from "../identifiers";
import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import { admitAccess, continueAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { Transaction } from "./bank-account";
import {
  type Access,
  checkRight,
  checkUnblocked,
  findGrantedAccount,
  type OpenAccount,
  openAccount,
} from "./granted-account";
import { checkHistory } from "./history";
import { shown, type TransactionsAsked, type TransactionsPage } from "./transactions-page";

type AccessPorts = Pick<Ports, "coreBank" | "accessBudget" | "profile">;

/** One page of an account's report, newest first. Following pages are the same access: they do not count. */
export async function readTransactions(
  ports: AccessPorts,
  access: Access,
  asked: TransactionsAsked,
): Promise<Served<TransactionsPage>> {
  const granted = findGrantedAccount(access, asked.resourceId);
  checkRight(granted, "transactions");
  if (asked.reportOf !== undefined && asked.reportOf !== asked.resourceId) {
    throw reject("FORMAT_ERROR", "the cursor belongs to another account", { path: "cursor" });
  }
  const { dateFrom, after } = asked;
  if (shown[asked.bookingStatus].statuses !== undefined && dateFrom !== undefined) {
    checkHistory(ports.profile, access.consent, dateFrom, access.now, "dateFrom");
  }
  const { accountId } = granted;
  const page = openAccount(granted, await readPage(ports, { now: access.now, accountId, asked }));
  checkUnblocked(page);
  const admit = after === undefined ? admitAccess : continueAccess;
  const resource = `transactions:${asked.resourceId}`;
  const allowance = await admit(ports, access, { resource, what: "transactions", accountId });
  return { content: { ...page, asked }, allowance };
}

type AskedOfAccount = {
  readonly now: Date;
  readonly accountId: AccountId;
  readonly asked: TransactionsAsked;
};

/** Entries and standing orders are two calls to the core bank, where both are asked for. */
async function readPage(
  { coreBank, profile }: AccessPorts,
  { now, accountId, asked }: AskedOfAccount,
): Promise<Omit<TransactionsPage, "granted" | "asked"> | undefined> {
  const { statuses, standingOrders } = shown[asked.bookingStatus];
  const { dateFrom: from, dateTo, after } = asked;
  const today = dayIn(profile.timeZone, now);
  const to = dateTo === undefined || dateTo > today ? today : dateTo;
  const limit = profile.transactionsPerPage;
  const [report, orders] = await Promise.all([
    statuses === undefined || from === undefined
      ? undefined
      : coreBank.transactions({
          ...{ accountId, statuses, from, to, limit },
          ...(after !== undefined && { after }),
        }),
    standingOrders && after === undefined ? coreBank.standingOrders(accountId) : undefined,
  ]);
  const known = report ?? orders;
  if (known === undefined) return undefined;
  // One whose last day has passed will not be executed any more.
  const active = orders?.standingOrders.filter(({ endDate }) => !endDate || endDate >= today);
  return { entries: [], ...report, account: known.account, standingOrders: active ?? [] };
}

export type TransactionView = OpenAccount & { readonly transaction: Transaction };

export const TRANSACTION_UNKNOWN = "this transaction is not known";

/** One entry of the account; the ninety days hold here too. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readTransaction(
  ports: AccessPorts,
  access: Access,
  asked: { readonly resourceId: string; readonly transactionId: Transaction["id"] },
): Promise<Served<TransactionView>> {
  const granted = findGrantedAccount(access, asked.resourceId);
  checkRight(granted, "transactions");
  const { accountId } = granted;
  const entry = await ports.coreBank.transaction(accountId, asked.transactionId);
  const open = openAccount(granted, entry);
  checkUnblocked(open);
  const { transaction } = open;
  if (transaction === undefined) throw reject("RESOURCE_UNKNOWN", TRANSACTION_UNKNOWN);
  checkHistory(ports.profile, access.consent, transaction.day, access.now);
  const allowance = await admitAccess(ports, access, {
    resource: `transaction:${asked.resourceId}:${transaction.id}`,
    what: "transaction",
    accountId,
  });
  return { content: { ...open, transaction }, allowance };
}
