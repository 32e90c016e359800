import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { paymentExecution } from "./payment-execution";
import { addAccount, addCustomer, addEntries, bookedEntry } from "./testing";
import {
  balanceOf,
  duePayment,
  money,
  now,
  secondsOn,
  stateOf,
  statusesOf,
} from "./testing-payments";

let database: TestDatabase;
let debtor: AccountId;

beforeEach(async () => {
  database = await testDatabase();
  const psu = await addCustomer(database.db, "Ana Popescu");
  debtor = await addAccount(database.db, { [psu]: "owner" });
  await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
});
afterEach(() => database.close());

const ofTen = () => ({ debtor, amountMinor: 1_000n, currency: money("RON") });
const advance = (at = now, rowsAtOnce = 20) =>
  paymentExecution(database.db).advance(at, rowsAtOnce);

/** The one that has been due for longest, and that the books refuse. */
async function failing() {
  const id = await duePayment(database.db, {
    ...ofTen(),
    endToEndId: "POISON",
    dueAt: secondsOn(-60),
  });
  await database.sql.unsafe(`create function poison() returns trigger language plpgsql as
    $$ begin if new.end_to_end_id = 'POISON' then raise 'cannot'; end if; return new; end $$;
    create trigger poison before insert on ledger_entry for each row execute function poison()`);
  return id;
}

describe("a payment whose step fails", () => {
  it("makes room for the others, and is tried again later", async () => {
    const failed = await failing();
    const others = [];
    for (let nth = 0; nth < 3; nth += 1) others.push(await duePayment(database.db, ofTen()));
    expect(await advance(now, 2)).toEqual({ steps: 2 });
    expect(await advance()).toEqual({ steps: 2 });
    for (const id of others) expect((await stateOf(database.db, id)).status).toBe("ACSP");
    expect(await stateOf(database.db, failed)).toMatchObject({
      status: "ACCP",
      dueAt: secondsOn(30),
    });
  });

  it("has done nothing by then, and is not lost", async () => {
    const failed = await failing();
    await advance();
    expect(await balanceOf(database.db, debtor)).toBe(100_000n);
    await database.sql`drop trigger poison on ledger_entry`;
    await advance(secondsOn(30));
    await advance(secondsOn(60));
    const all = ["ACCP", "ACSC", "ACSP"];
    expect(await statusesOf(database.db, failed)).toEqual(all);
    expect(await balanceOf(database.db, debtor)).toBe(99_000n);
  });

  it("fails also when its debit is not in the books as it was entered", async () => {
    const id = await duePayment(database.db, ofTen());
    await advance();
    await database.sql`update ledger_entry set status = 'booked', booked_on = entered_on`;
    expect(await advance(secondsOn(5))).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({ status: "ACSP", dueAt: secondsOn(35) });
  });

  it("fails when there is no step for its status", async () => {
    const id = await duePayment(database.db, { ...ofTen(), status: "ACTC" });
    expect(await advance()).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({ status: "ACTC", dueAt: secondsOn(30) });
  });
});

it("a turn that cannot claim any payment fails, and puts none off", async () => {
  const id = await duePayment(database.db, ofTen());
  await database.sql`alter table ledger_payment rename to away`;
  await expect(advance()).rejects.toThrow();
  await database.sql`alter table away rename to ledger_payment`;
  expect((await stateOf(database.db, id)).dueAt).toEqual(now);
});
