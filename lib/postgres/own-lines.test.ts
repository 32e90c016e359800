import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isUnavailable } from "@/lib/domain/unavailable";
import { type Connection, connect } from "./client";
import { databaseOfNotes } from "./testing-notes";
import { codeOf } from "./unavailable";

const bounds = { connect: 5_000, wait: 10_000, answer: 20_000, rest: 1_000 };
const database = databaseOfNotes();
const { notes } = database;
let bank: Connection;

beforeEach(() => {
  bank = connect(database.url, { max: 3, bounds });
});
afterEach(() => bank.close());

type Asker = Pick<Connection["db"], "execute">;
/** Which of PostgreSQL's processes answers, after so many seconds. */
async function pid(asker: Asker = bank.db, seconds = 0): Promise<unknown> {
  const [row] = await asker.execute(sql`select pg_backend_pid() as pid, pg_sleep(${seconds})`);
  return row?.["pid"];
}
const many = <Value>(length: number, make: (nth: number) => Value) =>
  Array.from({ length }, (_, nth) => make(nth));
/** When what is asked by now has been sent, still in this turn of the loop. */
const sameTurn = () => new Promise<void>((resolve) => process.nextTick(resolve));
const distinct = (values: readonly unknown[]) => new Set(values).size;

describe("statements", () => {
  it("that are sent in one turn of the loop go over one connection, one that nobody waits at", async () => {
    const slow = pid(bank.db, 0.5);
    await nextTurn();
    await nextTurn();
    const others = await Promise.all(many(5, () => pid()));
    expect(distinct(others)).toBe(1);
    expect(others).not.toContain(await slow);
  });

  it("of one turn that are more than go together are spread over all connections", async () => {
    const apart = connect(database.url, { max: 3, bounds, togetherMax: 1 });
    expect(distinct(await Promise.all(many(3, () => pid(apart.db))))).toBe(3);
    expect(distinct(await Promise.all(many(30, () => pid(apart.db))))).toBe(3);
    await apart.close();
  });

  it("that fail leave their connection to the next ones", async () => {
    const wrong = () => bank.db.execute(sql`select nothing`).catch((error: unknown) => error);
    for (let turn = 0; turn < 30; turn += 1) {
      const said = await Promise.all(many(5, wrong));
      expect(said.map(codeOf)).toEqual(many(5, () => "42703"));
    }
    expect(distinct(await Promise.all(many(5, () => pid())))).toBe(1);
  });

  it("look through no list that grows with how many there were", async () => {
    for (let nth = 0; nth < 300; nth += 1) await pid();
    const longest = { places: 0 };
    const { indexOf } = Array.prototype;
    const spy = vi.spyOn(Array.prototype, "indexOf").mockImplementation(function look(
      this: unknown[],
      ...given
    ) {
      longest.places = Math.max(longest.places, this.length);
      return Reflect.apply(indexOf, this, given);
    });
    await Promise.all([pid(), pid()]);
    spy.mockRestore();
    expect(longest.places).toBeGreaterThan(0);
    expect(longest.places).toBeLessThan(20);
  });

  it("do not wait for transactions to end, however many there are", async () => {
    const ends: (() => void)[] = [];
    const held = many(5, () =>
      bank.db.transaction(async (tx) => {
        await tx.execute(sql`insert into note values ('held')`);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await vi.waitFor(() => expect(ends).toHaveLength(2), { timeout: 30_000 });
    await Promise.all(many(20, () => pid()));
    expect(ends).toHaveLength(2);
    for (let ended = 0; ended < 5; ended += 1) {
      await vi.waitFor(() => expect(ends.length).toBeGreaterThan(ended), { timeout: 30_000 });
      await Promise.all(many(20, () => pid()));
      ends[ended]?.();
    }
    await Promise.all(held);
    expect(await notes()).toHaveLength(5);
  });
});

describe("transactions", () => {
  it("begin where nobody waits, and statements of that turn go elsewhere from then on", async () => {
    const ends: (() => void)[] = [];
    const hold = () =>
      bank.db.transaction(async (tx) => {
        const own = pid(tx);
        await new Promise<void>((resolve) => ends.push(resolve));
        return own;
      });
    const slow = [pid(bank.db, 0.3), pid()];
    await nextTurn();
    await nextTurn();
    const held = [hold()];
    await vi.waitFor(() => expect(ends).toHaveLength(1), { timeout: 30_000 });
    const before = pid();
    await sameTurn();
    held.push(hold());
    slow.push(pid());
    const [one, ...same] = await Promise.all(slow);
    expect(same).toEqual([one, one]);
    const other = await before;
    await vi.waitFor(() => expect(ends).toHaveLength(2), { timeout: 30_000 });
    for (const end of ends) end();
    const [first, second] = await Promise.all(held);
    expect(distinct([one, first, second])).toBe(3);
    expect(second).toBe(other);
  });

  it("have their connection to themselves, and no statement of others is in them", async () => {
    const seen: unknown[] = [];
    const held = bank.db.transaction(async (tx) => {
      seen.push(await pid(tx), await pid(tx));
      await Promise.all(many(20, () => pid()).map(async (asked) => seen.push(await asked)));
      seen.push(await pid(tx));
    });
    await held;
    const [own, ...others] = seen;
    expect(others.filter((one) => one === own)).toHaveLength(2);
  });

  it("come in the order in which they were begun", async () => {
    const single = connect(database.url, { max: 1, bounds });
    const note = (text: string) =>
      single.db.transaction((tx) => tx.execute(sql`insert into note values (${text})`));
    const wrong = () => single.db.transaction((tx) => tx.execute(sql`select nothing`));
    const said = await Promise.all([note("a"), wrong().catch(codeOf), note("b"), note("c")]);
    expect(said[1]).toBe("42703");
    expect(await notes()).toEqual([{ text: "a" }, { text: "b" }, { text: "c" }]);
    await single.close();
  });

  it("that wait while the bank closes are told at once, and never run", async () => {
    const closing = connect(database.url, { max: 2, bounds });
    const held = closing.db.transaction((tx) => tx.execute(sql`select pg_sleep(0.5)`));
    const waiting = closing.db
      .transaction((tx) => tx.execute(sql`insert into note values ('late')`))
      .catch((error: unknown) => error);
    await nextTurn();
    const closed = closing.close();
    expect(isUnavailable(await Promise.race([waiting, held]))).toBe(true);
    await Promise.all([held, closed]);
    expect(await notes()).toHaveLength(0);
  });

  it("and statements leave no connection open when the bank closes", async () => {
    const closing = connect(database.url, { max: 3, bounds, togetherMax: 1 });
    const opened = await Promise.all(many(3, () => pid(closing.db)));
    expect(distinct(opened)).toBe(3);
    await closing.close();
    const left = () => database.sql`
      select from pg_stat_activity where pid in ${database.sql(opened.map(Number))}`;
    await vi.waitFor(async () => expect(await left()).toHaveLength(0), { timeout: 30_000 });
  });

  it("and statements together open no more connections than there may be", async () => {
    const noting = () =>
      bank.db.transaction(async (tx) => {
        await tx.execute(sql`insert into note values ('noted')`);
        return pid(tx);
      });
    const apart = many(40, (nth) => (nth % 2 === 0 ? pid(bank.db, 0.01) : noting()));
    expect(distinct(await Promise.all(apart))).toBeLessThanOrEqual(3);
    expect(await notes()).toHaveLength(20);
  });
});
