import { describe, expect, it } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import { aboveBankLimit } from "./bank-limit";
import type { PaymentProduct } from "./payment-product";
import { money } from "./product-terms";

const judge = (product: PaymentProduct, currency: string, minorUnits: bigint) =>
  aboveBankLimit({ product, amount: money(currency, minorUnits) }, aspspProfile);

describe("payment instructed amount above the bank's limit: rejected", () => {
  it.each<readonly [PaymentProduct, string, bigint]>([
    ["sepa-credit-transfers", "EUR", 1_500_000n],
    ["target-2-payments", "EUR", 1_500_000n],
    ["instant-sepa-credit-transfers", "RON", 5_000_000n],
    ["cross-border-credit-transfers", "EUR", 1_500_000n],
    // The same in other currencies, at 5.09 RON and 1.16 USD for a euro.
    ["cross-border-credit-transfers", "RON", 7_635_000n],
    ["cross-border-credit-transfers", "USD", 1_740_000n],
  ])("%s in %s: %d minor units pass, more do not", (product, currency, most) => {
    expect(judge(product, currency, 1n)).toBeUndefined();
    expect(judge(product, currency, most)).toBeUndefined();
    // A cent more of a weaker currency may still round to the limit.
    expect(judge(product, currency, most + 6n)).toMatchObject({ status: 400 });
    if (currency === "EUR") expect(judge(product, currency, most + 1n)).toBeDefined();
  });

  it("the refusal names code, field and limit, and nothing of the PSU", () => {
    expect(judge("sepa-credit-transfers", "EUR", 1_500_001n)).toMatchObject({
      status: 400,
      faults: [
        {
          code: "PAYMENT_FAILED",
          path: "instructedAmount.amount",
          text: expect.stringContaining("15000.00 EUR"),
        },
      ],
    });
  });

  it("the largest amount that can be written is above every limit", () => {
    for (const product of Object.keys(aspspProfile.payments.products) as PaymentProduct[]) {
      for (const currency of aspspProfile.payments.products[product].currencies) {
        expect(judge(product, currency, 9_999_999_999_999_999n)).toBeDefined();
      }
    }
  });
});
