import type { AccountReport, TransactionCursor } from "../core-bank";
import type { IsoDate } from "../iso-date";
import type { StandingOrder } from "./bank-account";
import type { OpenAccount } from "./granted-account";

export type BookingStatus = "booked" | "pending" | "both" | "information" | "all";

/** The entries each booking status asks for, and whether it asks for the standing orders. */
export const shown = {
  booked: { statuses: ["booked"], standingOrders: false },
  pending: { statuses: ["pending"], standingOrders: false },
  both: { statuses: ["booked", "pending"], standingOrders: false },
  information: { statuses: undefined, standingOrders: true },
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
  AccountReport & {
    readonly asked: TransactionsAsked;
    readonly standingOrders: readonly StandingOrder[];
  };
