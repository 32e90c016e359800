import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { TppAllowance } from "@/lib/domain/request-context";
import type { BlockOrder, Psd2Role, SeenCertificate } from "@/lib/domain/tpp";
import type { TppId } from "@/lib/domain/values";
import { exampleTpp, fileDatabase, minutesOn, now, testDatabase, winners } from "./testing";
import { seenTpps, stopList, tppAllowance, tppRegister } from "./tpps";

const database = await fileDatabase();

describe("the register of TPPs", () => {
  const version = async () => database.sql`select xmin::text, xmax::text, ctid::text from tpp`;

  test("a TPP is known by its certificate from its first call on", async () => {
    const register = tppRegister(database.db);
    expect(await register.find(exampleTpp.id)).toBeUndefined();
    await register.remember(exampleTpp, now);
    expect(await register.find(exampleTpp.id)).toEqual(exampleTpp);
    expect(await register.find("PSDRO-NBR-1234568" as TppId)).toBeUndefined();
  });

  test("a later certificate overwrites name and roles", async () => {
    const register = tppRegister(database.db);
    for (const change of [
      { name: "Example TPP SRL" },
      { roles: ["PSP_AI"] as const },
      { authorityName: "BNR" },
      { authorityId: "RO-BNR" },
    ]) {
      await register.remember(exampleTpp, now);
      await register.remember({ ...exampleTpp, ...change }, minutesOn(1));
      expect(await register.find(exampleTpp.id)).toEqual({ ...exampleTpp, ...change });
    }
  });

  test("a call that brings nothing new writes nothing, not even a lock", async () => {
    const register = tppRegister(database.db);
    await register.remember(exampleTpp, now);
    const before = await version();
    await register.remember(exampleTpp, minutesOn(2));
    expect(await version()).toEqual(before);
  });

  test("first calls at once leave one TPP", async () => {
    const register = tppRegister(database.db);
    const fresh = { ...exampleTpp, id: "PSDRO-NBR-777" as TppId };
    await Promise.all(Array.from({ length: 50 }, () => register.remember(fresh, now)));
    expect(await register.find(fresh.id)).toEqual(fresh);
  });

  describe("C7: a TPP with a QWAC for each role", () => {
    const register = tppRegister(database.db);
    const keep = (id: TppId, one: SeenCertificate) =>
      seenTpps(database.db).keepCertificates(id, [one], now);
    const qwac = (thumbprint: string, minutes: number): SeenCertificate => ({
      ...{ kind: "QWAC", thumbprint, serialNumber: "1", issuer: "CN=Issuer" },
      notAfter: minutesOn(minutes),
    });

    test("has the roles of those in their period, and nothing is written while they take turns", async () => {
      const id = "PSDRO-NBR-778" as TppId;
      const uses = async (role: Psd2Role, minutes: number) => {
        await register.remember({ ...exampleTpp, id, roles: [role] }, minutesOn(minutes));
        return (await register.find(id))?.roles;
      };
      await keep(id, { ...qwac("pays", 5), roles: ["PSP_PI"] });
      await keep(id, { ...qwac("reads", 9), roles: ["PSP_AI"] });
      expect(await uses("PSP_PI", 1)).toEqual(["PSP_AI", "PSP_PI"]);
      const before = await version();
      expect(await uses("PSP_AI", 4)).toEqual(["PSP_AI", "PSP_PI"]);
      expect(await version()).toEqual(before);
      expect(await uses("PSP_AI", 5)).toEqual(["PSP_AI"]);
      expect(await register.hasQwacFor("PSP_PI", id, minutesOn(4))).toBe(true);
      expect(await register.hasQwacFor("PSP_PI", id, minutesOn(5))).toBe(false);
      expect(await register.hasQwacFor("PSP_IC", id, now)).toBe(false);
    });

    test("has no more those of a QWAC that its issuer has revoked, unless that turns out to be on hold", async () => {
      const id = "PSDRO-NBR-780" as TppId;
      const { endRoles } = seenTpps(database.db);
      const pays: SeenCertificate = {
        ...qwac("revoked", 5),
        serialNumber: "a1",
        roles: ["PSP_PI"],
      };
      await keep(id, { ...qwac("stays", 5), roles: ["PSP_AI"] });
      await keep(id, pays);
      await register.remember({ ...exampleTpp, id, roles: ["PSP_AI"] }, now);
      const has = async () => [
        (await register.find(id))?.roles,
        await register.hasQwacFor("PSP_PI", id, now),
      ];
      await endRoles(id, { serialNumber: "a1", issuer: "CN=Another" }, now);
      expect(await has()).toEqual([["PSP_AI", "PSP_PI"], true]);
      await endRoles(id, pays, now);
      expect(await has()).toEqual([["PSP_AI"], false]);
      await keep(id, pays);
      expect(await register.hasQwacFor("PSP_PI", id, now)).toBe(true);
    });

    test("has those of a QWAC that an earlier release has kept without them", async () => {
      const id = "PSDRO-NBR-779" as TppId;
      const kept = qwac("kept", 5);
      const has = () => register.hasQwacFor("PSP_AI", id, now);
      await keep(id, kept);
      expect(await has()).toBe(false);
      await keep(id, { ...kept, roles: ["PSP_AI"] });
      expect(await has()).toBe(true);
      await keep(id, kept);
      expect(await has()).toBe(true);
    });
  });
});

describe("the stop list", () => {
  const list = stopList(database.db);

  let numbers = 0;
  /** A TPP that this bank does not know. */
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
    it("is found for a known and an unknown TPP, and for no other", async () => {
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

    it("one that is over does not prevent the next", async () => {
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
    it("20 equal orders: one is kept, and the others are refused", async () => {
      const tppId = somebody();
      const won = await winners(20, async () => {
        const { outcome } = await list.block(order(tppId, { until: minutesOn(5) }));
        return outcome === "blocked";
      });
      expect(won).toBe(1);
      expect(await kept(tppId)).toHaveLength(1);
    });

    it("8 orders of different ends: the last end counts in any order", async () => {
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
});

describe("a TPP's requests per minute", () => {
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

    test("beyond the limit know when the minute is over", async () => {
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
      for (let life = 0; life < 40; life += 1)
        count += await admitted(servers(2, 1_000), tppId, 40);
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
});
