import type { TransactionStatus } from "@/lib/domain/payment-order";

type Magic = {
  /** For the sandbox's page. */
  readonly what: string;
  /** What the look at the account finds while the payment has this status; undefined for what is there. */
  readonly enough?: (status: TransactionStatus) => boolean | undefined;
  readonly rejectWithoutFunds?: boolean;
  /** In place of the product's own, after the debit is pending. */
  readonly settlesAfterSeconds?: number;
};
export type MagicCreditors = ReadonlyMap<string, Magic>;

/** Names of creditors that decide in the sandbox how their payment goes, whatever is on the debtor's account. */
export const magicCreditors: MagicCreditors = new Map<string, Magic>([
  [
    "Sandbox RJCT",
    {
      what: "ACCP, then RJCT for want of funds.",
      enough: () => false,
      rejectWithoutFunds: true,
    },
  ],
  [
    "Sandbox PDNG",
    {
      what: "ACCP, then PDNG as long as a payment waits for funds, then RJCT.",
      enough: () => false,
      rejectWithoutFunds: false,
    },
  ],
  [
    "Sandbox partly funded",
    {
      what: "A part of the amount is missing at first: ACCP, then PDNG, and with the next look at the account ACSP and ACSC. The standard knows no part of a single payment.",
      enough: (status) => (status === "PDNG" ? undefined : false),
      rejectWithoutFunds: false,
    },
  ],
  [
    "Sandbox slow",
    {
      what: "Stays ACSP for ten minutes before it is ACSC.",
      settlesAfterSeconds: 600,
    },
  ],
]);
