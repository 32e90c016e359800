import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Outage, watchOutage } from "@/lib/outage";
import { type Connection, connect } from "./client";
import { databaseOfNotes, told } from "./testing-notes";

const bounds = { connect: 300, wait: 600, answer: 1_200, rest: 100 };
const database = databaseOfNotes();
const { notes } = database;
let single: Connection;

beforeEach(() => {
  single = connect(database.url, { max: 1, bounds });
});
afterEach(() => single.close());

const hold = (bank: Connection) => bank.db.transaction((tx) => tx.execute(sql`select pg_sleep(1)`));
const note = (text: string) => sql`insert into note values (${text})`;

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

  it("serve on, and run no statement that waited in vain at one that had as many as it takes", async () => {
    const two = connect(database.url, { max: 2, bounds, togetherMax: 1_000 });
    const busy = [told(two.db.execute(sql`select pg_sleep(0.3)`))];
    await nextTurn();
    await nextTurn();
    busy.push(told(two.db.execute(sql`select pg_sleep(0.9)`)));
    const noted = Array.from({ length: 150 }, (_, nth) => told(two.db.execute(note(`${nth}`))));
    const said = await Promise.all(noted);
    const inVain = said.filter((one) => one !== undefined);
    expect(inVain.length).toBeGreaterThan(0);
    expect(inVain).toEqual(inVain.map(() => [true, "NO_CONNECTION_FREE"]));
    expect(await Promise.all(busy)).toEqual([undefined, undefined]);
    const again = told(two.db.execute(sql`select pg_sleep(0.3)`));
    await nextTurn();
    await nextTurn();
    expect(await told(two.db.execute(sql`select 1`))).toBeUndefined();
    expect(await again).toBeUndefined();
    expect(await notes()).toHaveLength(said.length - inVain.length);
    await two.close();
  });

  it("are an outage to the request that waited for its transaction in vain", async () => {
    const held = hold(single);
    const met: Outage = { seen: false };
    await watchOutage(met, () => told(single.db.transaction((tx) => tx.execute(note("too late")))));
    expect(met.seen).toBe(true);
    await held;
  });

  it("answer statements while transactions wait for each other in vain", async () => {
    const two = connect(database.url, { max: 2, bounds });
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
