import { z } from "zod";
import type {
  TransactionsPage,
  TransactionView,
} from "@/lib/domain/account-access/read-transactions";
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
  booked: ["booked"],
  pending: ["pending"],
  both: ["booked", "pending"],
  information: ["information"],
  all: ["booked", "pending", "information"],
} as const;

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
  const content = {
    booked: page.entries.filter(({ status }) => status === "booked").map(toTransaction),
    pending: page.entries.filter(({ status }) => status === "pending").map(toTransaction),
    information: page.standingOrders.map(toStandingOrder),
  };
  const lists = LISTS[page.asked.bookingStatus].map((name) => [name, content[name]]);
  const next = nextCursor(page, cursorSecret);
  const following =
    next === undefined ? {} : { next: { href: `${account}/transactions?cursor=${next}` } };
  return {
    account: toReference(page),
    transactions: {
      ...Object.fromEntries(lists),
      _links: { account: { href: account }, ...following },
    },
  };
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
  const report = {
    resourceId,
    bookingStatus,
    dateFrom,
    ...(dateTo === undefined ? {} : { dateTo }),
  };
  return sealCursor({ ...report, ...page.next }, secret);
}
