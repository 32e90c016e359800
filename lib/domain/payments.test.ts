import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import { money, type PaymentProduct } from "./bank-profile";
import { mayProceed, type Payment } from "./payment-order";
import {
  aboveBankLimit,
  afterFundsCheck,
  afterSettlement,
  currentPayment,
  initiatePayment,
  type PaymentOfTpp,
  readPayment,
  readPaymentAuthorisation,
  refuseCancellation,
} from "./payments";
import { asked, order, paymentsBank } from "./testing/journeys";
import { later, newRequestId, now, tpp } from "./testing/samples";
import type { Tpp } from "./tpp";
import { newAuthorisationId, newPaymentId, type TppId } from "./values";

const tooMuch = { ...order, amount: money("EUR", 1_500_001n) };

describe("the initiation of a payment", () => {
  it("keeps the order, the instruction word for word and the authorisation that begins with it", async () => {
    const { bank, start } = paymentsBank();
    const requestId = newRequestId();
    const redirectUris = {
      redirectUri: "https://tpp.example/cb",
      nokRedirectUri: "https://tpp.example",
    };
    const answer = await start({ requestId, redirectUris, loginHint: "ana" });
    const [payment] = bank.payments.values();
    const [authorisation] = bank.authorisations.values();
    expect(answer).toEqual({ status: 201, headers: { location: payment?.id }, body: "RCVD" });
    expect(payment).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      authorisationId: authorisation?.id,
      tppId: tpp.id,
      order,
      instruction: { as: "sent" },
      createdAt: now,
      status: "RCVD",
      statusAt: now,
    });
    expect(authorisation).toMatchObject({
      kind: "PIS",
      resourceId: payment?.id,
      tppId: tpp.id,
      requestId,
      scaStatus: "received",
      redirectUris,
      loginHint: "ana",
      expiresAt: later(15),
    });
  });

  it("makes the TPP known, also when it is refused", async () => {
    for (const given of [{}, { order: tooMuch }]) {
      const { ports } = paymentsBank();
      const known: string[] = [];
      const remember = async ({ id }: Tpp) => {
        known.push(id);
      };
      const tppRegister = { ...ports.tppRegister, remember };
      await initiatePayment({ ...ports, tppRegister }, asked(given));
      expect(known).toEqual([tpp.id]);
    }
  });

  it("above the bank's limit is refused, and the refusal is the answer for good", async () => {
    const { bank, start } = paymentsBank();
    const requestId = newRequestId();
    const refusal = { status: 400, headers: {}, body: "PAYMENT_FAILED" };
    expect(await start({ requestId, order: tooMuch })).toEqual(refusal);
    expect(await start({ requestId })).toEqual(refusal);
    expect([bank.payments.size, bank.authorisations.size]).toEqual([0, 0]);
  });
});

describe("the same X-Request-ID again", () => {
  it("B9: starts no further payment and gets the first answer, whatever is asked", async () => {
    const { bank, start } = paymentsBank();
    const requestId = newRequestId();
    const first = await start({ requestId });
    const other = { ...order, amount: money("EUR", 9_900n) };
    for (const given of [{}, { order: other, bodyDigest: "another" }, { order: tooMuch }]) {
      expect(await start({ requestId, ...given })).toEqual(first);
    }
    expect([bank.payments.size, bank.authorisations.size]).toEqual([1, 1]);
  });

  it("B9: is an event when the body differs", async () => {
    const { bank, start } = paymentsBank();
    const requestId = newRequestId();
    await start({ requestId });
    await start({ requestId, now: later(1) });
    expect(bank.events).toEqual([]);
    await start({ requestId, bodyDigest: "another", now: later(2) });
    expect(bank.events).toEqual([{ kind: "idempotency-mismatch", tppId: tpp.id, requestId }]);
  });

  it("O1: of another TPP is another request", async () => {
    const { bank, start } = paymentsBank();
    const requestId = newRequestId();
    const first = await start({ requestId });
    const other = { ...tpp, id: "PSDDE-BAFIN-1" as TppId };
    expect(await start({ requestId, tpp: other, bodyDigest: "another" })).not.toEqual(first);
    expect(bank.payments.size).toBe(2);
    expect(bank.events).toEqual([]);
  });
});

it("B9: a repeated request with another body is not answered when that cannot be recorded", async () => {
  const { ports, start } = paymentsBank();
  const requestId = newRequestId();
  await start({ requestId });
  const events = { record: () => Promise.reject(new Error("full")) };
  const repeated = asked({ requestId, bodyDigest: "another" });
  await expect(initiatePayment({ ...ports, events }, repeated)).rejects.toThrow("full");
});

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

const product = "sepa-credit-transfers";
const stranger = "PSDDE-BAFIN-1" as TppId;

async function opened() {
  const world = paymentsBank();
  const payment = await world.started();
  const own: PaymentOfTpp = { id: payment.id, product, tppId: tpp.id, now };
  return { ...world, payment, own };
}

const refusalOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);
type Use = (ports: Parameters<typeof readPayment>[0], asked: PaymentOfTpp) => Promise<unknown>;
const uses: readonly (readonly [string, Use])[] = [
  ["read", readPayment],
  ["cancelled", refuseCancellation],
  [
    "asked for its authorisation",
    (ports, asked) =>
      readPaymentAuthorisation(ports, { ...asked, authorisationId: newAuthorisationId() }),
  ],
];

describe("a payment", () => {
  it("is read by its own TPP, in whatever state", async () => {
    const { bank, ports, payment, own } = await opened();
    expect(await readPayment(ports, own)).toEqual(payment);
    for (const status of ["ACCP", "ACSC", "RJCT"] as const) {
      bank.payments.set(payment.id, { ...payment, status });
      expect(await readPayment(ports, own)).toMatchObject({ id: payment.id, status });
    }
  });

  it("of a product that is not offered any more is read, and any other of it is 404 PRODUCT_UNKNOWN", async () => {
    const { ports, payment, own } = await opened();
    const products = { ...ports.profile.payments.products };
    products[own.product] = { ...products[own.product], offered: false };
    const profile = { ...ports.profile, payments: { ...ports.profile.payments, products } };
    expect(await readPayment({ ...ports, profile }, own)).toEqual(payment);
    const unknown = readPayment({ ...ports, profile }, { ...own, id: newPaymentId() });
    await expect(unknown).rejects.toMatchObject({ faults: [{ code: "PRODUCT_UNKNOWN" }] });
  });

  it.each(uses)(
    "O1: of another TPP is, when %s, as unknown as one that is not there",
    async (_, use) => {
      const { ports, own } = await opened();
      const foreign = await refusalOf(use(ports, { ...own, tppId: stranger }));
      const unknown = await refusalOf(use(ports, { ...own, id: newPaymentId() }));
      expect(foreign).toMatchObject({ status: 404, faults: [{ code: "RESOURCE_UNKNOWN" }] });
      expect(unknown).toEqual(foreign);
    },
  );

  it.each(uses)("under another product is, when %s, 403 PRODUCT_INVALID", async (_, use) => {
    const { ports, own } = await opened();
    const other = { ...own, product: "target-2-payments" } as const;
    expect(await refusalOf(use(ports, other))).toMatchObject({
      status: 403,
      faults: [{ code: "PRODUCT_INVALID" }],
    });
    const foreign = await refusalOf(use(ports, { ...other, tppId: stranger }));
    expect(foreign).toMatchObject({ status: 404 });
  });
});

describe("the authorisation of a payment", () => {
  it("is found under its own payment only", async () => {
    const { ports, own, payment, started } = await opened();
    const { authorisationId } = payment;
    const found = await readPaymentAuthorisation(ports, { ...own, authorisationId });
    expect(found).toMatchObject({ id: authorisationId, scaStatus: "received" });
    const other = await started();
    for (const id of [other.authorisationId, newAuthorisationId()]) {
      const call = readPaymentAuthorisation(ports, { ...own, authorisationId: id });
      expect(await refusalOf(call)).toMatchObject({
        status: 404,
        faults: [{ code: "RESOURCE_UNKNOWN" }],
      });
    }
  });

  it("has failed once its window is over", async () => {
    const { ports, own, payment } = await opened();
    const { authorisationId } = payment;
    const late = { ...own, authorisationId, now: later(15) };
    expect(await readPaymentAuthorisation(ports, late)).toMatchObject({ scaStatus: "failed" });
  });
});

describe("the cancellation of a payment", () => {
  it("is not offered: 405 CANCELLATION_INVALID, and nothing changes", async () => {
    const { bank, ports, own, payment } = await opened();
    const authorisation = bank.authorisations.get(payment.authorisationId);
    expect(await refusalOf(refuseCancellation(ports, own))).toMatchObject({
      status: 405,
      faults: [{ code: "CANCELLATION_INVALID" }],
    });
    expect(bank.payments.get(payment.id)).toEqual(payment);
    expect(bank.authorisations.get(payment.authorisationId)).toEqual(authorisation);
  });
});

describe("a payment that nobody has authorised", () => {
  it("is RCVD until the end of its window, then RJCT, whether or not the sweep has run", async () => {
    const { bank, ports, started } = paymentsBank();
    const payment = await started();
    expect(await currentPayment(ports, payment, later(14.99))).toEqual(payment);
    const settled = await currentPayment(ports, payment, later(15));
    expect(settled).toMatchObject({ status: "RJCT", reason: "window-over", statusAt: later(15) });
    expect(bank.payments.get(payment.id)).toEqual(settled);
    expect(bank.authorisations.get(payment.authorisationId)?.scaStatus).toBe("failed");
    expect(await currentPayment(ports, payment, later(20))).toEqual(settled);
  });
});

describe("a payment that was authorised", () => {
  it("stays what it is when the window of its authorisation is over", async () => {
    const { bank, ports, started } = paymentsBank();
    const payment: Payment = { ...(await started()), status: "PDNG" };
    bank.payments.set(payment.id, payment);
    expect(await currentPayment(ports, payment, later(60))).toEqual(payment);
    expect(bank.authorisations.get(payment.authorisationId)?.scaStatus).toBe("received");
  });

  it("is returned as it is now when it has changed since it was read", async () => {
    const { bank, ports, started } = paymentsBank();
    const before = await started();
    const { id, authorisationId } = before;
    const authorisation = await ports.authorisations.find(authorisationId);
    if (authorisation === undefined) throw new Error("no authorisation");
    bank.authorisations.set(authorisationId, { ...authorisation, scaStatus: "finalised" });
    bank.payments.set(id, { ...before, status: "ACCP", fundsAvailable: true });
    expect(await currentPayment(ports, before, later(1))).toMatchObject({ status: "ACCP" });
  });
});

describe("the next step of a payment", () => {
  const authorisedAt = new Date("2026-11-20T10:00:00Z");
  const secondsOn = (seconds: number) => new Date(authorisedAt.getTime() + seconds * 1_000);
  const products = Object.keys(aspspProfile.payments.products) as PaymentProduct[];
  const product = "sepa-credit-transfers";
  const day = 24 * 3_600;

  type Looked = Parameters<typeof afterFundsCheck>[0];
  const looked = (given: Partial<Looked> = {}) =>
    afterFundsCheck(
      {
        status: "ACCP",
        order: { product, rejectWithoutFunds: false },
        enough: true,
        authorisedAt,
        now: authorisedAt,
        ...given,
      },
      aspspProfile,
    );

  describe("an accepted payment whose funds are looked at", () => {
    it.each<readonly [PaymentProduct, number]>([
      ["sepa-credit-transfers", 5],
      ["instant-sepa-credit-transfers", 0],
      ["target-2-payments", 2],
      ["cross-border-credit-transfers", 8],
    ])("%s: is executed, and settled %s seconds later", (name, seconds) => {
      for (const rejectWithoutFunds of [true, false]) {
        for (const status of ["ACCP", "PDNG"] as const) {
          const order = { product: name, rejectWithoutFunds };
          expect(looked({ status, order })).toEqual({ to: "ACSP", dueAt: secondsOn(seconds) });
        }
      }
    });

    it("waits without funds, and is looked at again every 30 seconds", () => {
      const waits = { to: "PDNG", dueAt: secondsOn(30) };
      expect(looked({ enough: false })).toEqual(waits);
      expect(looked({ enough: false, status: "PDNG" })).toEqual(waits);
    });

    it("waits for 24 hours from its authorisation, and is rejected then", () => {
      const at = (seconds: number) =>
        looked({ enough: false, status: "PDNG", now: secondsOn(seconds) });
      expect(at(day - 31)).toEqual({ to: "PDNG", dueAt: secondsOn(day - 1) });
      expect(at(day - 1)).toEqual({ to: "PDNG", dueAt: secondsOn(day) });
      expect(at(day)).toEqual({ to: "RJCT", reason: "no-funds" });
      expect(at(day + 1)).toEqual({ to: "RJCT", reason: "no-funds" });
      expect(looked({ enough: false, now: secondsOn(day) })).toMatchObject({ to: "RJCT" });
    });

    it("is executed also after the cut-off when the funds are there", () => {
      expect(looked({ status: "PDNG", now: secondsOn(day + 1) })).toMatchObject({ to: "ACSP" });
    });

    it("is rejected at once where the TPP prefers that (TPP-Rejection-NoFunds-Preferred)", () => {
      const order = { product, rejectWithoutFunds: true } as const;
      const rejected = { to: "RJCT", reason: "no-funds" };
      expect(looked({ order, enough: false })).toEqual(rejected);
      expect(looked({ order, enough: false, status: "PDNG" })).toEqual(rejected);
    });
  });

  describe("a payment whose debit is booked", () => {
    const settled = (name: PaymentProduct, creditable = true) =>
      afterSettlement(
        { order: { product: name, rejectWithoutFunds: false }, creditable, now: authorisedAt },
        aspspProfile,
      );

    it("is settled; only the instant one waits for the creditor's bank to confirm", () => {
      expect(products.map((name) => [name, settled(name)])).toEqual([
        ["sepa-credit-transfers", { to: "ACSC" }],
        ["instant-sepa-credit-transfers", { to: "ACSC", dueAt: authorisedAt }],
        ["target-2-payments", { to: "ACSC" }],
        ["cross-border-credit-transfers", { to: "ACSC" }],
      ]);
    });

    it.each(products)("%s: is rejected when the creditor's account takes no money", (name) => {
      expect(settled(name, false)).toEqual({ to: "RJCT", reason: "creditor-account-closed" });
    });
  });

  it("every step is one that the table of transitions allows, or goes on waiting", () => {
    const drawn = fc.record({
      status: fc.constantFrom("ACCP" as const, "PDNG" as const),
      enough: fc.boolean(),
      order: fc.record({
        product: fc.constantFrom(...products),
        rejectWithoutFunds: fc.boolean(),
      }),
      now: fc.integer({ min: 0, max: 2 * day }).map(secondsOn),
    });
    const property = fc.property(drawn, fc.boolean(), (given, creditable) => {
      const { to, dueAt, reason } = looked(given);
      expect(mayProceed(given.status, to) || to === given.status).toBe(true);
      // What is rejected is over; all else is due again.
      expect(dueAt === undefined).toBe(to === "RJCT");
      expect(reason === undefined).toBe(to !== "RJCT");
      if (to === "PDNG") expect(dueAt?.getTime()).toBeGreaterThan(given.now.getTime());
      const settled = afterSettlement({ ...given, creditable }, aspspProfile);
      expect(mayProceed("ACSP", settled.to)).toBe(true);
    });
    fc.assert(property);
  });
});
