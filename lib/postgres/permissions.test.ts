import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServedRead } from "@/lib/domain/account-access";
import {
  type PermissionFilter,
  type PermissionRecord,
  type PermissionRecords,
  type ReadPosition,
  revokeEveryPermission,
} from "@/lib/domain/permissions";
import type { ConsentId, PsuId, TppId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { authorisationStore } from "./authorisations";
import { consentStore } from "./consents";
import { fundsConsentStore } from "./funds";
import { permissionRecords } from "./permissions";
import {
  accountOne,
  ana,
  challenged,
  challengedFunds,
  exampleTpp,
  initiation,
  mihai,
  minutesOn,
  now,
  otherTpp,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
  today,
  validFunds,
} from "./testing";
import { planOf, recorder } from "./testing-database";

describe("a PSU's permissions", () => {
  let database: TestDatabase;
  let stores: Stores;
  let records: ReturnType<typeof permissionRecords>;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
    records = permissionRecords(database.db);
    for (const tpp of [exampleTpp, otherTpp]) await stores.tpps.remember(tpp, now);
  });
  afterAll(() => database.close());

  const oneOff = { recurringIndicator: false } as const;
  const newPsu = () => `psu-${crypto.randomUUID()}` as PsuId;
  const everything = { limit: 100 };
  const idOf = (record: PermissionRecord) =>
    record.kind === "payments" ? record.payment.id : record.consent.id;
  const idsOf = async (psuId: PsuId, filter: PermissionFilter = {}) =>
    (await records.list(psuId, filter, everything)).map(idOf);

  async function valid(psuId: PsuId, given: Parameters<typeof challenged>[1] = {}) {
    const decision = await challenged(stores, { psuId, ...oneOff, ...given });
    await stores.authorisations.finaliseAccountConsent(decision);
    return decision.consentId;
  }
  const requestedAt = (id: ConsentId, minutes: number) =>
    database.sql`update authorisation set created_at = ${minutesOn(minutes).toISOString()}
    where resource_id = ${id}`;
  const end = (consentId: ConsentId) =>
    stores.consents.end({
      consentId,
      from: "valid",
      to: "revokedByPsu",
      on: today,
      at: minutesOn(1),
    });
  const read = (consentId: ConsentId, minutes: number, more: Partial<ServedRead> = {}) =>
    stores.budget.admitAttended({
      consentId,
      tppId: exampleTpp.id,
      what: "balances",
      accountId: accountOne,
      at: minutesOn(minutes),
      attended: true,
      ...more,
    });

  describe("what a PSU has to do with TPPs", () => {
    test("is listed newest first, page by page, and by TPP with the newest of each", async () => {
      const psuId = newPsu();
      const [first, second, fourth] = [await valid(psuId), await valid(psuId), await valid(psuId)];
      const third = await valid(psuId, { tppId: otherTpp.id });
      for (const [nth, id] of [first, second, third, fourth].entries()) await requestedAt(id, nth);
      const [one, two] = await records.list(psuId, {}, { limit: 2 });
      expect([one, two].map((record) => record && idOf(record))).toEqual([fourth, third]);
      const rest = await records.list(psuId, {}, { limit: 5, after: two?.position });
      expect(rest.map(idOf)).toEqual([second, first]);

      const page = { limit: 1, newestMax: 2 };
      const [newest] = await records.byTpp(psuId, {}, page);
      expect(newest).toMatchObject({ tpp: exampleTpp, count: 3 });
      expect(newest?.newest.map(idOf)).toEqual([fourth, second]);
      const others = await records.byTpp(psuId, {}, { ...page, after: newest?.position });
      expect(others).toMatchObject([{ tpp: otherTpp, count: 1 }]);
      const { position: end } = others[0] ?? {};
      expect(await records.byTpp(psuId, {}, { ...page, after: end })).toEqual([]);
    });

    test("is found by TPP, kind, state, time and text, each alone and together", async () => {
      const psuId = newPsu();
      const ended = await valid(psuId);
      await end(ended);
      const ofOther = await valid(psuId, { tppId: otherTpp.id });
      const { consentId: funds } = await validFunds(storesOf(database.db), { psuId });
      const [granted] = (await stores.consents.find(ofOther))?.grantedAccounts ?? [];
      const spaced = granted?.iban.replaceAll(/.{4}/g, "$& ").toLowerCase();
      const found: readonly [PermissionFilter, readonly ConsentId[]][] = [
        [{ tppId: otherTpp.id }, [ofOther]],
        [{ kind: "funds" }, [funds]],
        [{ inForce: true }, [ofOther, funds]],
        [{ inForce: false }, [ended]],
        [{ since: minutesOn(1) }, [ended, ofOther, funds]],
        [{ since: minutesOn(2) }, [ofOther, funds]],
        [{ text: otherTpp.name.toUpperCase() }, [ofOther]],
        [{ text: otherTpp.id }, [ofOther]],
        [{ text: `${spaced}`, kind: "accounts", inForce: true }, [ofOther]],
        [{ text: "%" }, []],
        [{ tppId: otherTpp.id, inForce: false }, []],
      ];
      for (const [filter, ids] of found) {
        expect(new Set(await idsOf(psuId, filter)), JSON.stringify(filter)).toEqual(new Set(ids));
        const groups = await records.byTpp(psuId, filter, { limit: 5, newestMax: 9 });
        expect(new Set(groups.flatMap(({ newest }) => newest.map(idOf)))).toEqual(new Set(ids));
      }
    });

    test("says who, since when, when it ended, and when it was last used", async () => {
      const psuId = newPsu();
      const id = await valid(psuId);
      const [unused] = await records.list(psuId, {}, everything);
      expect(unused).toEqual({
        position: expect.any(String),
        kind: "accounts",
        tpp: exampleTpp,
        requestedAt: now,
        consent: await stores.consents.find(id),
      });
      await read(id, 3);
      await read(id, 2);
      await end(id);
      expect(await records.find(psuId, "accounts", id)).toEqual({
        kind: "accounts",
        tpp: exampleTpp,
        requestedAt: now,
        endedAt: minutesOn(1),
        lastReadAt: minutesOn(3),
        consent: await stores.consents.find(id),
      });
    });

    test("ends all at once, of one TPP or of all, and nobody else's", async () => {
      const { db } = database;
      const [psuId, other] = [newPsu(), newPsu()];
      const kept = await valid(other);
      for (const tppId of [exampleTpp.id, exampleTpp.id, otherTpp.id])
        await valid(psuId, { tppId });
      await validFunds(storesOf(db), { psuId });
      await challenged(stores, { psuId });
      const as = database.actingAs({ actor: "crm", reason: "the customer has moved" });
      const ports = {
        profile: aspspProfile,
        permissionRecords: records,
        authorisations: authorisationStore(as),
        consents: consentStore(as),
        fundsConsents: fundsConsentStore(as),
      };
      const revoke = (tppId?: TppId) => revokeEveryPermission(ports, { psuId, tppId, now });
      expect([await revoke(otherTpp.id), await revoke(), await revoke()]).toEqual([1, 3, 0]);
      const events = await database.sql`select actor, detail from event
        where kind = 'consent-status' and detail->>'to' = 'revokedByPsu'
          and subject = any(event_pseudonyms(${psuId}))`;
      const detail = { from: "valid", to: "revokedByPsu", reason: "the customer has moved" };
      expect(events).toEqual(Array.from({ length: 4 }, () => ({ actor: "crm", detail })));
      expect(await stores.consents.find(kept)).toMatchObject({ status: "valid" });
      await end(kept);
      const [last] = await database.sql`select actor, detail from event
        where resource_id = ${kept} order by id desc limit 1`;
      expect(last).toEqual({ actor: null, detail: { from: "valid", to: "revokedByPsu" } });
    });

    test("has funds consents, confirmed or not", async () => {
      const psuId = newPsu();
      const funds = storesOf(database.db);
      const { consentId: confirmed } = await validFunds(funds, { psuId });
      const { consentId: open } = await challengedFunds(funds, { psuId });
      expect(await idsOf(psuId)).toEqual(expect.arrayContaining([confirmed, open]));
      expect(await records.find(psuId, "funds", confirmed)).toMatchObject({ kind: "funds" });
    });

    test("has payment orders, and when they came to an end", async () => {
      const psuId = newPsu();
      const started = initiation();
      const { payment, authorisation } = started.started;
      await stores.payments.initiate(started);
      await stores.authorisations.takeAttempt(authorisation.id, 5, now);
      await stores.authorisations.authenticate(authorisation.id, psuId, now);
      const waiting = { kind: "payments", payment: { id: payment.id, status: "RCVD" } };
      expect(await records.list(psuId, {}, everything)).toMatchObject([waiting]);
      const no = { because: "cancelled", on: today, at: minutesOn(2) } as const;
      await stores.authorisations.fail({ id: authorisation.id, ...no });
      expect(await records.find(psuId, "payments", payment.id)).toMatchObject({
        payment: { status: "RJCT", reason: "cancelled" },
        endedAt: minutesOn(2),
      });
    });

    test("is nobody else's: another PSU's is as unknown as one that does not exist", async () => {
      const id = await valid(ana, { tppId: otherTpp.id });
      expect(await records.find(ana, "accounts", id)).toBeDefined();
      for (const unknown of [
        records.find(mihai, "accounts", id),
        records.find(ana, "funds", id),
        records.find(ana, "payments", id),
        records.find(ana, "accounts", crypto.randomUUID()),
        records.find(ana, "accounts", "no-uuid"),
      ]) {
        expect(await unknown).toBeUndefined();
      }
      expect(await idsOf(mihai)).not.toContain(id);
    });
  });

  describe("the access history", () => {
    test("is of this consent, newest first, page by page", async () => {
      const [id, other] = [await valid(newPsu()), await valid(newPsu())];
      for (const minutes of [1, 2, 5, 3, 3, 3]) await read(id, minutes);
      await read(other, 4, { what: "accounts", attended: false });
      const first = await records.readsOf(id, { limit: 3 });
      expect(first.map(({ at }) => at)).toEqual([5, 3, 3].map(minutesOn));
      expect(first[0]).toMatchObject({ what: "balances", accountId: accountOne, attended: true });
      const after = first.at(-1)?.position;
      if (after === undefined) throw new Error("no position");
      const second = await records.readsOf(id, { after, limit: 3 });
      expect(second.map(({ at }) => at)).toEqual([3, 2, 1].map(minutesOn));
      expect(new Set([...first, ...second].map(({ position }) => position)).size).toBe(6);
    });

    test.each(["", "x", "-1", "1e9", "9".repeat(30), "1; drop table access_log"])(
      "nothing follows %j, which is no position",
      async (text) => {
        const id = await valid(newPsu());
        await read(id, 1);
        const after = text as Awaited<ReturnType<typeof records.readsOf>>[number]["position"];
        expect(await records.readsOf(id, { after, limit: 3 })).toEqual([]);
      },
    );
  });
});

describe("the indexes of a PSU's permissions", () => {
  const { asked, debug } = recorder();
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase({ debug });
    await storesOf(database.db).tpps.remember(exampleTpp, now);
    const at = now.toISOString();
    await database.sql`
    insert into authorisation (id, kind, resource_id, tpp_id, request_id, sca_status, redirect_uri,
      psu_id, failed_attempts, selection, codes_sent, created_at, expires_at, decided_at)
    select md5(n::text)::uuid, 'AIS', md5('consent ' || n)::uuid, ${exampleTpp.id},
      gen_random_uuid(), 'finalised', 'https://tpp.example/', 'psu-' || n % 1000, 0, '{}', 1,
      ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, 10000) n`;
    await database.sql`
    insert into account_consent (id, tpp_id, authorisation_id, status, requested_access, access,
      recurring_indicator, valid_until, frequency_per_day, created_at, last_action_date)
    select md5('consent ' || n)::uuid, ${exampleTpp.id}, md5(n::text)::uuid, 'rejected', '{}', '{}',
      false, '2026-11-20', 4, ${at}::timestamptz, '2026-11-20'
    from generate_series(1, 10000) n`;
    await database.sql`
    insert into access_log (consent_id, tpp_id, what, at, attended)
    select md5('consent ' || n % 100 + 1)::uuid, ${exampleTpp.id}, 'accounts',
      ${at}::timestamptz + n * interval '1 second', true
    from generate_series(1, 40000) n`;
    // Before the months there are.
    await database.sql`
    insert into access_log (consent_id, tpp_id, what, at, attended)
    select md5('consent ' || n)::uuid, ${exampleTpp.id}, 'accounts', '2020-01-01'::timestamptz + n * interval '1 second', true
    from generate_series(1, 10000) n`;
    await database.sql`analyze authorisation, account_consent, access_log`;
  });
  afterAll(() => database.close());

  const of = "psu-1" as PsuId;
  const consentId = async () => {
    const [row] = await database.sql`select md5('consent 1')::uuid as id`;
    return row?.["id"] as ConsentId;
  };

  /** How PostgreSQL goes about the first statement of a call. */
  async function planOfRecords(
    call: (records: PermissionRecords) => Promise<unknown>,
  ): Promise<string> {
    asked.length = 0;
    await call(permissionRecords(database.db));
    const [plan = ""] = await Promise.all(asked.map((one) => planOf(database, one)));
    return plan;
  }
  const large = /Seq Scan on (authorisation|account_consent|access_log)/;

  test("the history of a consent is read off an index, in its order", async () => {
    const id = await consentId();
    for (const page of [
      { limit: 50 },
      { limit: 50, after: `${now.getTime() + 39_000_000}_${id}` as ReadPosition },
    ]) {
      const plan = await planOfRecords((records) => records.readsOf(id, page));
      expect(plan).toMatch(
        /Index (Only )?Scan Backward using access_log_\w+_consent_id_at_read_id_idx/,
      );
      expect(plan).not.toMatch(/-> +Sort|Seq Scan/);
    }
  });

  test("a PSU's permissions are found by index, each with its last read", async () => {
    const page = { limit: 20, newestMax: 3 };
    for (const filter of [{}, { inForce: true, text: "example" }]) {
      const plan = await planOfRecords((records) => records.list(of, filter, page));
      expect(plan).toContain("authorisation_of_psu");
      expect(plan).toMatch(
        /Index (Only )?Scan Backward using access_log_\w+_consent_id_at_read_id_idx/,
      );
      expect(plan).not.toMatch(large);
      const groups = await planOfRecords((records) => records.byTpp(of, filter, page));
      expect(groups).toContain("authorisation_of_psu");
      expect(groups).not.toMatch(large);
    }
  });

  test("one permission is found by index", async () => {
    const id = await consentId();
    const plan = await planOfRecords((records) => records.find(of, "accounts", id));
    expect(plan).not.toMatch(large);
  });

  test("old lines are found by index, however many there are", async () => {
    const [{ prosrc } = { prosrc: "" }] = await database.sql<{ prosrc: string }[]>`
    select prosrc from pg_proc where proname = 'access_log_destroy'`;
    const rows = await database.sql.unsafe(`explain (generic_plan) ${prosrc}`);
    const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    expect(plan).toContain("access_log_other_at_idx");
    expect(plan).not.toMatch(large);
  });
});
