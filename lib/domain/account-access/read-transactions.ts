import { isUuid } from "../identifiers";
import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { TransactionCursor, TransactionPage } from "./account-source";
import { admitAccess, continueAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { StandingOrder, Transaction } from "./bank-account";
import { type Access, checkRight, findGrantedAccount, type OpenAccount } from "./granted-account";
import { checkHistory } from "./history";

type AccessPorts = Pick<Ports, "accountSource" | "accessBudget" | "profile">;

export type BookingStatus = "booked" | "pending" | "both" | "information" | "all";

/** The entries each booking status asks for, and whether it asks for the standing orders. */
const shown = {
  booked: { statuses: ["booked"], standingOrders: false },
  pending: { statuses: ["pending"], standingOrders: false },
  both: { statuses: ["booked", "pending"], standingOrders: false },
  information: { statuses: [], standingOrders: true },
  all: { statuses: ["booked", "pending"], standingOrders: true },
} as const satisfies Record<BookingStatus, unknown>;

/** `dateFrom` is there unless the booking status is `information`, which has no dates. */
export type TransactionsAsked = {
  readonly resourceId: string;
  readonly bookingStatus: BookingStatus;
  readonly dateFrom?: IsoDate;
  readonly dateTo?: IsoDate;
  readonly after?: TransactionCursor;
  /** On a following page: the account whose report it continues. */
  readonly reportOf?: string;
};

export type TransactionsPage = OpenAccount &
  TransactionPage & {
    readonly asked: TransactionsAsked;
    readonly standingOrders: readonly StandingOrder[];
  };

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
  const { statuses, standingOrders } = shown[asked.bookingStatus];
  const { dateFrom, after } = asked;
  if (statuses.length > 0 && dateFrom !== undefined) {
    checkHistory(ports.profile, access.consent, dateFrom, access.now, "dateFrom");
  }
  const admit = after === undefined ? admitAccess : continueAccess;
  const accountId = open.account.id;
  const resource = `transactions:${asked.resourceId}`;
  const today = dayIn(ports.profile.timeZone, access.now);
  const [allowance, page, orders] = await Promise.all([
    admit(ports, access, { resource, what: "transactions", accountId }),
    statuses.length === 0 || dateFrom === undefined
      ? { entries: [] }
      : ports.accountSource.transactions({
          accountId,
          statuses,
          from: dateFrom,
          to: asked.dateTo === undefined || asked.dateTo > today ? today : asked.dateTo,
          ...(after === undefined ? {} : { after }),
          limit: ports.profile.transactionsPerPage,
        }),
    standingOrders && after === undefined ? activeStandingOrders(ports, open, today) : [],
  ]);
  return { content: { ...open, ...page, asked, standingOrders: orders }, allowance };
}

/** Those that will still be executed: one whose last day has passed is no longer an order. */
async function activeStandingOrders(
  { accountSource }: AccessPorts,
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
