import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";
import { newAuthorisationId, newPaymentId } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import type { Bic, PaymentOrder } from "@/lib/domain/payment/payment";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import { exampleTpp, now, otherTpp, type Stores, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { initiation, newRequestId } from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const products = Object.keys(aspspProfile.payments.products) as PaymentProduct[];
const ibans = ["RO49DRWB1B31007593840000", "DE89370400440532013000", "NO9386011117947"] as Iban[];
const currency = fc.constantFrom(...(["EUR", "RON", "HUF"] as Currency[]));
const text = (maxLength: number) =>
  fc.string({ unit: "binary", minLength: 1, maxLength }).map((any) => any.replaceAll("\0", "0"));
const plain = { noNullPrototype: true } as const;

const orders: fc.Arbitrary<PaymentOrder> = fc.record(
  {
    product: fc.constantFrom(...products),
    amount: fc.record({ currency, minorUnits: fc.bigInt({ min: 1n, max: 10n ** 17n }) }, plain),
    debtor: fc.record(
      { iban: fc.constantFrom(...ibans), currency },
      { ...plain, requiredKeys: ["iban"] },
    ),
    creditor: fc.record(
      {
        name: text(70),
        iban: fc.constantFrom(...ibans),
        currency,
        agent: fc.constantFrom(...(["DRWBROBU", "COBADEFF"] as Bic[])),
        address: fc.record(
          {
            streetName: fc.string({ unit: "binary", maxLength: 100 }),
            buildingNumber: fc.string({ maxLength: 20 }),
            townName: text(100),
            postCode: text(5),
            country: fc.constantFrom("RO", "DE"),
          },
          { ...plain, requiredKeys: ["country"] },
        ),
      },
      { ...plain, requiredKeys: ["name", "iban"] },
    ),
    endToEndId: text(35),
    remittance: text(140),
    chargeBearer: fc.constantFrom(...(["DEBT", "CRED", "SHAR", "SLEV"] as const)),
    rejectWithoutFunds: fc.boolean(),
  },
  {
    ...plain,
    requiredKeys: ["product", "amount", "debtor", "creditor", "chargeBearer", "rejectWithoutFunds"],
  },
);

test("every order is found again as it came, with and without each optional field", async () => {
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const { started, ...rest } = initiation({ order });
      await stores.payments.initiate({ ...rest, started });
      const { id, tppId, authorisationId } = started.payment;
      expect(await stores.payments.findOfTpp(id, tppId)).toStrictEqual(started.payment);
      expect(await stores.payments.findByAuthorisation(authorisationId)).toStrictEqual(
        started.payment,
      );
    }),
    { numRuns: 150 },
  );
});

const instructions = fc.oneof(
  fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }), plain),
  fc.constant(JSON.parse('{"z":1,"a":{"y":"\\u0000","x":"\\ud800"},"amount":"1.10"}')),
);

test("the instruction is kept word for word: members in their order, characters of every kind", async () => {
  await fc.assert(
    fc.asyncProperty(instructions, async (instruction) => {
      const { started, ...rest } = initiation({ instruction });
      await stores.payments.initiate({ ...rest, started });
      const found = await stores.payments.findOfTpp(started.payment.id, exampleTpp.id);
      expect(JSON.stringify(found?.instruction)).toBe(JSON.stringify(instruction));
    }),
    { numRuns: 100 },
  );
});

test("B9: the first answer comes back byte for byte", async () => {
  const answers = fc.record({
    status: fc.constantFrom(201, 400),
    headers: fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: "binary" }), plain),
    body: fc.string({ unit: "binary" }).map((any) => any.replaceAll("\0", "0")),
  });
  await fc.assert(
    fc.asyncProperty(answers, text(43), async (answer, bodyDigest) => {
      const { key, at } = initiation();
      await stores.payments.initiate({ key, at, answer, bodyDigest });
      const kept = await stores.payments.firstAnswer(key);
      expect(kept).toEqual({ answer, bodyDigest });
      expect(JSON.stringify(kept?.answer.headers)).toBe(JSON.stringify(answer.headers));
    }),
    { numRuns: 100 },
  );
});

test("a payment of another TPP is not found, and is not told apart from one that there is not", async () => {
  const { started, ...rest } = initiation();
  await stores.payments.initiate({ ...rest, started });
  expect(await stores.payments.findOfTpp(started.payment.id, otherTpp.id)).toBeUndefined();
  expect(await stores.payments.findOfTpp(newPaymentId(), exampleTpp.id)).toBeUndefined();
  expect(await stores.payments.findByAuthorisation(newAuthorisationId())).toBeUndefined();
});

test("what is no UUID names no payment", async () => {
  expect(await stores.payments.findOfTpp("1" as never, exampleTpp.id)).toBeUndefined();
  expect(await stores.payments.findByAuthorisation("1" as never)).toBeUndefined();
});

test("a request that has not come has no answer", async () => {
  const key = { tppId: exampleTpp.id, requestId: newRequestId() };
  expect(await stores.payments.firstAnswer(key)).toBeUndefined();
});
