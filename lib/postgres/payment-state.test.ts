import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  mayProceed,
  type TransactionStatus,
  transactionTransitions,
} from "@/lib/domain/payment-order";
import type { PaymentId } from "@/lib/domain/values";
import {
  challengedPayment,
  exampleTpp,
  initiation,
  now,
  type Payer,
  payer,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
} from "./testing";

describe("the status of a payment", () => {
  let database: TestDatabase;
  let stores: Stores;
  let ana: Payer;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
    await stores.tpps.remember(exampleTpp, now);
    ana = await payer(database.db);
  });
  afterAll(() => database.close());

  const statuses = Object.keys(transactionTransitions) as TransactionStatus[];
  const pairs = statuses.flatMap((from) =>
    statuses.filter((to) => to !== from).map((to) => ({ from, to, may: mayProceed(from, to) })),
  );

  /** From RCVD on, `to` included; the table has no way that needs an order of its own. */
  function wayTo(to: TransactionStatus, from: TransactionStatus = "RCVD"): TransactionStatus[] {
    if (from === to) return [];
    if (mayProceed(from, to)) return [to];
    const ways = transactionTransitions[from].map((next) => [next, ...wayTo(to, next)]);
    return ways.find((way) => way.at(-1) === to) ?? [];
  }

  async function received(): Promise<PaymentId> {
    const begun = initiation();
    await stores.payments.initiate(begun);
    const { id } = begun.started.payment;
    await database.sql`update payment_state set psu_id = ${ana.psuId}, authorised_at = now(),
    debit_account_id = ${ana.accountId}, debit_currency = 'EUR', debit_minor = 1, fee_minor = 0 where payment_id = ${id}`;
    return id;
  }

  const proceed = (id: PaymentId, to: TransactionStatus) => database.sql`
  update payment_state set status = ${to}, reason = ${to === "RJCT" ? "cancelled" : null},
    status_at = status_at + interval '1 second' where payment_id = ${id}`;
  const kept = async (id: PaymentId) => {
    const rows = await database.sql`select status from payment_status_change
    where payment_id = ${id} order by at`;
    return rows.map(({ status }) => status);
  };

  describe("forward only: the database lets a payment go the ways of the domain's table and no other", () => {
    test.each(pairs)("$from to $to: $may", async ({ from, to, may }) => {
      const id = await received();
      for (const step of wayTo(from)) await proceed(id, step);
      const before = ["RCVD", ...wayTo(from)];
      expect(await kept(id)).toEqual(before);
      const step = proceed(id, to);
      if (may) await step;
      else await expect(step).rejects.toThrow(`no payment goes from ${from} to ${to}`);
      expect(await kept(id)).toEqual(may ? [...before, to] : before);
    });

    test.each(statuses.filter((status) => status !== "RCVD"))(
      "none begins with %s",
      async (status) => {
        const begun = initiation({ status });
        await expect(stores.payments.initiate(begun)).rejects.toMatchObject({
          message: "a payment begins with RCVD",
        });
        expect(await stores.payments.firstAnswer(begun.key)).toBeUndefined();
      },
    );
  });

  test("each status is kept with its instant and its reason", async () => {
    const id = await received();
    await proceed(id, "RJCT");
    const rows = await database.sql`select c.status, c.reason, c.at = s.status_at as now
    from payment_status_change c join payment_state s using (payment_id)
    where payment_id = ${id} order by at`;
    expect(rows).toEqual([
      { status: "RCVD", reason: null, now: false },
      { status: "RJCT", reason: "cancelled", now: true },
    ]);
  });

  test("RJCT says why, and nothing else has a reason", async () => {
    const id = await received();
    const states = database.sql;
    const silent = states`update payment_state set status = 'RJCT' where payment_id = ${id}`;
    await expect(silent).rejects.toThrow("payment_state_reason");
    const talking = states`update payment_state set reason = 'no-funds' where payment_id = ${id}`;
    await expect(talking).rejects.toThrow("payment_state_reason");
  });

  test("nothing is accepted that no PSU has authorised", async () => {
    const begun = initiation();
    await stores.payments.initiate(begun);
    const accepted = proceed(begun.started.payment.id, "ACTC");
    await expect(accepted).rejects.toThrow("payment_state_authorised");
  });

  describe("B14: what a PSU has authorised does not change", () => {
    const authorised = {
      psu_id: "another",
      authorised_at: "2026-11-21T00:00:00Z",
      debit_account_id: "00000000-0000-4000-8000-000000000001",
      debit_currency: "RON",
      debit_minor: 2,
      fee_minor: 1,
    };
    const columns = Object.entries(authorised);
    const changes = columns.flatMap(([column, other]) => [
      [column, other] as const,
      [column, null] as const,
    ]);
    test.each(changes)("%s to %s", async (column, value) => {
      const decision = await challengedPayment(stores, ana);
      expect(await stores.authorisations.finalisePayment(decision)).toBe("finalised");
      const { paymentId } = decision;
      const before = await stores.payments.findOfTpp(paymentId, exampleTpp.id);
      const change = database.sql`update payment_state set ${database.sql({ [column]: value })}
      where payment_id = ${paymentId}`;
      await expect(change).rejects.toThrow("what was authorised does not change");
      expect(await stores.payments.findOfTpp(paymentId, exampleTpp.id)).toEqual(before);
    });
  });
});

describe("what the database keeps of a payment", () => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
    await stores.tpps.remember(exampleTpp, now);
    const begun = initiation();
    await stores.payments.initiate(begun);
  });
  afterAll(() => database.close());

  const immutable = ["payment", "payment_initiation", "payment_status_change"];
  const rows = (table: string) => database.sql`select * from ${database.sql(table)}`;

  describe.each([...immutable, "payment_state"])("B14: of %s", (table) => {
    const refusal = `a row of ${table} is never changed or removed`;

    test("no row is removed", async () => {
      const before = await rows(table);
      await expect(database.sql`delete from ${database.sql(table)}`).rejects.toThrow(refusal);
      expect(await rows(table)).toEqual(before);
      expect(before).not.toEqual([]);
    });

    test("not all rows at once are removed", async () => {
      const emptied = database.sql`truncate ${database.sql(table)} cascade`;
      await expect(emptied).rejects.toThrow(refusal);
      expect(await rows(table)).not.toEqual([]);
    });
  });

  describe.each(immutable)("B14: of %s", (table) => {
    test("no column is changed", async () => {
      const before = await rows(table);
      const columns = Object.keys(before[0] ?? {}).filter((column) => column !== "id");
      expect(columns).not.toEqual([]);
      for (const column of columns) {
        const name = database.sql(column);
        await expect(
          database.sql`update ${database.sql(table)} set ${name} = ${name}`,
        ).rejects.toThrow(`a row of ${table} is never changed or removed`);
      }
      expect(await rows(table)).toEqual(before);
    });
  });

  test("a state stays with its payment", async () => {
    const other = initiation();
    await stores.payments.initiate(other);
    const moved = database.sql`update payment_state set payment_id = ${other.started.payment.id}`;
    await expect(moved).rejects.toThrow("no payment goes from RCVD to RCVD");
  });
});
