import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount } from "@/lib/domain/money";
import {
  faultsIn,
  PRODUCTS,
  pay,
  paymentBody,
  paymentFaults,
  sepa,
} from "../testing/payment-request";

/** The products and their currencies, as the specification lists them. */
const ABROAD = "EUR, RON, USD, GBP, CHF, PLN, NOK, SEK, HUF, DKK, CAD".split(", ");
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  "sepa-credit-transfers": ["EUR"],
  "instant-sepa-credit-transfers": ["RON"],
  "target-2-payments": ["EUR"],
  "cross-border-credit-transfers": ABROAD,
};

const amountFaults = (amount: unknown) =>
  faultsIn({ instructedAmount: { currency: "EUR", amount } });
const refused = [["FORMAT_ERROR", "instructedAmount.amount"]];

describe("the amount", () => {
  it.each([
    "1e3",
    "-1",
    "-0.01",
    "+1",
    "0",
    "0.00",
    "-0",
    "00",
    "1.001",
    "1.",
    ".5",
    "1.2.3",
    "NaN",
    "Infinity",
    "٣",
    "１２",
    "1,00",
    "1 000",
    " 1",
    "1 ",
    "1\n",
    "1\u0000",
    "0x10",
    "1_000",
    "",
    "100000000000000",
    "12345678901234567890",
    1,
    12.5,
    1e3,
    true,
    null,
    ["1"],
    { amount: "1" },
  ])("B10: %j is refused", (amount) => expect(amountFaults(amount)).toEqual(refused));

  it("B10: missing is refused", () => {
    expect(faultsIn({ instructedAmount: { currency: "EUR" } })).toEqual(refused);
  });

  it.each([
    ["0.01", 1n],
    ["1", 100n],
    ["0012.5", 1_250n],
    ["99999999999999.99", 9_999_999_999_999_999n],
  ])("B10: %s is exact", (amount, minorUnits) => {
    const body = paymentBody(sepa, { instructedAmount: { currency: "EUR", amount } });
    expect(pay(sepa, body).order.amount).toEqual({ currency: "EUR", minorUnits });
  });

  it("B10: any amount of two fraction digits comes out as it went in, to the cent", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 9_999_999_999_999_999n }), (minorUnits) => {
        const amount = formatAmount(minorUnits);
        const body = paymentBody(sepa, { instructedAmount: { currency: "EUR", amount } });
        expect(pay(sepa, body).order.amount.minorUnits).toBe(minorUnits);
      }),
    );
  });

  it("B10: any other text is refused", () => {
    const exact = /^[0-9]{1,14}(\.[0-9]{1,2})?$/;
    const nearly = fc.stringMatching(/^[-+ ]?[0-9]{0,16}[.,eE]{0,2}[0-9]{0,4}[ ٣]?$/);
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string(), fc.string({ unit: "binary" })), (amount) => {
        const sound = exact.test(amount) && /[1-9]/.test(amount);
        expect(amountFaults(amount)).toEqual(sound ? [] : refused);
      }),
      { numRuns: 2_000 },
    );
  });
});

const matrix = PRODUCTS.flatMap((product) =>
  [...ABROAD, "JPY", "XXX", "BGN"].map((currency) => {
    return [product, currency, CURRENCIES[product]?.includes(currency) === true] as const;
  }),
);

describe("the currency", () => {
  it("of the table is of the four products", () => {
    expect([...PRODUCTS].sort()).toEqual(Object.keys(CURRENCIES).sort());
  });

  it.each(matrix)("B12: %s in %s: %s", (product, currency, offered) => {
    const body = paymentBody(product, { instructedAmount: { currency, amount: "1" } });
    const faults = offered ? [] : [["FORMAT_ERROR", "instructedAmount.currency"]];
    expect(paymentFaults(product, body)).toEqual(faults);
  });

  it.each(["eur", "EU", "EURO", " EUR", "", 978, null])("B12: %j is refused", (currency) => {
    expect(faultsIn({ instructedAmount: { currency, amount: "1" } })).toEqual([
      ["FORMAT_ERROR", "instructedAmount.currency"],
    ]);
  });
});
