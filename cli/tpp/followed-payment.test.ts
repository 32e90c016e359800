import { describe, expect, it } from "vitest";
import { type PaymentStatus, Refused } from "@/clients/typescript/src";
import { followedPayment } from "./followed-payment";

/** Follows a payment that has these statuses one look after the other. */
async function followed(product: string, ...statuses: readonly (string | PaymentStatus)[]) {
  let looks = 0;
  const lines: string[] = [];
  const paymentStatus = async () => {
    const status = statuses[looks];
    looks += 1;
    if (status === undefined) throw new Error("looked again after the last status");
    const body = typeof status === "string" ? { transactionStatus: status } : status;
    return { status: 200, headers: {}, ok: true, body } as const;
  };
  const told = (line: string) => void lines.push(line);
  const last = await followedPayment(
    { paymentStatus },
    { product, paymentId: "1", everyMilliseconds: 1, told },
  );
  return { last, lines, looks };
}

describe("a payment is followed", () => {
  it("to ACSC, and each change is told once", async () => {
    const { last, lines } = await followed("sepa-credit-transfers", "ACCP", "ACSP", "ACSP", "ACSC");
    expect(last).toBe("ACSC");
    expect(lines).toEqual([
      "ACCP  accepted by the bank",
      "ACSP  in execution",
      "ACSC  settled on the debtor's account",
    ]);
  });

  it("to ACCC when it is an instant one", async () => {
    const { last, looks } = await followed("instant-sepa-credit-transfers", "ACSC", "ACSC", "ACCC");
    expect([last, looks]).toEqual(["ACCC", 3]);
  });

  it("to its rejection, with the bank's reason and no control character of anybody's", async () => {
    const psuMessage = "above your\u001b[2J limit";
    const rejected = { transactionStatus: "RJCT", psuMessage };
    const { last, lines } = await followed("target-2-payments", rejected);
    expect(last).toBe("RJCT");
    expect(lines).toEqual(["RJCT  rejected: above your [2J limit"]);
  });

  it("while it waits for funds, which is told", async () => {
    const waiting = { transactionStatus: "ACCP", fundsAvailable: false };
    const { lines } = await followed("sepa-credit-transfers", waiting, "PDNG", "ACSP", "ACSC");
    expect(lines.slice(0, 2)).toEqual([
      "ACCP  accepted by the bank: no funds at present",
      "PDNG  waits for funds",
    ]);
  });
});

it("a status that the bank refuses to tell ends it", async () => {
  const refusal = { status: 403, headers: {}, ok: false, body: { tppMessages: [] } } as const;
  const asking = followedPayment(
    { paymentStatus: async () => refusal },
    { product: "sepa-credit-transfers", paymentId: "1" },
  );
  await expect(asking).rejects.toThrow(Refused);
});
