import { z } from "zod";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import type { TransactionView } from "@/lib/domain/account-access/read-transactions";
import type {
  BookingStatus,
  TransactionsPage,
} from "@/lib/domain/account-access/transactions-page";
import { answering } from "../answers";
import { sealCursor } from "../cursor";
import type { Xs2aPorts } from "../ports";
import { toReference } from "./account";
import { accountReferenceSent } from "./account-reference";
import { link } from "./link";
import { toStandingOrder, toTransaction, transactionSent } from "./transaction";

const entries = z.array(transactionSent).optional();

const report = z.strictObject({
  account: accountReferenceSent,
  transactions: z.strictObject({
    booked: entries,
    pending: entries,
    information: entries,
    _links: z.strictObject({ account: link, next: link.optional() }),
  }),
});

const details = z.strictObject({ transactionsDetails: transactionSent });

/** A list that was asked for is there even when it is empty. */
const LISTS = {
  booked: { booked: true, pending: false, information: false },
  pending: { booked: false, pending: true, information: false },
  both: { booked: true, pending: true, information: false },
  information: { booked: false, pending: false, information: true },
  all: { booked: true, pending: true, information: true },
} as const satisfies Record<BookingStatus, unknown>;

export const transactionsRead = answering(
  { status: 200, description: "One page of the report, newest entries first.", body: report },
  (page: TransactionsPage, ports: Pick<Xs2aPorts, "links" | "cursorSecret">) => ({
    value: toReport(page, ports),
  }),
);

function toReport(
  page: TransactionsPage,
  { links, cursorSecret }: Pick<Xs2aPorts, "links" | "cursorSecret">,
) {
  const account = `${links.aisp}/accounts/${page.granted.resourceId}`;
  const lists = LISTS[page.asked.bookingStatus];
  const next = nextCursor(page, cursorSecret);
  // What has no value is left out when it is written.
  return {
    account: toReference(page),
    transactions: {
      booked: lists.booked ? entriesThatAre("booked", page) : undefined,
      pending: lists.pending ? entriesThatAre("pending", page) : undefined,
      information: lists.information ? page.standingOrders.map(toStandingOrder) : undefined,
      _links: {
        account: { href: account },
        next: next === undefined ? undefined : { href: `${account}/transactions?cursor=${next}` },
      },
    },
  };
}

function entriesThatAre(status: Transaction["status"], { entries }: TransactionsPage) {
  return entries.filter((entry) => entry.status === status).map(toTransaction);
}

export const transactionRead = answering(
  { status: 200, description: "The entry.", body: details },
  ({ transaction }: TransactionView) => ({
    value: { transactionsDetails: toTransaction(transaction) },
  }),
);

function nextCursor(page: TransactionsPage, secret: string) {
  if (page.next === undefined) return undefined;
  const { resourceId, bookingStatus, dateFrom, dateTo } = page.asked;
  if (dateFrom === undefined || bookingStatus === "information")
    throw new Error("entries were read without the day to read from");
  const { day, id, asOf } = page.next;
  return sealCursor({ resourceId, bookingStatus, dateFrom, dateTo, day, id, asOf }, secret);
}
