import type { ledgerPayment } from "@/drizzle/schema/ledger";
import type { TransactionStatus } from "@/lib/domain/payment-order";

type Magic = {
  /** Either decides: the creditor's name, or the amount in minor units of any currency. */
  readonly creditorName: string;
  readonly amountMinor: bigint;
  /** For the sandbox's page. */
  readonly what: string;
  /** What the look at the account finds while the payment has this status; undefined for what is there. */
  readonly enough?: (status: TransactionStatus) => boolean | undefined;
  readonly rejectWithoutFunds?: boolean;
  /** In place of the product's own, after the debit is pending. */
  readonly settlesAfterSeconds?: number;
};

/** How this payment goes whatever is on the debtor's account; undefined for one as all others. */
export type FindMagic = (
  payment: Pick<typeof ledgerPayment.$inferSelect, "creditorName" | "amountMinor">,
) => Magic | undefined;

export const magicPayments: readonly Magic[] = [
  {
    creditorName: "Sandbox RJCT",
    amountMinor: 777_01n,
    what: "ACCP, then RJCT for want of funds.",
    enough: () => false,
    rejectWithoutFunds: true,
  },
  {
    creditorName: "Sandbox PDNG",
    amountMinor: 777_02n,
    what: "ACCP, then PDNG as long as a payment waits for funds, then RJCT.",
    enough: () => false,
    rejectWithoutFunds: false,
  },
  {
    creditorName: "Sandbox partly funded",
    amountMinor: 777_03n,
    what: "A part of the amount is missing at first: ACCP, then PDNG, and with the next look at the account ACSP and ACSC. The standard knows no part of a single payment.",
    enough: (status) => (status === "PDNG" ? undefined : false),
    rejectWithoutFunds: false,
  },
  {
    creditorName: "Sandbox slow",
    amountMinor: 777_04n,
    what: "Stays ACSP for ten minutes before it is ACSC.",
    settlesAfterSeconds: 600,
  },
];

/** For the sandbox only. */
export const findMagic: FindMagic = ({ creditorName, amountMinor }) =>
  magicPayments.find(
    (magic) => magic.creditorName === creditorName || magic.amountMinor === amountMinor,
  );

/** Outside the sandbox. */
export const noMagic: FindMagic = () => undefined;
