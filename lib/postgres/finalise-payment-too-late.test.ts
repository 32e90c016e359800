import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { exampleTpp, minutesOn, now, type Stores, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import {
  challengedPayment,
  expectUnauthorised,
  order,
  type Payer,
  payer,
} from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
let ana: Payer;
let decision: PaymentDecision;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());
beforeEach(async () => {
  ana = await payer(database.db);
  decision = await challengedPayment(stores, ana);
});

const finalise = (given: Partial<PaymentDecision> = {}) =>
  stores.authorisations.finalisePayment({ ...decision, ...given });
const payments = (text: string) => database.sql.unsafe(text, [decision.paymentId]);

describe("too late, and nothing changes", () => {
  const refused: readonly [string, Partial<PaymentDecision>][] = [
    ["P6: with the code of another challenge", { codeFingerprint: "another" }],
    ["P6: once the code is too old", { at: minutesOn(5) }],
    ["for another authorisation", { authorisationId: crypto.randomUUID() as never }],
    ["for another payment", { paymentId: crypto.randomUUID() as never }],
  ];
  test.each(refused)("%s", async (_, given) => {
    expect(await finalise(given)).toBe("too-late");
    await expectUnauthorised(database, decision);
  });

  test("P1: for another PSU, though the account is theirs too", async () => {
    const { psuId } = await payer(database.db);
    await database.sql`insert into account_owner values (${ana.accountId}, ${psuId}, 'owner')`;
    expect(await finalise({ psuId })).toBe("too-late");
    await expectUnauthorised(database, decision);
  });

  test("P9: for another account than the code was sent for, though it is their own", async () => {
    const { accountId } = await payer(database.db, { psuId: ana.psuId });
    const debit = { ...decision.debit, accountId };
    const linked = await linkHash(
      paymentLink(
        { id: decision.paymentId, order: { ...order, debtor: { iban: ana.iban } } },
        debit,
      ),
    );
    expect(await finalise({ debit, linked })).toBe("too-late");
    await expectUnauthorised(database, decision);
  });

  const changes = [
    ["in an authorisation of a consent", "update authorisation set kind = 'PIIS'"],
    ["in one of another payment", "update authorisation set resource_id = gen_random_uuid()"],
    ["before a code was sent", "update authorisation set sca_status = 'psuAuthenticated'"],
  ];
  test.each(changes)("%s", async (_, change) => {
    await payments(`${change} where resource_id = $1`);
    expect(await finalise()).toBe("too-late");
    await expectUnauthorised(database, decision);
  });

  test("once the window is over, though the code would still run", async () => {
    await payments(`update authorisation set code_expires_at = expires_at + interval '1 hour'
      where resource_id = $1`);
    expect(await finalise({ at: minutesOn(15) })).toBe("too-late");
    await expectUnauthorised(database, decision);
  });

  test("when the payment is rejected already", async () => {
    await payments(
      "update payment_state set status = 'RJCT', reason = 'cancelled' where payment_id = $1",
    );
    expect(await finalise()).toBe("too-late");
    expect((await stores.authorisations.find(decision.authorisationId))?.scaStatus).toBe("started");
  });

  test("for a payment that names another authorisation as its own", async () => {
    const other = await challengedPayment(stores, ana);
    await database.sql`update authorisation set resource_id = gen_random_uuid()
      where id = ${other.authorisationId}`;
    await database.sql`update authorisation set resource_id = ${other.paymentId}
      where id = ${decision.authorisationId}`;
    const { paymentId, linked } = other;
    expect(await finalise({ paymentId, linked })).toBe("too-late");
    await expectUnauthorised(database, decision);
  });
});
