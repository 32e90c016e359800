import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import type { BlockOrder } from "@/lib/domain/tpp/stop-list";
import { exampleTpp, minutesOn, now, winners } from "./samples";
import { stopList } from "./stop-list";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let list: ReturnType<typeof stopList>;
beforeAll(async () => {
  database = await testDatabase();
  list = stopList(database.db);
});
afterAll(() => database.close());

let numbers = 0;
/** A TPP that this bank has never met. */
function somebody(): TppId {
  numbers += 1;
  return `PSDRO-NBR-${numbers}` as TppId;
}

const order = (tppId: TppId, given: Partial<BlockOrder> = {}): BlockOrder => ({
  tppId,
  blockedAt: now,
  ...given,
});

const kept = (tppId: TppId) =>
  database.sql`select lifted_at from tpp_block where tpp_id = ${tppId} order by id`;
const inForce = async (tppId: TppId) =>
  (await kept(tppId)).filter((row) => row["lifted_at"] === null).length;

describe("C6: a TPP that is blocked", () => {
  it("is found, whether the bank has met it or not, and nobody else is", async () => {
    const tppId = somebody();
    const given = order(tppId, { reason: "letter of the NCA", until: minutesOn(5) });
    expect(await list.block(given)).toEqual({ outcome: "blocked" });
    expect(await list.find(tppId, now)).toEqual(given);
    expect(await list.find(`${tppId}0` as TppId, now)).toBeUndefined();
    expect(await list.find(exampleTpp.id, now)).toBeUndefined();
  });

  it("is found until the end, and not at it", async () => {
    const tppId = somebody();
    await list.block(order(tppId, { until: minutesOn(5) }));
    expect(await list.find(tppId, new Date(minutesOn(5).getTime() - 1))).toBeDefined();
    expect(await list.find(tppId, minutesOn(5))).toBeUndefined();
    expect(await list.unblock(tppId, minutesOn(5))).toBe(false);
  });

  it("is found for as long as there is no end, without a reason that nobody gave", async () => {
    const tppId = somebody();
    await list.block(order(tppId));
    expect(await list.find(tppId, minutesOn(60_000_000))).toEqual(order(tppId));
  });

  it.each([0, -1])("is not blocked until %d minutes from now", async (minutes) => {
    const tppId = somebody();
    const over = order(tppId, { until: minutesOn(minutes) });
    expect(await list.block(over)).toEqual({ outcome: "over-already" });
    expect(await kept(tppId)).toEqual([]);
  });
});

describe("C6: of two orders for one TPP the one that ends later counts", () => {
  const forGood = undefined;
  it.each([
    [5, 5, 5],
    [5, 4, 5],
    [forGood, 5, forGood],
    [forGood, forGood, forGood],
  ])("until %s, then %s: blocked already, until %s", async (first, second, end) => {
    const tppId = somebody();
    const until = (minutes: number | undefined) =>
      minutes === undefined ? {} : { until: minutesOn(minutes) };
    await list.block(order(tppId, until(first)));
    const blocking = await list.block(order(tppId, until(second)));
    expect(blocking).toEqual({ outcome: "blocked-already", ...until(end) });
    expect(await list.find(tppId, now)).toEqual(order(tppId, until(end)));
    expect(await kept(tppId)).toHaveLength(1);
  });

  it.each([
    ["a later end", { until: minutesOn(9) }],
    ["no end", {}],
  ])("with %s takes the place of the one that stood, which stays known", async (_end, given) => {
    const tppId = somebody();
    await list.block(order(tppId, { until: minutesOn(5) }));
    const later = order(tppId, { ...given, blockedAt: minutesOn(1) });
    expect(await list.block(later)).toEqual({ outcome: "blocked" });
    expect(await list.find(tppId, minutesOn(1))).toEqual(later);
    expect(await kept(tppId)).toEqual([{ lifted_at: expect.anything() }, { lifted_at: null }]);
  });

  it("one that is over does not stand in the way of the next", async () => {
    const tppId = somebody();
    await list.block(order(tppId, { until: minutesOn(5) }));
    const next = order(tppId, { blockedAt: minutesOn(5), until: minutesOn(6) });
    expect(await list.block(next)).toEqual({ outcome: "blocked" });
    const ended = await database.sql`select from tpp_block
      where tpp_id = ${tppId} and lifted_at = until`;
    expect(ended).toHaveLength(1);
  });
});

describe("C6: a TPP that is let in again", () => {
  it("is found no more, once, and can be blocked again", async () => {
    const tppId = somebody();
    await list.block(order(tppId));
    expect(await list.unblock(tppId, minutesOn(1))).toBe(true);
    expect(await list.find(tppId, minutesOn(1))).toBeUndefined();
    expect(await list.unblock(tppId, minutesOn(2))).toBe(false);
    expect(await list.block(order(tppId))).toEqual({ outcome: "blocked" });
    expect(await kept(tppId)).toHaveLength(2);
  });

  it("was not blocked: nothing has changed", async () => {
    const [tppId, other] = [somebody(), somebody()];
    await list.block(order(other));
    expect(await list.unblock(tppId, now)).toBe(false);
    expect(await list.find(other, now)).toBeDefined();
  });
});

describe("C6: at once", () => {
  it("20 equal orders: one is kept, and everybody else is told so", async () => {
    const tppId = somebody();
    const won = await winners(20, async () => {
      const { outcome } = await list.block(order(tppId, { until: minutesOn(5) }));
      return outcome === "blocked";
    });
    expect(won).toBe(1);
    expect(await kept(tppId)).toHaveLength(1);
  });

  it("8 orders of different ends: the last end counts, whoever was first", async () => {
    const tppId = somebody();
    const ends = Array.from({ length: 8 }, (_, nth) => minutesOn(1 + ((nth * 5) % 8)));
    await Promise.all(ends.map((until) => list.block(order(tppId, { until }))));
    expect((await list.find(tppId, now))?.until).toEqual(minutesOn(8));
    expect(await inForce(tppId)).toBe(1);
  });

  it("20 unblock it: one of them did", async () => {
    const tppId = somebody();
    await list.block(order(tppId));
    expect(await winners(20, () => list.unblock(tppId, minutesOn(1)))).toBe(1);
  });

  it("some block it and some unblock it: never two orders, and none is lost", async () => {
    const tppId = somebody();
    const calls = Array.from({ length: 12 }, (_, nth) =>
      nth % 2 === 0
        ? list.block(order(tppId)).then(({ outcome }) => outcome === "blocked")
        : list.unblock(tppId, minutesOn(1)).then(() => false),
    );
    const blocked = (await Promise.all(calls)).filter(Boolean).length;
    expect(await kept(tppId)).toHaveLength(blocked);
    expect(await inForce(tppId)).toBeLessThanOrEqual(1);
  });
});

it("C6: the list has the orders in force, the oldest first", async () => {
  const fresh = await testDatabase();
  const own = stopList(fresh.db);
  const [first, second, over, lifted] = [somebody(), somebody(), somebody(), somebody()];
  await own.block(order(second, { blockedAt: minutesOn(1), reason: "fraud" }));
  await own.block(order(first));
  await own.block(order(over, { until: minutesOn(2) }));
  await own.block(order(lifted));
  await own.unblock(lifted, minutesOn(1));
  expect(await own.list(minutesOn(2))).toEqual([
    order(first),
    order(second, { blockedAt: minutesOn(1), reason: "fraud" }),
  ]);
  await fresh.close();
});

it("C6: who was blocked when stays known", async () => {
  await list.block(order(somebody()));
  await expect(database.sql`delete from tpp_block`).rejects.toThrow("never changed or removed");
  await expect(database.sql`truncate tpp_block`).rejects.toThrow("never changed or removed");
});
