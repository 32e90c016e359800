import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { Bic, Debit, PaymentOrder } from "@/lib/domain/payment/payment";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { exampleTpp, now, type Stores, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import {
  challengedPayment,
  eur,
  expectUnauthorised,
  order,
  type Payer,
  payer,
} from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
let ana: Payer;
let asked: PaymentOrder;
let decision: PaymentDecision;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const address = { streetName: "Str", country: "DE" };
beforeEach(async () => {
  ana = await payer(database.db);
  const creditor = { ...order.creditor, address };
  asked = { ...order, creditor, debtor: { iban: ana.iban }, endToEndId: "e2e", remittance: "r" };
  decision = await challengedPayment(stores, ana, asked);
});

const finalise = (given: Partial<PaymentDecision> = {}) =>
  stores.authorisations.finalisePayment({ ...decision, ...given });

describe("P7: nothing is paid but what the PSU has seen", () => {
  const { creditor } = order;
  const others: readonly [string, (asked: PaymentOrder) => Partial<PaymentOrder>][] = [
    ["product", () => ({ product: "target-2-payments" })],
    ["amount", () => ({ amount: eur(1_251n) })],
    ["currency", () => ({ amount: { ...order.amount, currency: "RON" as never } })],
    ["creditor's name", () => ({ creditor: { ...creditor, address, name: "Shop 2" } })],
    ["creditor's account", ({ debtor }) => ({ creditor: { ...creditor, address, ...debtor } })],
    [
      "creditor's currency",
      () => ({ creditor: { ...creditor, address, currency: "EUR" as never } }),
    ],
    ["creditor's bank", () => ({ creditor: { ...creditor, address, agent: "COBADEFF" as Bic } })],
    ["creditor's address", () => ({ creditor: { ...creditor, address: { country: "DE" } } })],
    ["debtor's account", () => ({ debtor: order.debtor })],
    ["debtor's currency", ({ debtor }) => ({ debtor: { ...debtor, currency: "EUR" as never } })],
    ["charge bearer", () => ({ chargeBearer: "DEBT" })],
    ["reference", () => ({ endToEndId: "e2e 2" })],
    ["text", ({ remittance }) => ({ remittance: `${remittance} 2` })],
  ];
  test.each(others)("a code for another %s does not fit", async (_, other) => {
    const shown = { id: decision.paymentId, order: { ...asked, ...other(asked) } };
    const linked = await linkHash(paymentLink(shown, decision.debit));
    expect(await finalise({ linked })).toBe("gone");
    await expectUnauthorised(database, decision);
  });

  const debits: readonly [string, (debit: Debit) => Partial<Debit>][] = [
    ["amount", () => ({ amount: eur(1_251n) })],
    ["fee", () => ({ fee: eur(601n) })],
    ["currency", ({ amount }) => ({ amount: { ...amount, currency: "RON" as never } })],
  ];
  test.each(debits)("a debit of another %s does not fit", async (_, other) => {
    const debit = { ...decision.debit, ...other(decision.debit) };
    expect(await finalise({ debit })).toBe("gone");
    await expectUnauthorised(database, decision);
  });

  test("a code for another payment of the same content does not fit", async () => {
    const { linked } = await challengedPayment(stores, ana, asked);
    expect(await finalise({ linked })).toBe("gone");
    await expectUnauthorised(database, decision);
  });
});
