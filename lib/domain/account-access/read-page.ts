import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import type { TransactionPage } from "./account-source";
import type { StandingOrder } from "./bank-account";
import type { OpenAccount } from "./granted-account";
import type { PageBytes, PageSentBefore } from "./kept-pages";
import { type AskedOfAccount, pageName } from "./page-name";
import { shown, type TransactionsPage } from "./transactions-page";

type PagePorts = Pick<Ports, "accountSource" | "keptPages" | "profile">;

/**
 * What the request's own look at the account says of its books decides whether a page can go out again, so that
 * nobody sees older entries than there were when the request came.
 */
export async function readPage(
  ports: PagePorts,
  of: AskedOfAccount,
): Promise<TransactionsPage | PageSentBefore> {
  const { accountSource, keptPages, profile } = ports;
  const { access, open, asked } = of;
  const { statuses, standingOrders } = shown[asked.bookingStatus];
  const { dateFrom, dateTo, after } = asked;
  const today = dayIn(profile.timeZone, access.now);
  const to = dateTo === undefined || dateTo > today ? today : dateTo;
  const { id: accountId, booksState } = open.account;
  const name = pageName(of, to);
  const found =
    name === undefined || booksState === undefined
      ? undefined
      : keptPages.find(name, booksState, access.now);
  if (found !== undefined && "sentBefore" in found) return found;
  const limit = profile.transactionsPerPage;
  const [page, orders]: [TransactionPage, readonly StandingOrder[]] = await Promise.all([
    statuses.length === 0 || dateFrom === undefined
      ? { entries: [] }
      : accountSource.transactions({
          ...{ accountId, statuses, from: dateFrom, to, limit },
          ...(after === undefined ? {} : { after }),
        }),
    standingOrders && after === undefined ? activeStandingOrders(ports, open, today) : [],
  ]);
  const content = { ...open, ...page, asked, standingOrders: orders };
  // The statement that read the entries says which books they are of: others than those found before, maybe.
  const { booksState: state } = page;
  if (found === undefined || state === undefined) return content;
  return { ...content, keep: (bytes: PageBytes) => found.keep(state, bytes) };
}

/** Those that will still be executed: one whose last day has passed is no longer an order. */
async function activeStandingOrders(
  { accountSource }: PagePorts,
  { account }: OpenAccount,
  today: IsoDate,
): Promise<readonly StandingOrder[]> {
  const orders = await accountSource.standingOrders(account.id);
  return orders.filter(({ endDate }) => endDate === undefined || endDate >= today);
}
