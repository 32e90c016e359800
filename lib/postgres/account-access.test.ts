import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Admission, ServedRead } from "@/lib/domain/account-access";
import { addTime, type ConsentId, newConsentId } from "@/lib/domain/values";
import { keepMonthsOfReads } from "./account-access";
import {
  accountOne,
  exampleTpp,
  newRequestId,
  now,
  openMax,
  receivedConsent,
  testStores,
  winners,
} from "./testing";

const { database, stores } = await testStores();

describe("unattended access", () => {
  let consentId: ConsentId;
  beforeEach(async () => {
    consentId = await newConsent();
  });

  async function newConsent(): Promise<ConsentId> {
    const { consent, authorisation } = receivedConsent();
    await stores.consents.insert(consent, authorisation, openMax);
    return consent.id;
  }

  const day = 86_400_000;
  const common = { resource: "balances:1", windowHours: 24 };
  const requestId = newRequestId();
  const read = (at: Date, attended = false): ServedRead => ({
    consentId,
    tppId: exampleTpp.id,
    what: "balances",
    accountId: accountOne,
    at,
    attended,
    requestId,
  });
  const admit = (at: Date, resource = common.resource, limit = 4): Promise<Admission> =>
    stores.budget.admitUnattended({ ...common, read: read(at), resource, limit });
  const logged = () => database.sql`
  select what, account_id, tpp_id, attended, request_id, (extract(epoch from at) * 1000)::float8 as at
  from access_log where consent_id = ${consentId} order by id`;

  test("the accesses that are left go down to none, and it is known when one comes back", async () => {
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    const resetAt = new Date(now.getTime() + day);
    const left = [3, 2, 1, 0];
    for (const [nth, expected] of left.entries()) {
      expect(await admit(later(nth))).toEqual({ admitted: true, left: expected, resetAt });
    }
    expect(await admit(later(4))).toEqual({ admitted: false, left: 0, resetAt });
    expect((await admit(new Date(resetAt.getTime() - 1))).admitted).toBe(false);
    const next = new Date(later(1).getTime() + day);
    expect(await admit(resetAt)).toEqual({ admitted: true, left: 0, resetAt: next });
    expect(await admit(resetAt)).toEqual({ admitted: false, left: 0, resetAt: next });
  });

  test("a following page is not counted, and knows what is left", async () => {
    const left = (at: Date) =>
      stores.budget.continueUnattended({ ...common, read: read(at), limit: 2 });
    expect(await left(now)).toEqual({ left: 2, resetAt: now });
    await admit(now, common.resource, 2);
    const resetAt = new Date(now.getTime() + day);
    for (let nth = 0; nth < 3; nth += 1) expect(await left(now)).toEqual({ left: 1, resetAt });
    expect(await left(resetAt)).toEqual({ left: 2, resetAt });
  });

  test("B3: of 200 parallel calls at a limit of 4 exactly 4 are admitted", async () => {
    expect(await winners(200, async () => (await admit(now)).admitted)).toBe(4);
  });

  test("B3: every parallel refusal says when to come back", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => admit(now)));
    const retries = answers.flatMap(({ admitted, resetAt }) =>
      admitted ? [] : [resetAt.getTime()],
    );
    expect(retries).toHaveLength(46);
    expect(new Set(retries)).toEqual(new Set([now.getTime() + day]));
  });

  test("B5: four accesses before midnight leave none after it", async () => {
    for (let nth = 0; nth < 4; nth += 1) await admit(new Date("2026-11-20T21:50:00Z"));
    expect((await admit(new Date("2026-11-20T22:10:00Z"))).admitted).toBe(false);
    expect((await admit(new Date("2026-11-21T00:10:00Z"))).admitted).toBe(false);
    expect((await admit(new Date("2026-11-21T21:50:00Z"))).admitted).toBe(true);
  });

  test("each resource and each consent has its own count", async () => {
    expect((await admit(now, "balances:1", 1)).admitted).toBe(true);
    expect((await admit(now, "balances:1", 1)).admitted).toBe(false);
    expect((await admit(now, "balances:2", 1)).admitted).toBe(true);
    consentId = await newConsent();
    expect((await admit(now, "balances:1", 1)).admitted).toBe(true);
  });

  test("a limit of none admits none, not even the first", async () => {
    expect((await admit(now, "accounts", 0)).admitted).toBe(false);
  });

  test("a refusal is not counted", async () => {
    await admit(now, "accounts", 1);
    for (let nth = 1; nth < 5; nth += 1) await admit(new Date(now.getTime() + nth), "accounts", 1);
    expect((await admit(new Date(now.getTime() + day), "accounts", 1)).admitted).toBe(true);
  });

  test("a consent that does not exist has no budget", async () => {
    consentId = newConsentId();
    await expect(admit(now)).rejects.toThrow();
  });

  test("what is admitted is in the access log, what is refused is not", async () => {
    const line = {
      ...{ what: "balances", account_id: accountOne, tpp_id: exampleTpp.id },
      request_id: requestId,
    };
    const later = new Date(now.getTime() + 1);
    await admit(now, "balances:1", 1);
    expect((await admit(later, "balances:1", 1)).admitted).toBe(false);
    await stores.budget.continueUnattended({ ...common, read: read(later), limit: 1 });
    await stores.budget.admitAttended(read(later, true));
    expect(await logged()).toEqual([
      { ...line, attended: false, at: now.getTime() },
      { ...line, attended: false, at: later.getTime() },
      { ...line, attended: true, at: later.getTime() },
    ]);
  });

  test("of 100 parallel calls at a limit of 4 the four that are admitted are logged", async () => {
    await Promise.all(Array.from({ length: 100 }, () => admit(now)));
    expect(await logged()).toHaveLength(4);
  });

  test("a line of the access log is never changed", async () => {
    await stores.budget.admitAttended(read(now, true));
    const change = database.sql`update access_log set attended = false where consent_id = ${consentId}`;
    await expect(change).rejects.toThrow(/^a row of access_log\w* is never changed/);
  });

  test("in no window of 24 hours are there more accesses than the limit", async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 12 * 60 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (minutes, limit) => {
        const resource = crypto.randomUUID();
        const admitted: number[] = [];
        let at = now.getTime();
        for (const step of minutes) {
          at += step * 60_000;
          const inWindow = admitted.filter((hit) => hit > at - day).length;
          const answer = await admit(new Date(at), resource, limit);
          expect(answer.admitted).toBe(inWindow < limit);
          if (answer.admitted) admitted.push(at);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("the months of the access log", () => {
  const months = async () => {
    const rows = await database.sql<{ name: string }[]>`
      select right(relname, 7) as name from pg_class where relispartition and relkind = 'r'
        and relname ~ '^access_log_[0-9]{4}_[0-9]{2}$' order by relname`;
    return rows.map(({ name }) => name);
  };
  const monthsFromNow = (count: number) => {
    const today = new Date();
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + count));
    return month.toISOString().slice(0, 7).replace("-", "_");
  };

  const dayOf = (month: string) => `${month.replace("_", "-")}-01T00:00:00Z`;

  test("are made ahead, and each goes as a whole when its last line is thirteen months old", async () => {
    const line = (month: string) => database.sql`
      insert into access_log (consent_id, tpp_id, what, at, attended)
      values (gen_random_uuid(), ${exampleTpp.id}, 'accounts', ${dayOf(month)}, true)`;
    const [gone, kept] = [monthsFromNow(-16), monthsFromNow(-13)];
    for (const month of [gone, kept]) {
      await line(month);
      // With the line that has come before it.
      await database.sql`select access_log_month(${dayOf(month)}::date)`;
    }
    const ahead = [0, 1, 2, 3].map(monthsFromNow);
    await keepMonthsOfReads(database.db, addTime(new Date(), -800, "day"));
    expect(await months()).toEqual([gone, kept, ...ahead]);
    // However early somebody asks for it.
    await keepMonthsOfReads(database.db, addTime(new Date(), 800, "day"));
    expect(await months()).toEqual([kept, ...ahead]);
    const left = await database.sql`
      select tableoid::regclass::text as table from access_log where at in (${dayOf(gone)}, ${dayOf(kept)})`;
    expect(left).toEqual([{ table: `access_log_${kept}` }]);
  });
});
