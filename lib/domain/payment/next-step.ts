import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import type { PaymentOrder, PaymentRejection } from "./payment";
import { termsOf } from "./payment-product";
import type { TransactionStatus } from "./transaction-status";

/** What becomes of an accepted payment, and when it is looked at again; without `dueAt` it is over. */
export type Step = {
  readonly to: TransactionStatus;
  readonly dueAt?: Date;
  readonly reason?: PaymentRejection;
};

type Order = Pick<PaymentOrder, "product" | "rejectWithoutFunds">;

type FundsLooked = {
  readonly status: "ACCP" | "PDNG";
  readonly order: Order;
  readonly enough: boolean;
  /** When the PSU authorised it. */
  readonly authorisedAt: Date;
  readonly now: Date;
};

/** Funds are there: execution begins. If not, it waits for them or is rejected, as the TPP prefers. */
export function afterFundsCheck(looked: FundsLooked, profile: AspspProfile): Step {
  const { status, order, enough, authorisedAt, now } = looked;
  const { fundsWaitHours, fundsRetrySeconds } = profile.payments;
  const { settlesAfterSeconds } = termsOf(profile, order.product);
  if (enough) return { to: "ACSP", dueAt: after(now, settlesAfterSeconds, "second") };
  const waitsUntil = after(authorisedAt, fundsWaitHours, "hour");
  if (order.rejectWithoutFunds || now >= waitsUntil) return { to: "RJCT", reason: "no-funds" };
  const again = after(now, fundsRetrySeconds, "second");
  const dueAt = new Date(Math.min(again.getTime(), waitsUntil.getTime()));
  return status === "ACCP" ? { to: "PDNG", dueAt } : { to: status, dueAt };
}

type Settling = {
  readonly order: Order;
  /** False when the creditor's account at this bank cannot be credited. */
  readonly creditable: boolean;
  readonly now: Date;
};

/** The debit is booked. A creditor's account that is closed sends the money back. */
export function afterSettlement({ order, creditable, now }: Settling, profile: AspspProfile): Step {
  if (!creditable) return { to: "RJCT", reason: "creditor-account-closed" };
  return termsOf(profile, order.product).reportsCredit
    ? { to: "ACSC", dueAt: now }
    : { to: "ACSC" };
}
