import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addEntries } from "@/lib/core-bank/ledger/testing";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import {
  exampleTpp,
  minutesOn,
  now,
  type Stores,
  storesOf,
  today,
  waitingForLocks,
} from "./samples";
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

async function usedOn({ psuId, on }: PaymentDecision): Promise<bigint> {
  const [row] = await database.sql`select used_minor from payment_limit_day
    where psu_id = ${psuId} and day = ${on}`;
  return BigInt(row?.["used_minor"] ?? 0);
}

test("the yes makes the authorisation final and the payment accepted, and it is due at once", async () => {
  const ana = await payer(database.db);
  const decision = await challengedPayment(stores, ana);
  expect(await authorisationOf(decision)).toMatchObject({ failedAttempts: 1 });
  expect(await finalise(decision)).toBe("finalised");
  const authorisation = await authorisationOf(decision);
  expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
  expect(authorisation?.challenge).toBeUndefined();
  const { psuId, debit, at } = decision;
  expect(await paymentOf(decision)).toMatchObject({
    ...{ status: "ACCP", statusAt: at, psuId, debit, fundsAvailable: true },
  });
  expect(await changesOf(decision)).toEqual(["RCVD", "ACTC", "ACCP"]);
  const [row] = await database.sql`
    select s.limit_day::text, s.limit_minor::int, s.due_at = ${at.toISOString()} as due,
      s.authorised_at = ${at.toISOString()} and s.authorised_at = a.decided_at as decided
    from payment_state s join authorisation a on a.resource_id = s.payment_id
    where payment_id = ${decision.paymentId}`;
  expect(row).toEqual({ limit_day: today, limit_minor: 1_250, due: true, decided: true });
  expect(await usedOn(decision)).toBe(1_250n);
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

describe("whether funds are there is looked at with the fee", () => {
  test.each([
    ["exactly enough", 1_850n, 0n, true],
    ["a cent too little", 1_849n, 0n, false],
    ["enough with the overdraft", 0n, 1_850n, true],
    ["a cent too little with the overdraft", -1n, 1_850n, false],
  ])("%s", async (_, balance, overdraftMinor, fundsAvailable) => {
    const ana = await payer(database.db, { overdraftMinor });
    const rest = { amountMinor: balance - 100_000n, enteredOn: today, bookedOn: today };
    await addEntries(database.db, ana.accountId, [rest]);
    const decision = await challengedPayment(stores, ana);
    expect(await finalise(decision)).toBe("finalised");
    expect(await paymentOf(decision)).toMatchObject({ status: "ACCP", fundsAvailable });
  });

  test("what another transaction takes from the account just now is waited for", async () => {
    const ana = await payer(database.db);
    const decision = await challengedPayment(stores, ana);
    let yes: Promise<string> | undefined;
    await database.db.transaction(async (tx) => {
      await addEntries(tx, ana.accountId, [{ amountMinor: -99_000n, enteredOn: today }]);
      yes = finalise(decision);
      await waitingForLocks(database, 1);
    });
    expect(await yes).toBe("finalised");
    expect(await paymentOf(decision)).toMatchObject({ fundsAvailable: false });
  });
});

describe("P6, P8: a code is used once", () => {
  test("of 100 submits at once one is accepted, and the limit is used once", async () => {
    const decision = await challengedPayment(stores, await payer(database.db));
    const answers = await Promise.all(Array.from({ length: 100 }, () => finalise(decision)));
    const accepted = answers.filter((answer) => answer === "finalised");
    expect(accepted).toHaveLength(1);
    expect(answers.filter((answer) => answer === "too-late")).toHaveLength(99);
    expect(await usedOn(decision)).toBe(1_250n);
  });

  test("of yes and no at once one is heard", async () => {
    const ana: Payer = await payer(database.db);
    for (let round = 0; round < 20; round += 1) {
      const decision = { ...(await challengedPayment(stores, ana)), dayLimit: eur(1_000_000n) };
      const { authorisationId: id, on, at } = decision;
      const [yes, no] = await Promise.all([
        finalise(decision),
        stores.authorisations.fail({ id, because: "cancelled", on, at }),
      ]);
      expect(yes).toBe(no ? "too-late" : "finalised");
      expect((await paymentOf(decision))?.status).toBe(no ? "RJCT" : "ACCP");
      expect((await authorisationOf(decision))?.scaStatus).toBe(no ? "failed" : "finalised");
    }
  });

  test("once more after the window: too late, and nothing more is used", async () => {
    const decision = await challengedPayment(stores, await payer(database.db));
    await finalise(decision);
    expect(await finalise(decision)).toBe("too-late");
    expect(await finalise({ ...decision, at: minutesOn(20) })).toBe("too-late");
    expect(await usedOn(decision)).toBe(1_250n);
  });
});
