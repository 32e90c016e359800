import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerEntry } from "@/drizzle/schema/ledger/entries";
import type { AccountId, PaymentId, PsuId } from "@/lib/domain/values";
import { type Connection, connect } from "@/lib/postgres/client";
import { patientBounds, type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { ledgerPayment } from "../../../drizzle/schema/ledger";
import { paymentExecution } from "./payment-execution";
import {
  addAccount,
  addCustomer,
  addEntries,
  balanceOf,
  bookedEntry,
  duePayment,
  money,
  moneyMadeOrLost,
  now,
  secondsOn,
  stateOf,
  statusesOf,
} from "./testing";

let database: TestDatabase;
let workers: readonly Connection[];
let psu: PsuId;

beforeEach(async () => {
  database = await testDatabase();
  const url = new URL(database.url);
  url.searchParams.set("application_name", "worker");
  workers = [1, 2, 3, 4].map(() => connect(url.href, { max: 1, bounds: patientBounds }));
  psu = await addCustomer(database.db, "Ana Popescu");
});
afterEach(async () => {
  await Promise.all(workers.map(({ close }) => close()));
  await database.close();
});

/** RON 10.00 to another bank. */
const ofTen = { amountMinor: 1_000n, currency: money("RON") } as const;
const inAll = ["ACCP", "ACSC", "ACSP"];

async function accountWith(amountMinor: bigint): Promise<AccountId> {
  const id = await addAccount(database.db, { [psu]: "owner" });
  await addEntries(database.db, id, [{ ...bookedEntry(1), amountMinor }]);
  return id;
}
const times = <Made>(count: number, make: (nth: number) => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => make(nth)));
const ibanOf = async (id: AccountId) => {
  const [row] = await database.db.select().from(ledgerAccount).where(eq(ledgerAccount.id, id));
  if (row === undefined || row.iban === null) throw new Error("no such account");
  return row.iban;
};

/** All servers at once, until none finds anything due. */
async function drain(at: Date): Promise<number> {
  const counts = workers.map(async ({ db }) => {
    let count = 0;
    for (;;) {
      const { steps } = await paymentExecution(db, aspspProfile).advance(at, 5);
      if (steps === 0) return count;
      count += steps;
    }
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Ends the connection of a server that is in the middle of a step; how many there were to be ended. */
async function cutOne(): Promise<number> {
  const cut = await database.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'worker' and state <> 'idle'
    order by random() limit 1`;
  return cut.length;
}
const settledCount = () => database.db.$count(ledgerPayment, eq(ledgerPayment.status, "ACSC"));

async function debitsOf(ids: readonly PaymentId[]) {
  const rows = await database.db.select().from(ledgerEntry);
  return ids.map((id) =>
    rows.filter(({ entryReference: text }) => text === id.replaceAll("-", "")),
  );
}

describe("several servers", () => {
  it("B15: take each step of each payment once", async () => {
    const debtor = await accountWith(100_000n);
    const ids = await times(40, () => duePayment(database.db, { debtor, ...ofTen }));
    expect(await drain(now)).toBe(40);
    expect(await drain(secondsOn(5))).toBe(40);
    for (const id of ids) expect(await statusesOf(database.db, id)).toEqual(inAll);
    expect((await debitsOf(ids)).every(({ length }) => length === 1)).toBe(true);
    expect(await balanceOf(database.db, debtor)).toBe(60_000n);
  });

  it("B15: whose connections are cut a hundred times leave no step half done and none done twice", async () => {
    const debtors = await times(4, () => accountWith(20_000n));
    const ids = await times(40, (nth) =>
      duePayment(database.db, { debtor: debtors[nth % 4] as AccountId, ...ofTen }),
    );
    await database.sql.unsafe(`create function slowly() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.02); return null; end $$;
      create trigger slowly after insert or update on ledger_entry execute function slowly()`);
    let cuts = 0;
    for (let at = now; (await settledCount()) < 40; at = new Date(at.getTime() + 60_000)) {
      let over = false;
      const turns = workers.map(({ db }) => paymentExecution(db, aspspProfile).advance(at, 20));
      const running = Promise.allSettled(turns).then(() => {
        over = true;
      });
      while (!over) {
        if (cuts < 100) cuts += await cutOne();
        await sleep(8);
      }
      await running;
    }
    expect(cuts).toBe(100);
    for (const id of ids) expect(await statusesOf(database.db, id)).toEqual(inAll);
    expect((await debitsOf(ids)).every(({ length }) => length === 1)).toBe(true);
    for (const debtor of debtors) expect(await balanceOf(database.db, debtor)).toBe(10_000n);
    expect(await moneyMadeOrLost(database.db)).toEqual([]);
  });

  it("never pass the overdraft together: 50 payments at once, funds for 10", async () => {
    const debtor = await accountWith(7_000n);
    await database.db.update(ledgerAccount).set({ overdraftMinor: 3_000n });
    const ids = await times(50, () =>
      duePayment(database.db, { debtor, ...ofTen, rejectWithoutFunds: true }),
    );
    await drain(now);
    await drain(secondsOn(5));
    const states = await Promise.all(ids.map((id) => stateOf(database.db, id)));
    const count = (status: string) => states.filter((state) => state.status === status).length;
    expect([count("ACSC"), count("RJCT")]).toEqual([10, 40]);
    expect(await balanceOf(database.db, debtor)).toBe(-3_000n);
  });

  it("of which two customers pay each other at once never wait for each other", async () => {
    const [one, other] = [await accountWith(100_000n), await accountWith(100_000n)];
    const [ibanOfOne, ibanOfOther] = [await ibanOf(one), await ibanOf(other)];
    const ids = await times(40, (nth) =>
      duePayment(database.db, {
        product: "instant-sepa-credit-transfers",
        ...ofTen,
        ...(nth % 2 === 0
          ? { debtor: one, creditorIban: ibanOfOther }
          : { debtor: other, creditorIban: ibanOfOne }),
      }),
    );
    expect(await drain(now)).toBe(120);
    const states = await Promise.all(ids.map((id) => stateOf(database.db, id)));
    expect(states.filter(({ status }) => status !== "ACCC")).toEqual([]);
    expect(await balanceOf(database.db, one)).toBe(100_000n);
    const [stat] = await database.sql`select deadlocks::int from pg_stat_database
      where datname = current_database()`;
    expect(stat).toEqual({ deadlocks: 0 });
  });

  it("do not wait for a payment that another has in hand", async () => {
    const debtor = await accountWith(100_000n);
    const held = await duePayment(database.db, {
      debtor,
      ...ofTen,
      dueAt: secondsOn(-9),
    });
    const free = await duePayment(database.db, { debtor, ...ofTen });
    await database.sql.begin(async (tx) => {
      await tx`select from ledger_payment where id = ${held} for update`;
      expect(await drain(now)).toBe(1);
    });
    expect((await stateOf(database.db, free)).status).toBe("ACSP");
    expect((await stateOf(database.db, held)).status).toBe("ACCP");
  });
});
