import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { exampleTpp, minutesOn, now, type Stores, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { challengedPayment, eur, order, type Payer, payer } from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const finalise = (decision: PaymentDecision) => stores.authorisations.finalisePayment(decision);
const paymentOf = ({ paymentId }: PaymentDecision) =>
  stores.payments.findOfTpp(paymentId, exampleTpp.id);
const changesOf = async ({ paymentId }: PaymentDecision) => {
  const rows =
    await database.sql`select status from payment_status_change where payment_id = ${paymentId}
    order by array_position(array['RCVD', 'ACTC', 'ACCP', 'RJCT'], status)`;
  return rows.map(({ status }) => status);
};
const authorisationOf = ({ authorisationId }: PaymentDecision) =>
  stores.authorisations.find(authorisationId);

const submissionsOf = async ({ paymentId, submitAgainAt }: PaymentDecision) =>
  database.sql`
  select due_at = ${submitAgainAt.toISOString()} as due, attempts from payment_submission
  where payment_id = ${paymentId}`;

test("the yes makes the authorisation final and the payment authorised, and it is in the outbox", async () => {
  const ana = await payer(database.db);
  const decision = await challengedPayment(stores, ana);
  expect(await authorisationOf(decision)).toMatchObject({ failedAttempts: 1 });
  expect(await finalise(decision)).toBe("finalised");
  const authorisation = await authorisationOf(decision);
  expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
  expect(authorisation?.challenge).toBeUndefined();
  const { psuId, debit, at } = decision;
  expect(await paymentOf(decision)).toMatchObject({
    ...{ status: "ACTC", statusAt: at, psuId, authorisedAt: at, debit },
  });
  expect(await changesOf(decision)).toEqual(["RCVD", "ACTC"]);
  expect(await submissionsOf(decision)).toEqual([{ due: true, attempts: 0 }]);
});

test("a debit in another currency is kept in the account's", async () => {
  const ana = await payer(database.db, { currency: "RON" as never });
  const decision = await challengedPayment(stores, ana);
  const inRon = (minorUnits: bigint) => ({ currency: "RON" as never, minorUnits });
  const debit = { ...decision.debit, amount: inRon(6_363n), fee: inRon(0n) };
  const payment = { id: decision.paymentId, order: { ...order, debtor: { iban: ana.iban } } };
  const linked = await linkHash(paymentLink(payment, debit));
  expect(await finalise({ ...decision, debit, linked })).toBe("finalised");
  expect(await paymentOf(decision)).toMatchObject({ debit, order: { amount: eur(1_250n) } });
});

describe("P6, P8: a code is used once", () => {
  test("of 100 answers at once one is heard, and the payment is in the outbox once", async () => {
    const decision = await challengedPayment(stores, await payer(database.db));
    const answers = await Promise.all(Array.from({ length: 100 }, () => finalise(decision)));
    const accepted = answers.filter((answer) => answer === "finalised");
    expect(accepted).toHaveLength(1);
    expect(answers.filter((answer) => answer === "too-late")).toHaveLength(99);
    expect(await submissionsOf(decision)).toHaveLength(1);
  });

  test("of yes and no at once one is heard", async () => {
    const ana: Payer = await payer(database.db);
    for (let round = 0; round < 20; round += 1) {
      const decision = await challengedPayment(stores, ana);
      const { authorisationId: id, on, at } = decision;
      const [yes, no] = await Promise.all([
        finalise(decision),
        stores.authorisations.fail({ id, because: "cancelled", on, at }),
      ]);
      expect(yes).toBe(no ? "too-late" : "finalised");
      expect((await paymentOf(decision))?.status).toBe(no ? "RJCT" : "ACTC");
      expect((await authorisationOf(decision))?.scaStatus).toBe(no ? "failed" : "finalised");
    }
  });

  test("once more after the window: too late, and nothing more is submitted", async () => {
    const decision = await challengedPayment(stores, await payer(database.db));
    await finalise(decision);
    expect(await finalise(decision)).toBe("too-late");
    expect(await finalise({ ...decision, at: minutesOn(20) })).toBe("too-late");
    expect(await submissionsOf(decision)).toHaveLength(1);
  });
});
