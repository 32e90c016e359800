import type { Step } from "@/lib/domain/payment/next-step";
import type { LedgerTransaction } from "../database";
import type { LedgerPayment } from "./claim-due-payment";
import { reserveFunds } from "./reserve-funds";
import { settle } from "./settle";

/** Does in the books what is due, and says what becomes of the payment. */
export function stepOf(tx: LedgerTransaction, payment: LedgerPayment, now: Date): Promise<Step> {
  switch (payment.status) {
    case "ACCP":
    case "PDNG":
      return reserveFunds(tx, payment, payment.status, now);
    case "ACSP":
      return settle(tx, payment, now);
    case "ACSC":
      return Promise.resolve({ to: "ACCC" });
    default:
      throw new Error(`nothing is due of a payment that is ${payment.status}`);
  }
}
