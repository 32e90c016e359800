import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchCases } from "@/lib/domain/case-search";
import type { Operator } from "@/lib/domain/staff";
import { addTime, type Iban, type PsuId } from "@/lib/domain/values";
import { caseRecords } from "./case-records";
import { destroyRefusedBefore, refusedRequestStore } from "./refused-requests";
import { destroyStaffSessions, staffSessionStore } from "./staff-sessions";
import {
  challenged,
  exampleTpp,
  initiation,
  minutesOn,
  newRequestId,
  now,
  order,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
} from "./testing";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

describe("the search of the staff console", () => {
  const psuDirectory = {
    verifyPassword: async () => undefined,
    findByUserId: async () => undefined,
    find: async () => undefined,
  };
  const search = async (text: string) => {
    const ports = {
      psuDirectory,
      caseRecords: caseRecords(database.db),
      refusedRequests: refusedRequestStore(database.db),
    };
    const { cases, tpps, refused, customer } = await searchCases(ports, text, 10);
    return {
      cases: cases.map(({ id }) => id),
      tpps: tpps.map(({ id }) => id),
      refused: refused.map(({ code }) => code),
      customer,
    };
  };
  const found = (more: object) => ({
    cases: [],
    tpps: [],
    refused: [],
    customer: undefined,
    ...more,
  });

  it("knows a payment by its id, its X-Request-ID, its end-to-end id and its IBANs", async () => {
    const [debtor, creditor] = ["RO66DRWB0000000000000077", "DE02120300000000202051"] as Iban[];
    const endToEndId = `E2E-${crypto.randomUUID().slice(0, 8)}`;
    const requestId = newRequestId();
    const begun = initiation(
      {
        order: {
          ...order,
          endToEndId,
          debtor: { iban: debtor as Iban },
          creditor: { name: "Shop", iban: creditor as Iban },
        },
      },
      requestId,
    );
    await stores.payments.initiate(begun);
    const { id, authorisationId } = begun.started.payment;
    const paid = found({ cases: [id] });
    for (const text of [id, id.toUpperCase(), authorisationId, requestId, endToEndId]) {
      expect(await search(text)).toEqual(paid);
    }
    expect(await search("ro66 drwb 0000 0000 0000 0077")).toEqual(paid);
    expect(await search("ro66\u0000drwb 0000\t0000 0000 0077\n")).toEqual(paid);
    expect(await search(String(creditor))).toEqual(paid);
    expect(await search("RO66DRWB0000000000000078")).toEqual(found({}));
    expect(await search(crypto.randomUUID())).toEqual(found({}));
  });

  it("knows an end-to-end id and a customer that look like an IBAN", async () => {
    const text = "RO66DRWB0000000000000079";
    const begun = initiation({ order: { ...order, endToEndId: text } });
    await stores.payments.initiate(begun);
    const psuId = text as PsuId;
    const { consentId } = await challenged(stores, { psuId, recurringIndicator: false });
    const { cases, customer } = await search(text);
    expect(new Set(cases)).toEqual(new Set([begun.started.payment.id, consentId]));
    expect(customer).toBe(psuId);
  });

  it("knows a consent by its customer and by an account that was shared, and a TPP by its number and name", async () => {
    const psuId = `psu-${crypto.randomUUID()}` as PsuId;
    const decision = await challenged(stores, { psuId, recurringIndicator: false });
    const iban = "RO12DRWB0000000000000099" as Iban;
    const [account] = decision.grantedAccounts;
    const grantedAccounts = account === undefined ? [] : [{ ...account, iban }];
    await stores.authorisations.finaliseAccountConsent({ ...decision, grantedAccounts });
    expect(await search(psuId)).toEqual(found({ cases: [decision.consentId], customer: psuId }));
    expect(await search(iban)).toEqual(found({ cases: [decision.consentId] }));
    const tpp = found({ tpps: [exampleTpp.id] });
    expect(await search(exampleTpp.id)).toEqual(tpp);
    expect(await search(exampleTpp.name.slice(0, 6).toUpperCase())).toEqual(tpp);
    expect(await search("%")).toEqual(found({}));
  });

  it("knows a consent by the X-Request-ID of a read, in whatever month it was served, and shows it with the read", async () => {
    const decision = await challenged(stores, { recurringIndicator: false });
    await stores.authorisations.finaliseAccountConsent(decision);
    const { consentId } = decision;
    const [first, second] = [newRequestId(), newRequestId()];
    const read = { consentId, tppId: exampleTpp.id, what: "balances", attended: true } as const;
    const { budget } = stores;
    await budget.admitAttended({ ...read, at: addTime(now, -40, "day"), requestId: first });
    await budget.admitAttended({ ...read, at: now, requestId: second });
    for (const requestId of [first, second.toUpperCase()]) {
      expect(await search(requestId)).toEqual(found({ cases: [consentId] }));
    }
    const timeline = await caseRecords(database.db).timeline({ kind: "AIS", id: consentId }, 100);
    const reads = timeline.filter(({ source }) => source === "read");
    expect(reads.map(({ requestId }) => requestId)).toEqual([first, second]);
  });

  it("shows what has happened to a consent, in order, with what its TPP was told", async () => {
    const decision = await challenged(stores, { recurringIndicator: false });
    await stores.authorisations.finaliseAccountConsent(decision);
    const { consentId } = decision;
    const requestId = newRequestId();
    const refused = {
      ...{ at: minutesOn(3), tppId: exampleTpp.id, requestId, method: "GET", status: 401 },
      ...{ route: "/v1/accounts", code: "CONSENT_EXPIRED" as const, told: "the consent has ended" },
      resource: { kind: "AIS" as const, id: consentId },
    };
    const store = refusedRequestStore(database.db);
    await store.keep([refused, { ...refused, at: minutesOn(2), code: "CONSENT_INVALID" }]);
    const newest = await store.of({ requestId }, 1);
    expect(newest.map(({ code }) => code)).toEqual(["CONSENT_EXPIRED"]);
    expect(await search(requestId)).toEqual(
      found({ refused: ["CONSENT_INVALID", "CONSENT_EXPIRED"] }),
    );
    await database.sql`insert into access_log (consent_id, tpp_id, what, at, attended)
      values (${consentId}, ${exampleTpp.id}, 'balances', ${minutesOn(1).toISOString()}, true)`;
    const timeline = await caseRecords(database.db).timeline({ kind: "AIS", id: consentId }, 100);
    const sources = timeline.map(({ source, what }) => `${source} ${what}`);
    expect(sources.filter((one) => !one.startsWith("event "))).toEqual([
      "read balances",
      "refusal CONSENT_INVALID",
      "refusal CONSENT_EXPIRED",
    ]);
    expect(sources).toEqual(
      expect.arrayContaining([
        "event consent-requested",
        "event sca-status",
        "event consent-status",
      ]),
    );
    expect(timeline.findLast(({ source }) => source === "refusal")?.detail).toMatchObject({
      told: "the consent has ended",
      method: "GET",
    });
    const ofPayment = initiation();
    await stores.payments.initiate(ofPayment);
    const paid = { kind: "PIS", id: ofPayment.started.payment.id } as const;
    const statuses = await caseRecords(database.db).timeline(paid, 100);
    expect(statuses.map(({ source, what }) => `${source} ${what}`)).toContain(
      "payment-status RCVD",
    );
  });

  it("what TPPs were told is removed after its time", async () => {
    const kept = { tppId: exampleTpp.id, method: "GET", status: 404, route: "/", told: "nothing" };
    const rows = [1, 2, 3].map((minutes) => ({
      ...{ ...kept, at: minutesOn(-minutes * 100_000), code: "RESOURCE_UNKNOWN" as const },
    }));
    await refusedRequestStore(database.db).keep(rows);
    expect(await destroyRefusedBefore(database.db, minutesOn(-150_000), 10)).toBe(2);
    expect(await destroyRefusedBefore(database.db, minutesOn(-150_000), 10)).toBe(0);
  });
});

describe("an operator's session", () => {
  const operator: Operator = { id: "ioana", name: "Ioana Dumitru", roles: ["support"] };
  const limits = { inactivityMinutes: 15, sessionMinutes: 480 };

  it("H2: ends without activity, after its time, and for every copy of its cookie when the operator signs out", async () => {
    const sessions = staffSessionStore(database.db);
    const opened = async () => {
      const hash = crypto.randomUUID();
      await sessions.open(hash, operator, now);
      return hash;
    };
    const first = await opened();
    expect(await sessions.touch(first, limits, minutesOn(15))).toEqual(operator);
    expect(await sessions.touch(first, limits, minutesOn(29))).toEqual(operator);
    expect(await sessions.touch(first, limits, minutesOn(45))).toBeUndefined();

    const second = await opened();
    for (let minutes = 10; minutes <= 480; minutes += 10) {
      expect(await sessions.touch(second, limits, minutesOn(minutes))).toEqual(operator);
    }
    expect(await sessions.touch(second, limits, minutesOn(481))).toBeUndefined();

    const third = await opened();
    await sessions.end(third, minutesOn(1));
    expect(await sessions.touch(third, limits, minutesOn(2))).toBeUndefined();
    expect(await sessions.touch("unknown", limits, now)).toBeUndefined();
    await expect(sessions.open(third, operator, now)).rejects.toThrow();

    const events = await database.sql`select kind, actor, detail from event
      where kind like 'staff-signed-%' order by id`;
    expect(events.map(({ kind }) => kind)).toEqual([
      ...["staff-signed-in", "staff-signed-in", "staff-signed-in", "staff-signed-out"],
    ]);
    expect(events.at(-1)).toMatchObject({ actor: "ioana", detail: { roles: ["support"] } });
    expect(await destroyStaffSessions(database.db, minutesOn(1), 10)).toBe(3);
  });
});
