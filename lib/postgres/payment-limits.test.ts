import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { exampleTpp, now, type Stores, storesOf, today } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { challengedPayment, eur, type Payer, payer } from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
let ana: Payer;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());
beforeEach(async () => {
  ana = await payer(database.db);
});

/** The PSU's yes to a payment of so much. */
async function pay(cents: bigint, given: Partial<PaymentDecision> = {}, by = ana) {
  const decision = await challengedPayment(stores, by, { amount: eur(cents) });
  const answer = await stores.authorisations.finalisePayment({ ...decision, ...given });
  const payment = await stores.payments.findOfTpp(decision.paymentId, exampleTpp.id);
  return { answer, payment, decision };
}
const reasonOf = async (paying: ReturnType<typeof pay>) => {
  const { answer, payment } = await paying;
  return answer === "finalised" ? payment?.status : payment?.reason;
};
const dayLimit = eur(3_000n);

describe("the PSU has authorised it, and the bank rejects it", () => {
  async function expectRejected(paying: ReturnType<typeof pay>, reason: string): Promise<void> {
    const { answer, payment, decision } = await paying;
    const { psuId, debit, at, paymentId, authorisationId } = decision;
    expect(answer).toBe("rejected");
    expect(payment).toMatchObject({ status: "RJCT", reason, statusAt: at, psuId, debit });
    expect(payment?.fundsAvailable).toBeUndefined();
    const changes = await database.sql`select c.status, c.reason from payment_status_change c
      where payment_id = ${paymentId} order by array_position(array['RCVD', 'ACTC', 'RJCT'], c.status)`;
    expect(changes).toEqual([
      { status: "RCVD", reason: null },
      { status: "ACTC", reason: null },
      { status: "RJCT", reason },
    ]);
    const [state] = await database.sql`select limit_day, limit_minor, due_at from payment_state
      where payment_id = ${paymentId}`;
    expect(state).toEqual({ limit_day: null, limit_minor: null, due_at: null });
    const authorisation = await stores.authorisations.find(authorisationId);
    expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
    expect(await database.sql`select from payment_limit_day where psu_id = ${psuId}`).toEqual([]);
  }

  test("from an account that is blocked", async () => {
    await database.sql`update ledger_account set status = 'blocked' where id = ${ana.accountId}`;
    await expectRejected(pay(100n), "account-blocked");
  });

  test("above the limit the PSU has set in the bank's own channel", async () => {
    await database.sql`update customer set payment_limit_minor = 1000 where id = ${ana.psuId}`;
    await expectRejected(pay(1_001n), "psu-limit");
  });

  test("above the limit of a day, with the day's first payment", async () => {
    await expectRejected(pay(3_001n, { dayLimit }), "day-limit");
  });
});

test("up to the PSU's own limit a payment is accepted, and another PSU's limit is theirs", async () => {
  await database.sql`update customer set payment_limit_minor = 1000 where id = ${ana.psuId}`;
  expect(await reasonOf(pay(1_000n))).toBe("ACCP");
  expect(await reasonOf(pay(1_001n, {}, await payer(database.db)))).toBe("ACCP");
});

test("limits count the amount in the limit's currency, not the order's", async () => {
  await database.sql`update customer set payment_limit_minor = 1000 where id = ${ana.psuId}`;
  expect(await reasonOf(pay(5_000n, { inLimitCurrency: eur(1_000n), dayLimit }))).toBe("ACCP");
  expect(await reasonOf(pay(900n, { inLimitCurrency: eur(1_001n), dayLimit }))).toBe("psu-limit");
});

test("a day's payments go up to its limit and not above; what is refused takes nothing of it", async () => {
  expect(await reasonOf(pay(2_000n, { dayLimit }))).toBe("ACCP");
  expect(await reasonOf(pay(1_001n, { dayLimit }))).toBe("day-limit");
  expect(await reasonOf(pay(1_000n, { dayLimit }))).toBe("ACCP");
  expect(await reasonOf(pay(1n, { dayLimit }))).toBe("day-limit");
});

test("each local day and each PSU has a limit of its own", async () => {
  expect(await reasonOf(pay(3_000n, { dayLimit }))).toBe("ACCP");
  const tomorrow = { dayLimit, on: "2026-11-21" as IsoDate };
  expect(await reasonOf(pay(3_000n, tomorrow))).toBe("ACCP");
  expect(await reasonOf(pay(1n, tomorrow))).toBe("day-limit");
  expect(await reasonOf(pay(3_000n, { dayLimit }, await payer(database.db)))).toBe("ACCP");
});

test("a PSU's accounts have one limit together", async () => {
  const second = await payer(database.db, { psuId: ana.psuId });
  expect(await reasonOf(pay(2_000n, { dayLimit }))).toBe("ACCP");
  expect(await reasonOf(pay(2_000n, { dayLimit }, second))).toBe("day-limit");
});

test("B8: of 200 payments at once against the limit of 10 exactly 10 are accepted", async () => {
  const accounts = await Promise.all(
    Array.from({ length: 20 }, () => payer(database.db, { psuId: ana.psuId })),
  );
  const decisions = await Promise.all(
    accounts.flatMap((account) =>
      Array.from({ length: 10 }, () => challengedPayment(stores, account)),
    ),
  );
  const limited = decisions.map((decision) => ({ ...decision, dayLimit: eur(12_500n) }));
  const answers = await Promise.all(limited.map(stores.authorisations.finalisePayment));
  expect(answers.filter((answer) => answer === "finalised")).toHaveLength(10);
  expect(answers.filter((answer) => answer === "rejected")).toHaveLength(190);
  const used = await database.sql`select day::text, used_minor::int from payment_limit_day
    where psu_id = ${ana.psuId}`;
  expect(used).toEqual([{ day: today, used_minor: 12_500 }]);
  const states = await database.sql`select status, reason, count(*)::int from payment_state
    where psu_id = ${ana.psuId} group by 1, 2 order by 1`;
  expect(states).toEqual([
    { status: "ACCP", reason: null, count: 10 },
    { status: "RJCT", reason: "day-limit", count: 190 },
  ]);
});
