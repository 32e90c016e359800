import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import type { TppAllowance } from "@/lib/domain/tpp/tpp-allowance";
import { now } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { tppAllowance } from "./tpp-allowance";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

let tpps = 0;
const newTpp = (): TppId => {
  tpps += 1;
  return `PSDRO-NBR-${tpps}` as TppId;
};
const secondsOn = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
/** Servers with nothing in common but their database. */
const servers = (count: number, perMinute: number) =>
  Array.from({ length: count }, () => tppAllowance(database.db, perMinute));

/** All at once, in turn over the servers. */
async function admitted(
  all: readonly TppAllowance[],
  tppId: TppId,
  count: number,
  at = now,
): Promise<number> {
  const one = (nth: number) => (all[nth % all.length] as TppAllowance).take(tppId, at);
  const taken = await Promise.all(Array.from({ length: count }, (_, nth) => one(nth)));
  return taken.filter((answer) => answer === "admitted").length;
}

describe("X14: the requests of a TPP in a minute", () => {
  test.each([1, 7, 60, 500])(
    "are %i over all servers, however many come at once",
    async (limit) => {
      const [all, tppId] = [servers(3, limit), newTpp()];
      expect(await admitted(all, tppId, limit * 3 + 30)).toBe(limit);
      expect(await admitted(all, tppId, 20, secondsOn(59.999))).toBe(0);
      expect(await admitted(all, tppId, limit * 3 + 30, secondsOn(60))).toBe(limit);
    },
  );

  test("beyond the limit are told when the minute is over", async () => {
    const [[server], tppId] = [servers(1, 2), newTpp()];
    await admitted([server as TppAllowance], tppId, 2);
    expect(await server?.take(tppId, secondsOn(20.5))).toEqual({
      limit: 2,
      left: 0,
      resetSeconds: 40,
    });
    expect(await server?.take(tppId, secondsOn(60.5))).toBe("admitted");
  });

  test("of one TPP are no other's", async () => {
    const all = servers(2, 10);
    const [one, other] = [newTpp(), newTpp()];
    expect(await admitted(all, one, 100)).toBe(10);
    expect(await admitted(all, other, 10)).toBe(10);
  });

  test("are never more, however servers come and go: a server that ends takes its lease with it", async () => {
    const tppId = newTpp();
    let count = 0;
    for (let life = 0; life < 40; life += 1) count += await admitted(servers(2, 1_000), tppId, 40);
    expect(count).toBeLessThanOrEqual(1_000);
    expect(count).toBeGreaterThan(500);
    expect(await admitted(servers(2, 1_000), tppId, 1_000)).toBeLessThanOrEqual(1_000 - count);
  });

  test("cost a question to the database for a block of them, and none once they are used up", async () => {
    const [[server], tppId] = [servers(1, 5_000), newTpp()];
    const asked = await countingLeases(tppId);
    expect(await admitted([server as TppAllowance], tppId, 5_000)).toBe(5_000);
    const forAll = await asked();
    expect(forAll).toBeLessThan(170);
    expect(await admitted([server as TppAllowance], tppId, 5_000)).toBe(0);
    expect(await asked()).toBe(forAll);
  });

  test("are not lost to a clock that is moved, to whichever time", async () => {
    const moves = fc.array(fc.integer({ min: -400_000_000, max: 400_000_000 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(moves, async (moved) => {
        const [all, tppId] = [servers(2, 5), newTpp()];
        for (const seconds of moved) await admitted(all, tppId, 20, secondsOn(seconds));
        const last = moved.at(-1) ?? 0;
        // Wherever the clock stands, what it takes is to wait for two minutes.
        expect(await admitted(all, tppId, 20, secondsOn(last + 120))).toBe(5);
      }),
      { numRuns: 25 },
    );
  });

  test("without the database are not admitted", async () => {
    const lost = await testDatabase();
    const server = tppAllowance(lost.db, 10);
    await lost.close();
    await expect(server.take(newTpp(), now)).rejects.toThrow();
  });
});

/** How often the TPP's row has been written since. */
async function countingLeases(tppId: TppId): Promise<() => Promise<number>> {
  await database.sql.unsafe(`
    create table if not exists lease_count (tpp_id text);
    grant all on lease_count to public;
    create or replace function count_lease() returns trigger language plpgsql as
      $$ begin insert into lease_count values (new.tpp_id); return new; end $$;
    create or replace trigger count_lease after insert or update on tpp_allowance
      for each row execute function count_lease()`);
  return async () => {
    const [row] = await database.sql`
      select count(*)::int from lease_count where tpp_id = ${tppId}`;
    return Number(row?.["count"]);
  };
}
