import type { ResourceKind } from "./authorisation";
import type { EventKind } from "./events";
import type { IsoDate, TppId } from "./values";

/** What is counted by the day: kinds of events, and reads. */
export const counted = [
  "consent-requested",
  "consent-status",
  "payment-requested",
  "payment-status",
  "sca-status",
  "sca-proved",
  "request-refused",
  "read",
] as const satisfies readonly (EventKind | "read")[];
export type Counted = (typeof counted)[number];

/** For how many days counts are kept, and how many a page shows at most. */
export const COUNT_DAYS_KEPT = 400;
export const COUNT_DAYS_SHOWN_MAX = 92;

export type DayCount = {
  readonly day: IsoDate;
  readonly what: Counted;
  /**
   * Of a consent or payment its new status, of a refusal its code, of what was proved the means, of an authorisation the reason
   * for which it failed or else its new status, of a read what was read.
   */
  readonly value?: string;
  /** Of a payment its product, of a consent its kind, of a proof `login` or `confirmation`, of a read `attended` or not. */
  readonly part?: string;
  readonly count: number;
};

export type ConsentCount = {
  readonly kind: Exclude<ResourceKind, "PIS">;
  readonly status: string;
  readonly count: number;
};

/** What a TPP has asked for in some days. */
export type TppTraffic = {
  readonly tppId: TppId;
  readonly reads: number;
  /** Consents and payments. */
  readonly requests: number;
  readonly refused: number;
};

type Days = { readonly from: IsoDate; readonly to: IsoDate };

export type CountsAsked = Days & {
  /** All of them without it. */
  readonly tppId?: TppId;
};

export type CountPosition = Omit<DayCount, "count">;

export type Statistics = {
  /** Added up over TPPs, from the one after `after` on; all of them without a page. */
  readonly days: (
    asked: CountsAsked,
    page?: { readonly after?: CountPosition | undefined; readonly limit: number },
  ) => Promise<readonly DayCount[]>;
  readonly byTpp: (days: Days) => Promise<readonly TppTraffic[]>;
  /** How many consents there are in each state. */
  readonly consents: (tppId?: TppId) => Promise<readonly ConsentCount[]>;
  /** The counts are whole up to then. */
  readonly countedTo: () => Promise<Date | undefined>;
};
