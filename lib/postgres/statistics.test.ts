import { describe, expect, it } from "vitest";
import type { DayCount } from "@/lib/domain/statistics";
import { dayIn, type IsoDate, newConsentId } from "@/lib/domain/values";
import { eventLog } from "./events";
import { countDays, noteJobRun, statistics } from "./statistics";
import {
  challenged,
  challengedPayment,
  exampleTpp,
  now,
  otherTpp,
  payer,
  testStores,
} from "./testing";

const { database, stores } = await testStores();
const { days, byTpp, consents, countedTo } = statistics(database.db);
const events = eventLog(database.db);
const zone = "Europe/Bucharest";

async function countAll(): Promise<void> {
  if (await countDays(database.db, zone, 0)) await countAll();
}

describe("what has happened is counted by the day", () => {
  const today = dayIn(zone, new Date());
  /** The fixtures' consents and payments are created at `now`; everything else is recorded as the test runs. */
  const span = { from: dayIn(zone, now), to: today };

  it("of consents, payments, proofs, refusals and reads, once, whichever server counts", async () => {
    const decision = await challenged(stores);
    await stores.authorisations.finaliseAccountConsent(decision);
    const paying = await challengedPayment(stores, await payer(database.db));
    await stores.authorisations.finalisePayment(paying);
    for (const more of [{}, { moreSinceTheLast: 41 }]) {
      const detail = { code: "ROLE_INVALID", ...more };
      await events.record({ kind: "request-refused", tppId: exampleTpp.id, detail });
    }
    await database.sql`insert into access_log (consent_id, tpp_id, what, at, attended)
      select ${decision.consentId}, ${exampleTpp.id}, 'accounts', now(), true from generate_series(1, 3)`;
    const resource = { kind: "PIS", id: paying.paymentId } as const;
    const rejected = { from: "ACTC", to: "RJCT", because: "AM04" };
    await events.record({
      ...{ kind: "payment-status", tppId: exampleTpp.id, resource, detail: rejected },
    });
    await Promise.all([countAll(), countAll(), countAll()]);
    await countAll();
    const found = await days(span);
    const sums = new Map<string, number>();
    for (const { what, value, part, count } of found) {
      const key = `${what} ${value} ${part}`;
      sums.set(key, (sums.get(key) ?? 0) + count);
    }
    expect([...sums].map((one) => one.join(" ")).sort()).toEqual([
      "consent-requested undefined AIS 1",
      "consent-status valid AIS 1",
      "payment-requested undefined sepa-credit-transfers 1",
      "payment-status ACTC sepa-credit-transfers 1",
      "payment-status RJCT sepa-credit-transfers 1",
      "read accounts attended 3",
      "request-refused ROLE_INVALID undefined 43",
      "sca-proved code confirmation 2",
      "sca-proved password login 2",
      "sca-status finalised AIS 1",
      "sca-status finalised sepa-credit-transfers 1",
      "sca-status psuAuthenticated AIS 1",
      "sca-status psuAuthenticated sepa-credit-transfers 1",
      "sca-status started AIS 1",
      "sca-status started sepa-credit-transfers 1",
    ]);
    expect(await days({ ...span, tppId: exampleTpp.id })).toEqual(found);
    expect(await days({ ...span, tppId: otherTpp.id })).toEqual([]);
    const paged: DayCount[] = [];
    for (let after: DayCount | undefined; paged.length < found.length; after = paged.at(-1))
      paged.push(...(await days(span, { after, limit: 2 })));
    expect(paged).toEqual(found);
    expect(await days(span, { after: paged.at(-1), limit: 2 })).toEqual([]);
    expect(await byTpp(span)).toEqual([
      { tppId: exampleTpp.id, reads: 3, requests: 2, refused: 43 },
    ]);
    expect(await days({ from: "2026-01-01" as IsoDate, to: "2026-01-02" as IsoDate })).toEqual([]);
    expect((await countedTo())?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it("not into the last seconds, in which transactions still write", async () => {
    const detail = { from: "valid", to: "expired" };
    const ofTpp = { kind: "consent-status", tppId: otherTpp.id, detail } as const;
    await events.record({ ...ofTpp, resource: { kind: "PIIS", id: newConsentId() } });
    const before = await countedTo();
    await countDays(database.db, zone);
    expect(await countedTo()).toEqual(before);
    expect(await days({ ...span, tppId: otherTpp.id })).toEqual([]);
  });

  it("and how many consents a TPP has is counted as it is now", async () => {
    expect(await consents(exampleTpp.id)).toEqual([{ kind: "AIS", status: "valid", count: 1 }]);
    expect(await consents()).toEqual(await consents(exampleTpp.id));
    expect(await consents(otherTpp.id)).toEqual([]);
  });

  it("a job says when it has last come to its end", async () => {
    await noteJobRun(database.db, "sweep");
    await noteJobRun(database.db, "sweep");
    expect(await database.sql`select name from job_run`).toEqual([{ name: "sweep" }]);
  });
});
