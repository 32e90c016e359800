import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaymentId } from "@/lib/domain/identifiers";
import type { FailureReason } from "@/lib/domain/sca/authorisation";
import {
  challenged,
  exampleTpp,
  minutesOn,
  now,
  type Stores,
  storesOf,
  today,
  tokenAlive,
  winners,
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { challengedPayment, payer } from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

test("P10: the PSU's no rejects the consent and takes the tokens", async () => {
  const decision = await challenged(stores);
  const neighbour = await challenged(stores);
  const { authorisationId, consentId } = decision;
  expect(
    await stores.authorisations.fail({
      id: authorisationId,
      because: "cancelled",
      on: today,
      at: now,
    }),
  ).toBe(true);
  const authorisation = await stores.authorisations.find(authorisationId);
  expect(authorisation?.scaStatus).toBe("failed");
  expect(authorisation?.challenge).toBeUndefined();
  expect((await stores.consents.find(consentId))?.status).toBe("rejected");
  expect(await tokenAlive(stores, decision)).toBe(false);
  expect(await tokenAlive(stores, neighbour)).toBe(true);
  expect((await stores.consents.find(neighbour.consentId))?.status).toBe("received");
});

test("the end of the window rejects it too", async () => {
  const { authorisationId } = await challenged(stores);
  expect(
    await stores.authorisations.fail({
      id: authorisationId,
      because: "cancelled",
      on: today,
      at: minutesOn(16),
    }),
  ).toBe(true);
});

test("a consent that its TPP has deleted stays deleted", async () => {
  const { authorisationId, consentId } = await challenged(stores);
  await database.sql`update account_consent set status = 'terminatedByTpp' where id = ${consentId}`;
  expect(
    await stores.authorisations.fail({
      id: authorisationId,
      because: "cancelled",
      on: today,
      at: now,
    }),
  ).toBe(true);
  expect((await stores.consents.find(consentId))?.status).toBe("terminatedByTpp");
});

test("it is kept when the no was said", async () => {
  const { authorisationId } = await challenged(stores);
  await stores.authorisations.fail({
    id: authorisationId,
    because: "cancelled",
    on: today,
    at: minutesOn(3),
  });
  const [row] = await database.sql`
    select decided_at = ended_at and ended_at = ${minutesOn(3).toISOString()} as kept
    from authorisation a join account_consent c on c.authorisation_id = a.id
    where a.id = ${authorisationId}`;
  expect(row).toEqual({ kept: true });
});

test("a no is heard once", async () => {
  const { authorisationId } = await challenged(stores);
  expect(
    await winners(50, () =>
      stores.authorisations.fail({ id: authorisationId, because: "cancelled", on: today, at: now }),
    ),
  ).toBe(1);
});

test("no no after the PSU's yes", async () => {
  const decision = await challenged(stores);
  await stores.authorisations.finaliseAccountConsent(decision);
  expect(
    await stores.authorisations.fail({
      id: decision.authorisationId,
      because: "cancelled",
      on: today,
      at: now,
    }),
  ).toBe(false);
  expect((await stores.consents.find(decision.consentId))?.status).toBe("valid");
  expect(await tokenAlive(stores, decision)).toBe(true);
});

describe("a payment", () => {
  const failed = async (because: FailureReason) => {
    const decision = await challengedPayment(stores, await payer(database.db));
    const { authorisationId: id, paymentId } = decision;
    const neighbour = await challengedPayment(stores, await payer(database.db));
    expect(await stores.authorisations.fail({ id, because, on: today, at: minutesOn(16) })).toBe(
      true,
    );
    return { id, paymentId, neighbour };
  };
  const find = (id: PaymentId) => stores.payments.findOfTpp(id, exampleTpp.id);

  const reasons: readonly FailureReason[] = [
    ...["cancelled", "too-many-tries", "psu-blocked", "window-over"],
    ...["withdrawn-by-tpp", "not-own-account", "account-gone", "tpp-blocked"],
  ] as const;
  test.each(reasons)("is rejected because of the same: %s", async (because) => {
    const { id, paymentId, neighbour } = await failed(because);
    expect(await stores.authorisations.find(id)).toMatchObject({
      scaStatus: "failed",
      failedBecause: because,
    });
    const payment = await find(paymentId);
    expect(payment).toMatchObject({ status: "RJCT", reason: because, statusAt: minutesOn(16) });
    expect(payment?.psuId ?? payment?.debit).toBeUndefined();
    expect((await find(neighbour.paymentId))?.status).toBe("RCVD");
  });

  test("is not authorised after the no", async () => {
    const decision = await challengedPayment(stores, await payer(database.db));
    const { authorisationId: id, paymentId } = decision;
    await stores.authorisations.fail({ id, because: "cancelled", on: today, at: now });
    expect(await stores.authorisations.finalisePayment(decision)).toBe("too-late");
    expect((await find(paymentId))?.status).toBe("RJCT");
  });

  test("is not rejected after the PSU's yes", async () => {
    const decision = await challengedPayment(stores, await payer(database.db));
    const { authorisationId: id, paymentId } = decision;
    expect(await stores.authorisations.finalisePayment(decision)).toBe("finalised");
    const no = { id, because: "window-over", on: today, at: minutesOn(20) } as const;
    expect(await stores.authorisations.fail(no)).toBe(false);
    expect((await find(paymentId))?.status).toBe("ACTC");
  });

  test("that is rejected already keeps its reason", async () => {
    const { authorisationId: id, paymentId } = await challengedPayment(
      stores,
      await payer(database.db),
    );
    await database.sql`update payment_state set status = 'RJCT', reason = 'account-gone'
      where payment_id = ${paymentId}`;
    const no = { id, because: "cancelled", on: today, at: now } as const;
    expect(await stores.authorisations.fail(no)).toBe(true);
    expect(await find(paymentId)).toMatchObject({ status: "RJCT", reason: "account-gone" });
  });

  test("that has been authorised is not taken back, whatever its authorisation says", async () => {
    const ana = await payer(database.db);
    const { authorisationId: id, paymentId } = await challengedPayment(stores, ana);
    await database.sql`update payment_state set status = 'ACTC', psu_id = ${ana.psuId},
      authorised_at = now(), debit_account_id = ${ana.accountId}, debit_currency = 'EUR', debit_minor = 1, fee_minor = 0
      where payment_id = ${paymentId}`;
    const no = { id, because: "cancelled", on: today, at: now } as const;
    expect(await stores.authorisations.fail(no)).toBe(true);
    expect((await find(paymentId))?.status).toBe("ACTC");
  });
});
