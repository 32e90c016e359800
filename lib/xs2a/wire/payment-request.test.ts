import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentProduct } from "@/lib/domain/bank-profile";
import { formatAmount } from "@/lib/domain/values";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { bodySchemaOf, parse } from "../parse";
import {
  CREDITOR,
  DEBTOR,
  faultsIn,
  PRODUCTS,
  pay,
  paymentBody,
  paymentFaults,
  schemaContext,
  sepa,
} from "../testing/requests";
import { thrown } from "../testing/tpp";
import { paymentRequest } from "./payments";

describe("payment request", () => {
  const instant = "instant-sepa-credit-transfers";
  const target2 = "target-2-payments";
  const crossBorder = "cross-border-credit-transfers";
  const needs = {
    every: ["creditorAccount", "creditorName", "debtorAccount", "instructedAmount"],
    abroad: ["creditorAddress", "creditorAgent"],
  } as const;

  describe("a payment has", () => {
    it.each(PRODUCTS)("what %s requires, and is refused without any of it", (product) => {
      expect(paymentFaults(product, paymentBody(product))).toEqual([]);
      const required = [...needs.every, ...(product === crossBorder ? needs.abroad : [])];
      const paths = paymentFaults(product, {}).map(([, path]) => path);
      expect([...paths].sort()).toEqual(required.sort());
      for (const name of required) {
        const body = paymentBody(product, { [name]: undefined });
        expect(paymentFaults(product, JSON.parse(JSON.stringify(body)))).toEqual([
          ["FORMAT_ERROR", name],
        ]);
      }
    });

    it.each<readonly [string, unknown, readonly PaymentProduct[]]>([
      ["creditorAgent", "COBADEFF", PRODUCTS],
      ["creditorAddress", { country: "DE", townName: "Köln", postCode: "50667" }, PRODUCTS],
      ["remittanceInformationUnstructured", "Order 4711", PRODUCTS],
      ["endToEndIdentification", "E2E-1", [sepa, instant, target2]],
      ["chargeBearer", "SHAR", [target2, crossBorder]],
    ])("%s where the product has it, and nowhere else", (name, value, having) => {
      for (const product of PRODUCTS) {
        const faults = paymentFaults(product, paymentBody(product, { [name]: value }));
        expect(faults).toEqual(having.includes(product) ? [] : [["FORMAT_ERROR", name]]);
      }
    });

    it("the product's default charge bearer when none is named", () => {
      const bearer = (product: PaymentProduct, changed = {}) =>
        pay(product, paymentBody(product, changed)).order.chargeBearer;
      expect([sepa, instant, target2, crossBorder].map((name) => bearer(name as never))).toEqual([
        "SLEV",
        "SLEV",
        "SHAR",
        "SHAR",
      ]);
      expect(bearer(target2, { chargeBearer: "DEBT" })).toBe("DEBT");
      expect(paymentFaults(target2, paymentBody(target2, { chargeBearer: "debt" }))).toEqual([
        ["FORMAT_ERROR", "chargeBearer"],
      ]);
    });
  });

  /** Of services that are not offered, and what the standard leaves to a bank to add. */
  const notHere = [
    "requestedExecutionDate",
    "requestedExecutionTime",
    "executionRule",
    "frequency",
    "batchBookingPreferred",
    "startDate",
    "endDate",
    "dayOfExecution",
    "creditorAgentName",
    "instructionIdentification",
    "debtorName",
    "debtorId",
    "ultimateDebtor",
    "ultimateCreditor",
    "creditorId",
    "purposeCode",
    "serviceLevel",
    "currencyOfTransfer",
    "exchangeRateInformation",
    "remittanceInformationUnstructuredArray",
    "remittanceInformationStructured",
    "remittanceInformationStructuredArray",
    "paymentInformationId",
    "payments",
    "surprise",
  ];

  describe("a payment is refused with the path of", () => {
    it.each(notHere)("%s, whatever the product", (name) => {
      for (const product of PRODUCTS) {
        for (const value of ["2026-12-24", true, null]) {
          expect(paymentFaults(product, paymentBody(product, { [name]: value }))).toEqual([
            ["FORMAT_ERROR", name],
          ]);
        }
      }
    });

    it.each<readonly [string, unknown, string]>([
      ["creditorAddress", { country: "DE", floor: 3 }, "creditorAddress.floor"],
      ["creditorAddress", { country: "de" }, "creditorAddress.country"],
      ["creditorAddress", { townName: "Köln" }, "creditorAddress.country"],
      ["creditorAddress", "Köln", "creditorAddress"],
      ["instructedAmount", { currency: "EUR", amount: "1", fee: "0" }, "instructedAmount.fee"],
      ["instructedAmount", { amount: "1" }, "instructedAmount.currency"],
      ["instructedAmount", "1 EUR", "instructedAmount"],
      ["creditorName", "x".repeat(71), "creditorName"],
      ["creditorName", "", "creditorName"],
      ["creditorName", 7, "creditorName"],
      ["endToEndIdentification", "x".repeat(36), "endToEndIdentification"],
      ["remittanceInformationUnstructured", "x".repeat(141), "remittanceInformationUnstructured"],
    ])("%s %j", (name, value, path) => {
      expect(faultsIn({ [name]: value })).toEqual([["FORMAT_ERROR", path]]);
    });

    it("every fault at once, an entry each", () => {
      const faults = paymentFaults(sepa, {
        debtorAccount: { iban: DEBTOR, currency: "XXX" },
        instructedAmount: { currency: "USD", amount: "0" },
        creditorAccount: { iban: "x", bban: "1" },
        creditorAgent: "COBADEFFXXX",
        chargeBearer: "SHAR",
        requestedExecutionDate: "2026-12-24",
      });
      expect(faults.map(([, path]) => path).sort()).toEqual([
        "chargeBearer",
        "creditorAccount.bban",
        "creditorAccount.iban",
        "creditorAgent",
        "creditorName",
        "debtorAccount.currency",
        "instructedAmount.amount",
        "instructedAmount.currency",
        "requestedExecutionDate",
      ]);
    });

    it.each([undefined, null, [], "text", 1])("a body that is %j", (body) => {
      expect(paymentFaults(sepa, body)).toEqual([["FORMAT_ERROR", undefined]]);
    });

    it("X4: a prototype in place of a field", () => {
      const body = JSON.parse(
        `{"__proto__":{"creditorName":"x"},${JSON.stringify(paymentBody(sepa)).slice(1)}`,
      );
      expect(paymentFaults(sepa, body)).toEqual([["FORMAT_ERROR", "__proto__"]]);
    });
  });

  describe("the stored order", () => {
    it("holds the domain's fields, the instruction the body as it was sent", () => {
      const body = paymentBody(target2, {
        debtorAccount: { iban: DEBTOR.toLowerCase(), currency: "EUR", cashAccountType: "CACC" },
        creditorAgent: "COBADEFF",
        creditorAddress: { country: "DE" },
        endToEndIdentification: "E2E-1",
        remittanceInformationUnstructured: "Order 4711",
        chargeBearer: "CRED",
      });
      expect(pay(target2, body)).toEqual({
        instruction: body,
        order: {
          product: target2,
          amount: { currency: "EUR", minorUnits: 1_250n },
          debtor: { iban: DEBTOR, currency: "EUR" },
          creditor: {
            name: "Merchant GmbH",
            iban: CREDITOR,
            agent: "COBADEFF",
            address: { country: "DE" },
          },
          endToEndId: "E2E-1",
          remittance: "Order 4711",
          chargeBearer: "CRED",
        },
      });
    });
  });
});

describe("payment accounts", () => {
  const sides = ["debtorAccount", "creditorAccount"] as const;

  const ibanTricks = [
    ["blanks", "DE89 3704 0044 0532 0130 00"],
    ["wrong check digits", "DE88370400440532013000"],
    ["a country that has other lengths", "DE8937040044053201300"],
    ["no such country", "XX89370400440532013000"],
    ["a dotless i, whose capital is an I", "Gı75NWBK000000007099453"],
    ["a long s, whose capital is an S", "MT84MALT011000012345MTLCAST001ſ"],
    ["digits of another script", CREDITOR.replace("8", "٨")],
    ["a NUL", `${CREDITOR}\u0000`],
    ["nothing", ""],
    ["a number", 8_937],
    ["null", null],
  ] as const;

  describe.each(sides)("the %s", (side) => {
    it.each(ibanTricks)("B11: with %s for an IBAN is refused", (_, iban) => {
      expect(faultsIn({ [side]: { iban } })).toEqual([["FORMAT_ERROR", `${side}.iban`]]);
    });

    it("B11: in small letters is the same account", () => {
      const iban = side === "debtorAccount" ? DEBTOR : CREDITOR;
      const { order } = pay(sepa, paymentBody(sepa, { [side]: { iban: iban.toLowerCase() } }));
      expect([order.debtor.iban, order.creditor.iban]).toEqual([DEBTOR, CREDITOR]);
    });

    it.each(["bban", "pan", "maskedPan", "msisdn", "other", "surprise"])(
      "by %s is refused, alone and beside an IBAN",
      (name) => {
        const path = ["FORMAT_ERROR", `${side}.${name}`];
        expect(faultsIn({ [side]: { [name]: "1" } })).toContainEqual(path);
        const iban = side === "debtorAccount" ? DEBTOR : CREDITOR;
        expect(faultsIn({ [side]: { iban, [name]: "1" } })).toEqual([path]);
      },
    );

    it.each(["XXX", "eur", "EURO", "", 978])("in the currency %j is refused", (currency) => {
      const iban = side === "debtorAccount" ? DEBTOR : CREDITOR;
      expect(faultsIn({ [side]: { iban, currency } })).toEqual([
        ["FORMAT_ERROR", `${side}.currency`],
      ]);
    });

    it.each([null, "text", [], 1])("that is %j is refused", (account) => {
      expect(faultsIn({ [side]: account })).toEqual([["FORMAT_ERROR", side]]);
    });
  });

  describe("the two accounts", () => {
    it("are never one and the same, however it is written", () => {
      for (const account of [{ iban: DEBTOR }, { iban: DEBTOR.toLowerCase(), currency: "RON" }]) {
        expect(faultsIn({ creditorAccount: account })).toEqual([
          ["FORMAT_ERROR", "creditorAccount"],
        ]);
      }
    });

    it("are compared although something else is wrong", () => {
      expect(faultsIn({ creditorAccount: { iban: DEBTOR }, creditorName: 7 })).toEqual([
        ["FORMAT_ERROR", "creditorName"],
        ["FORMAT_ERROR", "creditorAccount"],
      ]);
    });
  });

  describe("creditorAgent", () => {
    it.each([
      "COBADEFFXXX",
      "COBADEF",
      "COBADEFFX",
      "cobadeff",
      "COBADEFf",
      "C0BADEFF",
      "COBADE1F",
      "COBADE0F",
      "COBADEFO",
      "COBADEFF\n",
      " COBADEFF",
      "",
      8,
      null,
    ])("B11: %j is refused: it has exactly eight characters", (creditorAgent) => {
      expect(faultsIn({ creditorAgent })).toEqual([["FORMAT_ERROR", "creditorAgent"]]);
    });

    it.each(["COBADEFF", "DRWBRO2X", "BREXPLPW"])("%s is one", (creditorAgent) => {
      const { creditor } = pay(sepa, paymentBody(sepa, { creditorAgent })).order;
      expect(creditor.agent).toBe(creditorAgent);
    });
  });
});

describe("payment amount", () => {
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

    const { payments } = aspspProfile;
    const currencies = ["EUR", "JPY", "BHD"] as const;
    const abroad = { ...payments.products["cross-border-credit-transfers"], currencies };
    const products = { ...payments.products, "cross-border-credit-transfers": abroad };
    const profile = { ...aspspProfile, payments: { ...payments, products } };

    it.each([
      ["JPY", "5000", 5_000n],
      ["JPY", "0.5", undefined],
      ["BHD", "12.345", 12_345n],
      ["BHD", "0.0001", undefined],
      ["EUR", "1.5", 150n],
      ["EUR", "1.001", undefined],
    ])(
      "B10: of %s has the fraction digits of its currency at most: %s",
      (currency, amount, minorUnits) => {
        const product = "cross-border-credit-transfers";
        const body = paymentBody(product, { instructedAmount: { currency, amount } });
        const given = { ...schemaContext, profile };
        const schema = bodySchemaOf(paymentRequest, given, { product });
        const read = () => parse("body", schema, body, given).order.amount;
        if (minorUnits !== undefined) return expect(read()).toEqual({ currency, minorUnits });
        const faults = [{ code: "FORMAT_ERROR", path: "instructedAmount.amount" }];
        expect(thrown(read)).toMatchObject({ status: 400, faults });
      },
    );

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
        { numRuns: inputs(2_000) },
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
});
