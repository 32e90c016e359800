import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RequestContexts } from "@/lib/domain/request-context";
import type { AccountId, TppId } from "@/lib/domain/values";
import { requestContexts } from "./request-context";
import { sandboxClock } from "./sandbox";
import {
  accountOne,
  consentedTo,
  exampleTpp,
  minutesOn,
  now,
  otherTpp,
  storesOf,
  type TestDatabase,
  testDatabase,
} from "./testing";
import { recorder } from "./testing-database";
import { stopList } from "./tpps";

let database: TestDatabase;
let sandbox: RequestContexts;
let outside: RequestContexts;
const { asked, debug } = recorder();
beforeAll(async () => {
  database = await testDatabase({ debug });
  const { db } = database;
  sandbox = requestContexts(db, undefined);
  outside = requestContexts(db, { now: async () => now });
  const { tpps } = storesOf(database.db);
  await tpps.remember(exampleTpp, now);
  await tpps.remember(otherTpp, now);
});
afterAll(() => database.close());
beforeEach(async () => {
  await sandboxClock(database.db).moveTo(now);
  asked.length = 0;
});

const tppId = exampleTpp.id;

/** A valid consent for this account. */
async function consented(account: AccountId) {
  const consentId = await consentedTo(storesOf(database.db), account);
  asked.length = 0;
  return consentId;
}

describe("when a request arrives", () => {
  it("one statement tells its instant, its TPP, and the TPP's consent with what it grants", async () => {
    const consentId = await consented(accountOne);
    const arrival = await sandbox.load({ tppId, consentId });
    expect(asked).toHaveLength(1);
    expect(arrival).toMatchObject({
      tppId,
      tpp: exampleTpp,
      named: {
        consent: { id: consentId, status: "valid", grantedAccounts: [{ accountId: accountOne }] },
      },
    });
    expect(arrival.now.getTime()).toBeGreaterThanOrEqual(now.getTime());
    expect(arrival.now.getTime()).toBeLessThan(minutesOn(5).getTime());
    expect(arrival.order).toBeUndefined();
    const kept = await storesOf(database.db).consents.find(consentId);
    expect(arrival.named?.consent).toEqual(kept);
  });

  it("a TPP that this bank does not know has no record", async () => {
    const stranger = "PSDRO-NBR-404" as TppId;
    expect(await sandbox.load({ tppId: stranger })).toEqual({
      now: expect.any(Date),
      bankNow: expect.any(Date),
      tppId: stranger,
      tokenActive: false,
    });
  });

  it("O1: another TPP's consent is not found, as an unknown one is not", async () => {
    const consentId = await consented(accountOne);
    const unknown = crypto.randomUUID() as typeof consentId;
    for (const named of [
      { tppId: otherTpp.id, consentId },
      { tppId, consentId: unknown },
      { consentId },
    ]) {
      expect((await sandbox.load(named)).named).toBeUndefined();
    }
  });

  it("what was ended is so from the next request on", async () => {
    const consentId = await consented(accountOne);
    const { consents } = storesOf(database.db);
    await consents.end({
      consentId,
      from: "valid",
      to: "revokedByPsu",
      on: "2026-11-20" as never,
      at: now,
    });
    expect((await sandbox.load({ tppId, consentId })).named?.consent.status).toBe("revokedByPsu");
  });
});

describe("C6: an order of the stop list", () => {
  it("holds from the next request on, until it is lifted, and for its TPP alone", async () => {
    const list = stopList(database.db);
    const order = { tppId, reason: "fraud", blockedAt: now };
    await list.block(order);
    expect((await sandbox.load({ tppId })).order).toEqual(order);
    expect((await outside.load({ tppId, consentId: await consented(accountOne) })).order).toEqual(
      order,
    );
    expect((await sandbox.load({ tppId: otherTpp.id })).order).toBeUndefined();
    await list.unblock(tppId, now);
    expect((await sandbox.load({ tppId })).order).toBeUndefined();
  });

  it("is over at its end, by the clock that the same statement reads", async () => {
    const list = stopList(database.db);
    await list.block({ tppId, blockedAt: now, until: minutesOn(60) });
    expect((await sandbox.load({ tppId })).order).toBeDefined();
    await sandboxClock(database.db).moveTo(minutesOn(60));
    expect((await sandbox.load({ tppId })).order).toBeUndefined();
    expect((await outside.load({ tppId })).order).toBeDefined();
    await list.unblock(tppId, now);
  });
});

describe("the instant of a request", () => {
  it("is its TPP's where that has a clock of its own; orders of the stop list go by the bank's", async () => {
    const clock = sandboxClock(database.db);
    await clock.setAhead(tppId, 3_600);
    const list = stopList(database.db);
    await list.block({ tppId, blockedAt: now, until: minutesOn(30) });
    asked.length = 0;
    const own = await sandbox.load({ tppId });
    expect(asked).toHaveLength(1);
    expect(own.now.getTime() - own.bankNow.getTime()).toBe(3_600_000);
    expect(own.order).toBeDefined();
    const other = await sandbox.load({ tppId: otherTpp.id });
    expect(other.now).toEqual(other.bankNow);
    const outsider = await outside.load({ tppId });
    expect([outsider.now, outsider.bankNow]).toEqual([now, now]);
    await list.unblock(tppId, now);
    await clock.setAhead(tppId, 0);
  });

  it("is the sandbox's, from the next request on wherever it was moved to", async () => {
    const moved = new Date("2399-05-20T10:00:00.250Z");
    await sandboxClock(database.db).moveTo(moved);
    for (const named of [{}, { tppId }, { tppId, consentId: await consented(accountOne) }]) {
      const late = (await sandbox.load(named)).now.getTime() - moved.getTime();
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(300_000);
    }
    await sandboxClock(database.db).reset();
    expect((await sandbox.load({ tppId })).now.getUTCFullYear()).toBeLessThan(2399);
  });

  it("is the machine's outside the sandbox, where no statement asks for the time", async () => {
    const { now: instant } = await outside.load({ tppId });
    expect(instant).toEqual(now);
    expect(asked).toHaveLength(1);
    expect(asked.join()).not.toContain("clock");
    expect(await outside.load({})).toEqual({ now, bankNow: now, tppId: undefined });
    expect(asked).toHaveLength(1);
  });
});
