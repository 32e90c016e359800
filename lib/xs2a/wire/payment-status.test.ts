import { describe, expect, it } from "vitest";
import type { Payment, PaymentRejection } from "@/lib/domain/payment/payment";
import {
  type TransactionStatus,
  transactionTransitions,
} from "@/lib/domain/payment/transaction-status";
import { sentBody } from "../testing/answer";
import { CREDITOR, DEBTOR } from "../testing/payment-request";
import { paymentOf } from "../testing/payments";
import { paymentStatusRead } from "./payment-status";

type Sent = { readonly psuMessage?: string; readonly tppMessages?: unknown };
const read = (given: Partial<Payment>) => sentBody<Sent>(paymentStatusRead(paymentOf(given)));
const noFunds = [
  {
    category: "WARNING",
    code: "FUNDS_NOT_AVAILABLE",
    text: "there are not sufficient funds for this payment",
  },
];
const statuses = Object.keys(transactionTransitions) as TransactionStatus[];
const reasons: readonly PaymentRejection[] = [
  "cancelled",
  "too-many-tries",
  "psu-blocked",
  "window-over",
  "withdrawn-by-tpp",
  "not-own-account",
  "account-gone",
  "tpp-blocked",
  "account-blocked",
  "psu-limit",
  "day-limit",
  "no-funds",
  "creditor-account-closed",
];

describe("the status of a payment", () => {
  it.each(statuses)("%s alone, before anything is known of funds", (status) => {
    const expected = { transactionStatus: status };
    expect(read({ status })).toEqual(
      status === "PDNG" ? { ...expected, tppMessages: noFunds } : expected,
    );
  });

  it.each(statuses)(
    "%s has fundsAvailable after the check and before the execution only",
    (status) => {
      const told = status === "ACTC" || status === "ACCP";
      expect("fundsAvailable" in read({ status, fundsAvailable: true })).toBe(told);
      expect(read({ status, fundsAvailable: false })).toEqual({
        transactionStatus: status,
        ...(told && { fundsAvailable: false }),
        ...((told || status === "PDNG") && { tppMessages: noFunds }),
      });
    },
  );

  it("RJCT for want of funds says so to the TPP, RJCT for another reason does not", () => {
    for (const reason of reasons) {
      const { tppMessages } = read({ status: "RJCT", reason });
      expect([reason, tppMessages]).toEqual([reason, reason === "no-funds" ? noFunds : undefined]);
    }
  });

  it("RJCT has a sentence for the PSU, with no account, name, or figure in it", () => {
    for (const reason of reasons) {
      const { psuMessage } = read({ status: "RJCT", reason });
      expect(psuMessage).toMatch(/^[A-Z][^0-9]{10,498}\.$/);
      for (const personal of [DEBTOR, CREDITOR, "Merchant GmbH", "EUR", reason]) {
        expect(psuMessage).not.toContain(personal);
      }
    }
  });

  it("never names an owner", () => {
    const sent = read({ status: "ACSC" });
    expect(Object.keys(sent)).toEqual(["transactionStatus"]);
  });
});
