import { isUuid } from "../identifiers";
import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { TransactionPage } from "./account-source";
import { admitAccess, continueAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { StandingOrder, Transaction } from "./bank-account";
import { type Access, checkRight, findGrantedAccount, type OpenAccount } from "./granted-account";
import { checkHistory } from "./history";
import { shown, type TransactionsAsked, type TransactionsPage } from "./transactions-page";

type AccessPorts = Pick<Ports, "accountSource" | "accessBudget" | "profile">;

/** One page of an account's report, newest first. Following pages are the same access: they do not count. */
export async function readTransactions(
  ports: AccessPorts,
  access: Access,
  asked: TransactionsAsked,
): Promise<Served<TransactionsPage>> {
  const open = await findGrantedAccount(ports, access, asked.resourceId);
  checkRight(open, "transactions");
  if (asked.reportOf !== undefined && asked.reportOf !== asked.resourceId) {
    throw reject("FORMAT_ERROR", "the cursor belongs to another account", { path: "cursor" });
  }
  const { dateFrom, after } = asked;
  if (shown[asked.bookingStatus].statuses.length > 0 && dateFrom !== undefined) {
    checkHistory(ports.profile, access.consent, dateFrom, access.now, "dateFrom");
  }
  const admit = after === undefined ? admitAccess : continueAccess;
  const accountId = open.account.id;
  const resource = `transactions:${asked.resourceId}`;
  const [allowance, content] = await Promise.all([
    admit(ports, access, { resource, what: "transactions", accountId }),
    readPage(ports, { now: access.now, open, asked }),
  ]);
  return { content, allowance };
}

type AskedOfAccount = {
  readonly now: Date;
  readonly open: OpenAccount;
  readonly asked: TransactionsAsked;
};

async function readPage(
  { accountSource, profile }: AccessPorts,
  { now, open, asked }: AskedOfAccount,
): Promise<TransactionsPage> {
  const { statuses, standingOrders } = shown[asked.bookingStatus];
  const { dateFrom, dateTo, after } = asked;
  const { id: accountId } = open.account;
  const today = dayIn(profile.timeZone, now);
  const to = dateTo === undefined || dateTo > today ? today : dateTo;
  const limit = profile.transactionsPerPage;
  const [page, orders]: [TransactionPage, readonly StandingOrder[]] = await Promise.all([
    statuses.length === 0 || dateFrom === undefined
      ? { entries: [] }
      : accountSource.transactions({
          ...{ accountId, statuses, from: dateFrom, to, limit },
          ...(after === undefined ? {} : { after }),
        }),
    standingOrders && after === undefined ? activeStandingOrders(accountSource, open, today) : [],
  ]);
  return { ...open, ...page, asked, standingOrders: orders };
}

/** Those that will still be executed: one whose last day has passed is no longer an order. */
async function activeStandingOrders(
  accountSource: AccessPorts["accountSource"],
  { account }: OpenAccount,
  today: IsoDate,
): Promise<readonly StandingOrder[]> {
  const orders = await accountSource.standingOrders(account.id);
  return orders.filter(({ endDate }) => endDate === undefined || endDate >= today);
}

export type TransactionView = OpenAccount & { readonly transaction: Transaction };

export const TRANSACTION_UNKNOWN = "this transaction is not known";

/** One entry of the account; the ninety days hold here too. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readTransaction(
  ports: AccessPorts,
  access: Access,
  asked: { readonly resourceId: string; readonly transactionId: Transaction["id"] },
): Promise<Served<TransactionView>> {
  const open = await findGrantedAccount(ports, access, asked.resourceId);
  checkRight(open, "transactions");
  const transaction = isUuid(asked.transactionId)
    ? await ports.accountSource.transaction(open.account.id, asked.transactionId)
    : undefined;
  if (transaction === undefined) throw reject("RESOURCE_UNKNOWN", TRANSACTION_UNKNOWN);
  checkHistory(ports.profile, access.consent, transaction.day, access.now);
  const allowance = await admitAccess(ports, access, {
    resource: `transaction:${asked.resourceId}:${asked.transactionId}`,
    what: "transaction",
    accountId: open.account.id,
  });
  return { content: { ...open, transaction }, allowance };
}
