import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import { afterFundsCheck, afterSettlement } from "./next-step";
import type { PaymentProduct } from "./payment-product";
import { mayProceed } from "./transaction-status";

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

  it("is settled; only the instant one waits for the creditor's bank to tell", () => {
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
