import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OptOut } from "@/lib/domain/opt-outs";
import type { PsuId } from "@/lib/domain/values";
import { optOutStore } from "./opt-outs";
import {
  challenged,
  challengedFunds,
  challengedPayment,
  exampleTpp,
  minutesOn,
  now,
  otherTpp,
  payer,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
} from "./testing";

describe("what a customer refuses to be asked for", () => {
  let database: TestDatabase;
  let stores: Stores;
  let optOuts: ReturnType<typeof optOutStore>;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
    optOuts = optOutStore(database.db);
    for (const tpp of [exampleTpp, otherTpp]) await stores.tpps.remember(tpp, now);
  });
  afterAll(() => database.close());

  const refusedBy = (more: Partial<OptOut> = {}): OptOut => ({
    psuId: `psu-${crypto.randomUUID()}` as PsuId,
    kind: "accounts",
    ...more,
  });

  test("is of one kind, of one TPP or of any, and stands until it is ended", async () => {
    const optOut = refusedBy({ tppId: exampleTpp.id });
    const { psuId } = optOut;
    const refuses = () =>
      Promise.all([
        optOuts.refuses(psuId, "accounts", exampleTpp.id),
        optOuts.refuses(psuId, "accounts", otherTpp.id),
        optOuts.refuses(psuId, "funds", exampleTpp.id),
        optOuts.refuses(`${psuId}0` as PsuId, "accounts", exampleTpp.id),
      ]);
    await optOuts.set(optOut, now);
    expect(await refuses()).toEqual([true, false, false, false]);
    const ofAny = { psuId, kind: "accounts" } as const;
    await optOuts.set(ofAny, minutesOn(1));
    expect(await refuses()).toEqual([true, true, false, false]);
    const [one, other] = await optOuts.list(psuId, { limit: 9 });
    expect([one, other]).toMatchObject([
      { ...optOut, setAt: now, tppName: exampleTpp.name },
      { ...ofAny, setAt: minutesOn(1) },
    ]);
    expect(await optOuts.list(psuId, { limit: 9, after: one?.position })).toEqual([other]);
    expect(await optOuts.list(psuId, { newest: 1 })).toEqual([other]);
    expect(await optOuts.kinds(psuId, undefined)).toEqual(["accounts"]);
    expect(await optOuts.kinds(psuId, otherTpp.id)).toEqual([]);
    expect(await optOuts.end(ofAny, minutesOn(2))).toBe(true);
    expect(await optOuts.kinds(psuId, undefined)).toEqual([]);
    expect(await optOuts.kinds(psuId, exampleTpp.id)).toEqual(["accounts"]);
    expect(await optOuts.end(ofAny, minutesOn(2))).toBe(false);
    expect(await refuses()).toEqual([true, false, false, false]);
  });

  test("stands once, however many say so at once, and each end is said once, too", async () => {
    const optOut = refusedBy();
    const set = await Promise.all(Array.from({ length: 8 }, () => optOuts.set(optOut, now)));
    expect(set.filter(Boolean)).toHaveLength(1);
    const acting = { actor: "maria@bank", reason: "asked by telephone" };
    const byStaff = optOutStore(database.actingAs(acting));
    const ends = await Promise.all(Array.from({ length: 8 }, () => byStaff.end(optOut, now)));
    expect(ends.filter(Boolean)).toHaveLength(1);
    const events = await database.sql`
      select kind, actor, detail from event where subject = any(event_pseudonyms(${optOut.psuId})) order by id`;
    expect(events).toEqual([
      { kind: "opt-out-set", actor: null, detail: { kind: "accounts" } },
      {
        kind: "opt-out-ended",
        actor: "maria@bank",
        detail: { kind: "accounts", reason: "asked by telephone" },
      },
    ]);
  });

  test("is never removed, nor changed but for its end", async () => {
    const { psuId } = refusedBy();
    await optOuts.set({ psuId, kind: "funds" }, now);
    await optOuts.end({ psuId, kind: "funds" }, now);
    const kept = "never changed or removed";
    for (const change of [
      database.sql`update opt_out set ended_at = now() where psu_id = ${psuId}`,
      database.sql`delete from opt_out where psu_id = ${psuId}`,
      database.sql`truncate opt_out`,
    ]) {
      await expect(change).rejects.toThrow(kept);
    }
  });

  const kinds = {
    accounts: async () => {
      const decision = await challenged(stores);
      const { psuId } = decision;
      return { psuId, finalise: () => stores.authorisations.finaliseAccountConsent(decision) };
    },
    funds: async () => {
      const decision = await challengedFunds(storesOf(database.db));
      const { psuId } = decision;
      return { psuId, finalise: () => stores.authorisations.finaliseFundsConsent(decision) };
    },
    payments: async () => {
      const decision = await challengedPayment(stores, await payer(database.db));
      const { psuId } = decision;
      return { psuId, finalise: () => stores.authorisations.finalisePayment(decision) };
    },
  } as const;

  test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    "P16: a yes to %s that the customer has come to refuse is not kept",
    async (kind) => {
      const { psuId, finalise } = await kinds[kind]();
      for (const tppId of [undefined, exampleTpp.id]) {
        await optOuts.set({ psuId, kind, tppId }, now);
        expect([false, "too-late"]).toContain(await finalise());
        await optOuts.end({ psuId, kind, tppId }, now);
      }
      await optOuts.set({ psuId, kind, tppId: otherTpp.id }, now);
      expect([true, "finalised"]).toContain(await finalise());
      await optOuts.end({ psuId, kind, tppId: otherTpp.id }, now);
    },
  );
});
