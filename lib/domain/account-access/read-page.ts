import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import type { TransactionPage } from "./account-source";
import type { StandingOrder } from "./bank-account";
import type { Access, OpenAccount } from "./granted-account";
import type { PageBytes, PageName } from "./kept-pages";
import {
  type PageWrittenBefore,
  shown,
  type TransactionsAsked,
  type TransactionsPage,
} from "./transactions-page";

type PagePorts = Pick<Ports, "accountSource" | "keptPages" | "profile">;

/**
 * What the request's own look at the account says of its books decides whether a page can go out again, so that
 * nobody sees older entries than if it were read anew.
 */
export async function readPage(
  ports: PagePorts,
  { access, open, asked }: AskedOfAccount,
): Promise<TransactionsPage | PageWrittenBefore> {
  const { accountSource, keptPages, profile } = ports;
  const { statuses, standingOrders } = shown[asked.bookingStatus];
  const { dateFrom, dateTo, after } = asked;
  const today = dayIn(profile.timeZone, access.now);
  const to = dateTo === undefined || dateTo > today ? today : dateTo;
  const { id: accountId, booksState } = open.account;
  const name = nameOf({ access, open, asked }, to);
  const written = booksState && name && keptPages.find(name, booksState, access.now);
  if (written) return { written };
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
  if (name === undefined || state === undefined) return content;
  const keep = (bytes: PageBytes) => keptPages.keep(name, { state, bytes, at: access.now });
  return { ...content, keep };
}

type AskedOfAccount = {
  readonly access: Access;
  readonly open: OpenAccount;
  readonly asked: TransactionsAsked;
};

/**
 * A consent's own: what one TPP has read makes nothing faster for another one, which could tell from it. Standing
 * orders are no entries, and a report with them has no name.
 */
function nameOf({ access, open, asked }: AskedOfAccount, to: IsoDate): PageName | undefined {
  const { bookingStatus, dateFrom, dateTo, after } = asked;
  if (shown[bookingStatus].standingOrders) return undefined;
  const { granted, account } = open;
  const { id, iban, currency } = account;
  const whose = [access.consent.id, granted.resourceId, id, iban, currency];
  const from = after && [after.day, after.id, after.asOf];
  return JSON.stringify([...whose, bookingStatus, dateFrom, dateTo, to, from]);
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
