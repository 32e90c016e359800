import { describe, expect, it } from "vitest";
import { paymentOrder } from "./payment-order";
import { WrongUsage } from "./wrong-usage";

const needed = {
  product: "sepa-credit-transfers",
  amount: "12.50",
  currency: "EUR",
  to: "DE89370400440532013000",
  name: "Bäckerei",
};

describe("a payment as it was typed", () => {
  it("goes to the bank as it is", () => {
    const { product, payment } = paymentOrder({ ...needed, from: "RO49AAAA1B31007593840000" });
    expect(product).toBe("sepa-credit-transfers");
    expect(payment).toEqual({
      debtorAccount: { iban: "RO49AAAA1B31007593840000" },
      instructedAmount: { currency: "EUR", amount: "12.50" },
      creditorAccount: { iban: "DE89370400440532013000" },
      creditorName: "Bäckerei",
    });
  });

  it("has the payee's bank, country and text where they are given", () => {
    const more = { bic: "COBADEFF", country: "DE", text: "Thank you" };
    expect(paymentOrder({ ...needed, ...more }).payment).toMatchObject({
      creditorAgent: "COBADEFF",
      creditorAddress: { country: "DE" },
      remittanceInformationUnstructured: "Thank you",
    });
  });

  it("waits for funds unless it is said to be rejected rather", () => {
    expect(paymentOrder(needed).rejectWithoutFunds).toBe(false);
    const rather = paymentOrder({ ...needed, "reject-without-funds": true });
    expect(rather.rejectWithoutFunds).toBe(true);
  });

  it.each(["product", "amount", "currency", "to", "name"])(
    "without --%s is wrong usage",
    (name) => {
      expect(() => paymentOrder({ ...needed, [name]: undefined })).toThrow(WrongUsage);
    },
  );
});
