import type { PageName } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Access, OpenAccount } from "./granted-account";
import { shown, type TransactionsAsked } from "./transactions-page";

export type AskedOfAccount = {
  readonly access: Access;
  readonly open: OpenAccount;
  readonly asked: TransactionsAsked;
};

/**
 * All that the text of a page depends on, but for the entries: of one name and one state of the books there is one text.
 * It is a consent's own, since what one TPP has read would else make the same page faster for another one, which could
 * tell from it. Standing orders are no entries, and a report with them has no name.
 */
export function pageName(
  { access, open, asked }: AskedOfAccount,
  to: IsoDate,
): PageName | undefined {
  const { bookingStatus, dateFrom, dateTo, after } = asked;
  if (shown[bookingStatus].standingOrders) return undefined;
  const { granted, account } = open;
  const { iban, currency } = account;
  const whose = [access.consent.id, granted.resourceId, iban, currency];
  const from = after && [after.day, after.id, after.asOf];
  return JSON.stringify([...whose, bookingStatus, dateFrom, dateTo, to, from]) as PageName;
}
