import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isUnavailable } from "@/lib/domain/errors";
import { databaseConnections, databaseConnectionsInUse, databaseWaitSeconds } from "@/lib/metrics";
import { type Outage, watchOutage } from "@/lib/outage";
import { type Connection, connect } from "./client";
import { asUnavailable, codeOf } from "./guard";
import { databaseOfNotes, told } from "./testing-database";

describe("connections", () => {
  const bounds = { connect: 5_000, wait: 600, answer: 5_000, rest: 500 };
  const database = databaseOfNotes();
  const { notes } = database;
  const patient = { connect: 5_000, wait: 10_000, answer: 20_000, rest: 1_000 };
  let single: Connection;
  let bank: Connection;

  beforeEach(async () => {
    single = connect(database.url, { max: 1, bounds });
    bank = connect(database.url, { max: 3, bounds: patient });
    await single.db.execute(sql`select 1`);
  });
  afterEach(() => Promise.all([single.close(), bank.close()]));

  const hold = (bank: Connection) =>
    bank.db.transaction((tx) => tx.execute(sql`select pg_sleep(1)`));
  const note = (text: string) => sql`insert into note values (${text})`;

  type Asker = Pick<Connection["db"], "execute">;
  /** Which of PostgreSQL's processes answers, after so many seconds. */
  async function pid(asker: Asker, seconds = 0): Promise<unknown> {
    const [row] = await asker.execute(sql`select pg_backend_pid() as pid, pg_sleep(${seconds})`);
    return row?.["pid"];
  }
  const many = <Value>(length: number, make: (nth: number) => Value) =>
    Array.from({ length }, (_, nth) => make(nth));
  const distinct = (values: readonly unknown[]) => new Set(values).size;

  describe("connections that are all busy", () => {
    it("are not waited for without end, and what has waited in vain never runs", async () => {
      const held = hold(single);
      const waiting = single.db.transaction((tx) => tx.execute(note("too late")));
      expect(await told(waiting)).toEqual([true, "NO_CONNECTION_FREE"]);
      await held;
      await single.db.execute(sql`select 1`);
      expect(await notes()).toEqual([]);
    });

    it("are not waited for without end by a statement either", async () => {
      const held = hold(single);
      expect(await told(single.db.execute(note("too late")))).toEqual([true, "NO_CONNECTION_FREE"]);
      await held;
      await single.db.execute(sql`select 1`);
      expect(await notes()).toEqual([]);
    });

    it("go on working, and run no statement that waited in vain, however many there are", async () => {
      const two = connect(database.url, { max: 2, bounds });
      const sleep = (seconds: number) => told(two.db.execute(sql`select pg_sleep(${seconds})`));
      await Promise.all([sleep(0), sleep(0)]);
      const busy = [sleep(0.3), sleep(0.9), sleep(0.9)];
      const said = await Promise.all(many(150, (nth) => told(two.db.execute(note(`${nth}`)))));
      // Others were sent behind those that take long, since some statements share a connection; on a busy machine many.
      const refused = said.filter((one) => one !== undefined);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused).toEqual(refused.map(() => [true, "NO_CONNECTION_FREE"]));
      expect(await Promise.all(busy)).toEqual([undefined, undefined, undefined]);
      const answered = many(150, (nth) => `${nth}`).filter((_, nth) => said[nth] === undefined);
      await two.db.execute(note("in time"));
      const noted = [...answered, "in time"].map((text) => ({ text }));
      expect(new Set(await notes())).toEqual(new Set(noted));
      await two.close();
    });

    it("are an outage to the request that waited for its transaction in vain", async () => {
      const held = hold(single);
      const met: Outage = { seen: false };
      await watchOutage(met, () =>
        told(single.db.transaction((tx) => tx.execute(note("too late")))),
      );
      expect(met.seen).toBe(true);
      await held;
    });

    it("are waited for by what is refused too, and its wait is measured", async () => {
      const measured = async () => {
        const { values } = await databaseWaitSeconds.get();
        return values.find(({ metricName }) => metricName?.endsWith("_count"))?.value ?? 0;
      };
      const before = await measured();
      const held = hold(single);
      expect(await told(single.db.execute(note("too late")))).toEqual([true, "NO_CONNECTION_FREE"]);
      expect((await measured()) - before).toBe(1);
      await held;
    });

    it("answer statements while transactions wait for each other in vain", async () => {
      const two = connect(database.url, { max: 2, bounds });
      await Promise.all([pid(two.db), pid(two.db)]);
      const held = hold(two);
      const waiting = told(two.db.transaction((tx) => tx.execute(note("too late"))));
      await two.db.execute(sql`select 1`);
      expect(await waiting).toEqual([true, "NO_CONNECTION_FREE"]);
      await two.db.execute(sql`select 1`);
      await held;
      await two.db.transaction((tx) => tx.execute(note("in time")));
      expect(await notes()).toEqual([{ text: "in time" }]);
      await two.close();
    });
  });

  it("of a pool are measured, and those in use; a single one is not", async () => {
    const read = async () => {
      const both = [databaseConnections, databaseConnectionsInUse];
      const [size = 0, used = 0] = (await Promise.all(both.map((gauge) => gauge.get()))).map(
        ({ values: [first] }) => first?.value ?? 0,
      );
      return { size, used };
    };
    const before = await read();
    const more = async () => {
      const { size, used } = await read();
      return [size - before.size, used - before.used];
    };
    const two = connect(database.url, { max: 2, bounds: patient });
    expect(await more()).toEqual([2, 0]);
    const held = [hold(two), pid(two.db, 1), pid(two.db, 1), hold(single)];
    expect(await more()).toEqual([2, 2]);
    await Promise.all(held);
    expect(await more()).toEqual([2, 0]);
    await two.close();
    expect(await more()).toEqual([0, 0]);
  });

  describe("statements", () => {
    it("that fail leave their connection to the next ones", async () => {
      const wrong = () => bank.db.execute(sql`select nothing`).catch((error: unknown) => error);
      for (let turn = 0; turn < 30; turn += 1) {
        const said = await Promise.all(many(5, wrong));
        expect(said.map(codeOf)).toEqual(many(5, () => "42703"));
      }
      expect(distinct(await Promise.all(many(3, () => pid(bank.db))))).toBe(3);
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
      await Promise.all(many(20, () => pid(bank.db)));
      expect(ends).toHaveLength(2);
      for (let ended = 0; ended < 5; ended += 1) {
        await vi.waitFor(() => expect(ends.length).toBeGreaterThan(ended), { timeout: 30_000 });
        await Promise.all(many(20, () => pid(bank.db)));
        ends[ended]?.();
      }
      await Promise.all(held);
      expect(await notes()).toHaveLength(5);
    });
  });

  describe("transactions", () => {
    it("have their connection to themselves, and no statement of others is in them", async () => {
      const seen: unknown[] = [];
      const held = bank.db.transaction(async (tx) => {
        seen.push(await pid(tx), await pid(tx));
        await Promise.all(
          many(20, () => pid(bank.db)).map(async (asked) => seen.push(await asked)),
        );
        seen.push(await pid(tx));
      });
      await held;
      const [own, ...others] = seen;
      expect(others.filter((one) => one === own)).toHaveLength(2);
    });

    it("come in the order in which they were begun", async () => {
      const inTurn = (text: string) => single.db.transaction((tx) => tx.execute(note(text)));
      const wrong = () => single.db.transaction((tx) => tx.execute(sql`select nothing`));
      const said = await Promise.all([
        inTurn("a"),
        wrong().catch(codeOf),
        inTurn("b"),
        inTurn("c"),
      ]);
      expect(said[1]).toBe("42703");
      expect(await notes()).toEqual([{ text: "a" }, { text: "b" }, { text: "c" }]);
    });

    it("that wait while the bank closes are told at once, and never run", async () => {
      const closing = connect(database.url, { max: 2, bounds: patient });
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
      const closing = connect(database.url, { max: 3, bounds: patient });
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
});

describe("unavailable", () => {
  const coded = (code: string) => Object.assign(new Error("told by the server"), { code });

  it.each([
    ["a connection exception", ["08000", "08003", "08006", "08P01"]],
    ["shut down, crashed, starting up", ["57P01", "57P02", "57P03"]],
    ["no disk, no memory, no connection, a limit", ["53000", "53100", "53200", "53300", "53400"]],
    ["a primary that is one no more", ["25006"]],
    ["the driver's words", ["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED"]],
    ["an attempt that took too long", ["CONNECT_TIMEOUT"]],
    ["the network's words", ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"]],
    ["a name that is not found now", ["ENOTFOUND", "EAI_AGAIN"]],
    ["a limit of its operator's on locks or statements", ["55P03", "57014"]],
    ["what the guard gives up", ["NO_CONNECTION_FREE", "NO_ANSWER", "NO_PRIMARY"]],
  ])("the database is away: %s", (_what, codes) => {
    for (const code of codes) {
      const wrapped = new Error("Failed query", { cause: coded(code) });
      for (const error of [coded(code), wrapped]) {
        const known = asUnavailable(error);
        expect([code, isUnavailable(known)]).toEqual([code, true]);
        expect(codeOf(known)).toBe(code);
        expect(isUnavailable(new Error("around it", { cause: known }))).toBe(true);
      }
    }
  });

  it.each([
    ["a statement that is wrong", "42601"],
    ["a unique index that decided", "23505"],
    ["a lost race", "40001"],
    ["a password that is wrong", "28P01"],
    ["a transaction that had failed", "25P02"],
    ["a file that is not there", "ENOENT"],
  ])("the database is there: %s", (_what, code) => {
    const error = coded(code);
    expect(asUnavailable(error)).toBe(error);
    expect(isUnavailable(error)).toBe(false);
  });

  it("what is known stays as it is, and what is no error is none", () => {
    const known = asUnavailable(coded("ECONNREFUSED"));
    expect(asUnavailable(known)).toBe(known);
    expect(asUnavailable("ECONNREFUSED")).toBe("ECONNREFUSED");
    expect(isUnavailable(undefined)).toBe(false);
  });
});
