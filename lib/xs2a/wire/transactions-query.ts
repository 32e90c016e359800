import { z } from "zod";
import type { BookingStatus } from "@/lib/domain/account-access/transactions-page";
import type { TransactionCursor } from "@/lib/domain/core-bank";
import type { BooksState, TransactionId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Circumstances } from "../circumstances";
import { openCursor } from "../cursor";
import { isMissing } from "../issue-text";
import { orMissing } from "../parse";
import { isoDate } from "./account-consent-request";
import { shownAs } from "./shown-as";

export type TransactionsQuery = {
  readonly bookingStatus: BookingStatus;
  readonly dateFrom?: IsoDate;
  readonly dateTo?: IsoDate;
  /** Set on a following page: where it begins, and the account whose report it continues. */
  readonly after?: TransactionCursor;
  readonly reportOf?: string;
};

/** A first page by its parameters, a following one by the cursor that repeats them. */
export function transactionsQuery({ cursorSecret }: Circumstances): z.ZodType<TransactionsQuery> {
  const following = z
    .object({ cursor: z.string() })
    .transform(({ cursor }, issues): TransactionsQuery => {
      const found = openCursor(cursor, cursorSecret);
      if (found === undefined) {
        issues.addIssue({
          code: "custom",
          path: ["cursor"],
          message: "is not a cursor of this bank",
        });
        return z.NEVER;
      }
      const { resourceId, bookingStatus, dateFrom, dateTo, day, id, asOf } = found;
      return {
        ...period(bookingStatus, dateFrom as IsoDate, dateTo as IsoDate | undefined),
        after: { day: day as IsoDate, id: id as TransactionId, asOf: asOf as BooksState },
        reportOf: resourceId,
      };
    });
  const form = z.unknown().transform((sent, issues) => {
    const schema = hasCursor(sent) ? following : first;
    const result = schema.safeParse(sent);
    if (result.success) return result.data;
    for (const issue of result.error.issues) issues.addIssue({ ...issue });
    return z.NEVER;
  });
  return shownAs(form, eitherPage);
}

const parameters = z.object({
  bookingStatus: z.enum(
    ["booked", "pending", "both", "information", "all"],
    orMissing("is one of booked, pending, both, information, all"),
  ),
  dateFrom: isoDate.optional(),
  dateTo: isoDate.optional(),
  entryReferenceFrom: refused("entryReferenceFrom"),
  deltaList: refused("deltaList"),
});

const first = parameters
  .refine((asked) => asked.dateFrom !== undefined || asked.bookingStatus === "information", {
    path: ["dateFrom"],
    error: isMissing,
  })
  .refine(
    ({ bookingStatus, dateFrom, dateTo }) =>
      bookingStatus === "information" || inOrder(dateFrom, dateTo),
    {
      path: ["dateTo"],
      error: "is before dateFrom",
    },
  )
  .transform(({ bookingStatus, dateFrom, dateTo }) => period(bookingStatus, dateFrom, dateTo));

/** The parameters of a first page, and the cursor that stands for all of them on a following one. */
const eitherPage = z.object({
  bookingStatus: parameters.shape.bookingStatus
    .optional()
    .describe("Which lists the report has. Demanded unless there is a cursor."),
  dateFrom: parameters.shape.dateFrom.describe(
    "The first day of the report. Demanded unless there is a cursor; not looked at with information.",
  ),
  dateTo: parameters.shape.dateTo.describe("The last day of the report; left out, today."),
  cursor: z
    .string()
    .optional()
    .describe("From _links.next of the page before, whose parameters it repeats."),
});

/** A delta of the last report is not offered; to ignore the wish would answer another question. */
function refused(name: string) {
  return z
    .unknown()
    .optional()
    .refine((value) => value === undefined, {
      error: `${name} is not supported`,
      params: { code: "PARAMETER_NOT_SUPPORTED" },
    });
}

function inOrder(from: IsoDate | undefined, to: IsoDate | undefined): boolean {
  return from === undefined || to === undefined || from <= to;
}

/** Standing orders have no dates: they are ignored with `information`. */
function period(
  bookingStatus: BookingStatus,
  dateFrom?: IsoDate,
  dateTo?: IsoDate,
): TransactionsQuery {
  if (bookingStatus === "information") return { bookingStatus };
  return {
    bookingStatus,
    ...(dateFrom === undefined ? {} : { dateFrom }),
    ...(dateTo === undefined ? {} : { dateTo }),
  };
}

function hasCursor(sent: unknown): boolean {
  return typeof sent === "object" && sent !== null && "cursor" in sent;
}
