import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PaymentProduct } from "@/lib/domain/bank-profile";
import type { Bic, PaymentOrder } from "@/lib/domain/payment-order";
import type { Initiation } from "@/lib/domain/payments";
import { type Currency, type Iban, newAuthorisationId, newPaymentId } from "@/lib/domain/values";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { exampleTpp, initiation, newRequestId, otherTpp, testStores } from "./testing";

const { database, stores } = await testStores();

describe("a payment", () => {
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
      requiredKeys: [
        "product",
        "amount",
        "debtor",
        "creditor",
        "chargeBearer",
        "rejectWithoutFunds",
      ],
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
      { numRuns: inputs(150) },
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
      { numRuns: inputs(100) },
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
      { numRuns: inputs(100) },
    );
  });

  test("a payment of another TPP is not found, and is answered as an unknown one", async () => {
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
});

describe("the initiation of a payment", () => {
  async function counts({ key }: Initiation) {
    const [row] = await database.sql`
    select (select count(*)::int from payment_initiation
              where tpp_id = ${key.tppId} and request_id = ${key.requestId}) as answers,
           count(*)::int as payments,
           count(p.id)::int as written,
           count(s.payment_id)::int as states
    from authorisation a left join payment p on p.authorisation_id = a.id and p.id = a.resource_id
      left join payment_state s on s.payment_id = p.id
    where a.tpp_id = ${key.tppId} and a.request_id = ${key.requestId}`;
    return row;
  }
  const one = { answers: 1, payments: 1, written: 1, states: 1 };
  const refused = ({ key, bodyDigest, at }: Initiation): Initiation => {
    const answer = { status: 400, headers: {}, body: "PAYMENT_FAILED" };
    return { key, bodyDigest, at, answer };
  };

  async function initiated(call: Initiation) {
    const outcome = await stores.payments.initiate(call);
    if (outcome === "full") throw new Error("too many are open");
    return outcome;
  }

  describe("B9: one key, one payment", () => {
    test("of 200 initiations at once one starts a payment, and 200 get the same answer", async () => {
      const requestId = newRequestId();
      const calls = Array.from({ length: 200 }, () => initiation({}, requestId));
      const answers = await Promise.all(calls.map(initiated));
      expect(answers.filter(({ first }) => first)).toHaveLength(1);
      expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
      const [call] = calls as [Initiation];
      expect(await counts(call)).toEqual(one);
    });

    test("a repetition with another body gets the first answer and the first body's digest", async () => {
      const first = initiation();
      await stores.payments.initiate(first);
      const again = { ...initiation({}, first.key.requestId), bodyDigest: "another" };
      const { answer, bodyDigest } = first;
      expect(await stores.payments.initiate(again)).toEqual({ answer, bodyDigest, first: false });
      const { id, tppId } = again.started.payment;
      expect(await stores.payments.findOfTpp(id, tppId)).toBeUndefined();
      expect(await counts(first)).toEqual(one);
    });

    test("another TPP with the same request id has a payment of its own", async () => {
      const first = initiation();
      const other = initiation({ tppId: otherTpp.id }, first.key.requestId);
      expect((await initiated(first)).first).toBe(true);
      expect(await stores.payments.firstAnswer(other.key)).toBeUndefined();
      expect(await stores.payments.initiate(other)).toEqual({
        answer: other.answer,
        bodyDigest: other.bodyDigest,
        first: true,
      });
      expect(await stores.payments.firstAnswer(first.key)).toMatchObject({ answer: first.answer });
      expect(await stores.payments.firstAnswer(other.key)).toMatchObject({ answer: other.answer });
      expect([await counts(first), await counts(other)]).toEqual([one, one]);
    });

    test("a refusal is the answer for good, though the bank would take the payment now", async () => {
      const late = initiation();
      const refusal = refused(late);
      expect((await initiated(refusal)).first).toBe(true);
      const { answer, bodyDigest } = refusal;
      expect(await stores.payments.initiate(late)).toEqual({ answer, bodyDigest, first: false });
      expect(await counts(late)).toEqual({ answers: 1, payments: 0, written: 0, states: 0 });
    });

    test("a refusal does not take the place of a payment either", async () => {
      const first = initiation();
      await stores.payments.initiate(first);
      expect(await stores.payments.initiate(refused(first))).toMatchObject({
        answer: first.answer,
      });
    });
  });

  test("all or nothing: without its authorisation there is neither payment nor answer", async () => {
    const first = initiation();
    const { authorisation } = first.started;
    const started = {
      ...first.started,
      authorisation: { ...authorisation, tppId: "nobody" as never },
    };
    await expect(stores.payments.initiate({ ...first, started })).rejects.toThrow();
    expect(await stores.payments.firstAnswer(first.key)).toBeUndefined();
    expect((await initiated(first)).first).toBe(true);
  });

  test("all or nothing: a request that has started an authorisation of a payment starts no other", async () => {
    const first = initiation();
    await stores.payments.initiate(first);
    const second = initiation();
    const { payment, authorisation } = second.started;
    const { requestId } = first.key;
    const started = { ...second.started, authorisation: { ...authorisation, requestId } };
    await expect(stores.payments.initiate({ ...second, started })).rejects.toMatchObject({
      constraint_name: "authorisation_of_request",
    });
    expect(await stores.payments.firstAnswer(second.key)).toBeUndefined();
    expect(await stores.payments.findOfTpp(payment.id, payment.tppId)).toBeUndefined();
  });

  test("an answer for a payment that there is not is not kept", async () => {
    const { key, bodyDigest, answer, at, started } = initiation();
    const insert = database.sql`insert into payment_initiation values (${key.tppId}, ${key.requestId},
    ${bodyDigest}, 201, '{}', ${answer.body}, ${started.payment.id}, ${at.toISOString()})`;
    await expect(insert).rejects.toThrow("payment_initiation_payment_id_payment_id_fk");
  });
});
