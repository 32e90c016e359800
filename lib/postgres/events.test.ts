import fc from "fast-check";
import type postgres from "postgres";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { eventKinds, keptMonths, retentions } from "@/lib/domain/events";
import { attemptLimits, type UserKey } from "@/lib/domain/psu-attempts";
import type { SessionHash } from "@/lib/domain/sign-in";
import type { PsuId } from "@/lib/domain/values";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { connect, type Database } from "./client";
import { eventSealer, sendSeals, verifyEvents } from "./event-seals";
import { eventLog, everyEvent, keepMonths, listEvents, PAGE } from "./events";
import { oidcModels } from "./oidc";
import { psuAttempts } from "./psu-attempts";
import { signInStore } from "./sign-ins";
import {
  ana,
  challenged,
  challengedPayment,
  exampleTpp,
  initiation,
  minutesOn,
  newRequestId,
  now,
  payer,
  storesOf,
  testDatabase,
  testStores,
} from "./testing";
import { stopList } from "./tpps";

const resourceEvents = (sql: postgres.Sql, id: string) =>
  sql`select kind, tpp_id, request_id is not null as named, subject is not null as psu, detail
    from event where resource_id = ${id} order by id`;

describe("RTS art. 29: what changes something is recorded in the transaction that changes it", () => {
  it("a consent: the requests, each step of SCA with its means, each attempt, each status", async () => {
    const { database, stores } = await recording;
    const decision = await challenged(stores);
    await stores.authorisations.finaliseAccountConsent(decision);
    const { consentId, on, at } = decision;
    const requestId = newRequestId();
    const transition = { consentId, from: "valid", to: "terminatedByTpp", on, at } as const;
    await stores.consents.end({ ...transition, requestId });
    const event = { tpp_id: exampleTpp.id, named: false, psu: true };
    expect(await resourceEvents(database.sql, consentId)).toEqual([
      { ...event, kind: "consent-requested", named: true, psu: false, detail: {} },
      { ...event, kind: "sca-attempt", psu: false, detail: {} },
      status(event, "sca-status", "received", "psuAuthenticated"),
      { ...event, kind: "sca-proved", detail: { element: "login", means: "password" } },
      status(event, "sca-status", "psuAuthenticated", "started"),
      { ...event, kind: "sca-attempt", detail: {} },
      status(event, "sca-status", "started", "finalised"),
      { ...event, kind: "sca-proved", detail: { element: "confirmation", means: "code" } },
      status({ ...event }, "consent-status", "received", "valid"),
      status({ ...event, named: true }, "consent-status", "valid", "terminatedByTpp"),
    ]);
    const [ended] = await database.sql`select kind from event where request_id = ${requestId}`;
    expect(ended).toEqual({ kind: "consent-status" });
  });

  it("a payment, from its request to what the core bank has said of it", async () => {
    const { database, stores } = await recording;
    const paying = await challengedPayment(stores, await payer(database.db));
    await stores.authorisations.finalisePayment(paying);
    const recorded = await resourceEvents(database.sql, paying.paymentId);
    expect(recorded.map(({ kind, detail }) => [kind, detail.to])).toEqual([
      ["payment-requested", undefined],
      ["sca-attempt", undefined],
      ["sca-status", "psuAuthenticated"],
      ["sca-proved", undefined],
      ["sca-status", "started"],
      ["sca-attempt", undefined],
      ["payment-status", "ACTC"],
      ["sca-status", "finalised"],
      ["sca-proved", undefined],
    ]);
  });

  it("a sign-in at the bank's own channel: each attempt and each element with its means", async () => {
    const { db, sql } = await ownDatabase();
    const [attempts, signIns] = [psuAttempts(db), signInStore(db)];
    const limits = attemptLimits(aspspProfile, now);
    const user = "fingerprint" as UserKey;
    const [session, opened] = ["password known", "signed in"] as string[] as SessionHash[];
    if (session === undefined || opened === undefined) throw new Error("two sessions");
    await attempts.take(user, "password", limits, now);
    await signIns.begin(session, ana, now);
    await signIns.startPasskeyChallenge(session, { nonce: "n", expiresAt: minutesOn(5) }, now);
    await attempts.take(user, "passkey", limits, minutesOn(1));
    const judged = { passkeyNonce: "n" };
    await signIns.complete({ session, opened, judged, at: minutesOn(1) });
    const own = { purpose: "own-channel" };
    expect(
      await sql`select kind, detail from event where retention = 'security' order by id`,
    ).toEqual([
      { kind: "sca-attempt", detail: { user, means: "password" } },
      { kind: "session-opened", detail: { ...own, sca: false, means: "password" } },
      { kind: "sca-attempt", detail: { user, means: "passkey" } },
      { kind: "session-ended", detail: { ...own, sca: false, means: "password" } },
      { kind: "session-opened", detail: { ...own, sca: true, means: "passkey" } },
    ]);
  });

  it("tokens that a TPP gets, refreshes and revokes, and not those whose time is over", async () => {
    const { database, stores } = await recording;
    const { consentId, authorisationId: accountId } = await challenged(stores);
    const { upsert, destroyExpired, revokeByGrant } = oidcModels(database.db);
    const keys = (grantId: string) => ({ grantId, accountId });
    const later = new Date(Date.now() + 3_600_000);
    for (const grant of ["kept", "over"])
      await upsert("Grant", grant, {}, grant === "over" ? now : later, keys(grant));
    await upsert("RefreshToken", "first", {}, later, keys("kept"));
    await upsert("RefreshToken", "second", { rotations: 1 }, later, keys("kept"));
    await destroyExpired(now, 10);
    await revokeByGrant("kept");
    const recorded = await resourceEvents(database.sql, consentId);
    const ofTokens = recorded.filter(({ kind }) => kind.startsWith("tokens"));
    expect(ofTokens.map(({ kind, tpp_id, detail }) => [kind, tpp_id, detail])).toEqual([
      ["tokens-issued", exampleTpp.id, { for: "code" }],
      ["tokens-issued", exampleTpp.id, { for: "refresh-token" }],
      ["tokens-revoked", exampleTpp.id, {}],
    ]);
  });

  it("a TPP that is seen, blocked and let in again, with who acted for the bank", async () => {
    const { database } = await recording;
    const bank = connect(database.url, { max: 1 });
    onTestFinished(bank.close);
    await bank.db.execute("select set_config('drawbridge.actor', 'maria@bank', false)");
    const { block, unblock } = stopList(bank.db);
    await block({ tppId: exampleTpp.id, reason: "as ordered", blockedAt: now });
    await unblock(exampleTpp.id, now);
    const rows = await database.sql`select kind, actor, detail from event
      where tpp_id = ${exampleTpp.id} and retention = 'administration' order by id`;
    const { name, authorityId: authority, roles } = exampleTpp;
    expect(rows).toEqual([
      { kind: "tpp-seen", actor: null, detail: { name, authority, roles } },
      { kind: "tpp-blocked", actor: "maria@bank", detail: { reason: "as ordered" } },
      { kind: "tpp-unblocked", actor: "maria@bank", detail: { order: 1 } },
    ]);
  });

  it("and nothing of a transaction that came to nothing", async () => {
    const { database, stores } = await recording;
    const { consentId } = await challenged(stores);
    const before = await resourceEvents(database.sql, consentId);
    const undone = database.sql.begin(async (tx) => {
      await tx`update account_consent set status = 'rejected' where id = ${consentId}`;
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await resourceEvents(database.sql, consentId)).toEqual(before);
  });

  it("a role's temporary tables take nothing from what is recorded with the owner's rights", async () => {
    const { db, close } = await testDatabase({ max: 1 });
    onTestFinished(close);
    const stores = storesOf(db);
    await stores.tpps.remember(exampleTpp, now);
    for (const table of ["event", "event_key", "sandbox_clock", "payment_status_change"]) {
      const like = `create temporary table ${table} (like public.${table} including defaults)`;
      await db.$client.run((sql) => sql.unsafe(like));
    }
    await db.$client.run(
      (sql) => sql`insert into pg_temp.sandbox_clock (offset_milliseconds) values (1e12)`,
    );
    await eventLog(db).record({ kind: "customer-viewed", psuId: ana, actor: "ioana" });
    const begun = initiation();
    await stores.payments.initiate(begun);
    const [found] = await db.$client.run(
      (sql) => sql`select
        (select count(*)::int from public.event
          where kind = 'customer-viewed' and at < now() + interval '1 hour') as viewed,
        (select count(*)::int from public.payment_status_change
          where payment_id = ${begun.started.payment.id}) as statuses,
        (select count(*)::int from pg_temp.event_key) as keys`,
    );
    expect(found).toEqual({ viewed: 1, statuses: 1, keys: 0 });
  });

  it("every kind is one that lib/domain/events.ts knows, under its retention", async () => {
    const { database } = await recording;
    const rows = await database.sql<{ kind: string; retention: string }[]>`
      select distinct kind, retention from event`;
    const texts = await database.sql<{ text: string }[]>`
      select prosrc as text from pg_proc where prosrc like '%event_record%'`;
    const written = texts.flatMap(({ text }) =>
      [
        ...text.matchAll(
          /'([a-z]+(?:-[a-z]+)+)'(?: END)?, '(security|permission|administration)'/g,
        ),
      ].map(([, kind = "none", retention]) => ({ kind, retention })),
    );
    expect(written.length).toBeGreaterThan(10);
    for (const { kind, retention } of [...rows, ...written]) {
      expect([kind, retention]).toEqual([
        kind,
        new Map<string, string>(Object.entries(eventKinds)).get(kind),
      ]);
    }
  });
});

const recording = testStores({ max: 3 });

/** Of one test, with few connections: there are many such tests. */
async function ownDatabase() {
  const database = await testDatabase({ max: 4 });
  onTestFinished(database.close);
  return database;
}

const status = (event: object, kind: string, from: string, to: string) => ({
  ...event,
  kind,
  detail: { from, to },
});

describe("a customer in the events", () => {
  it("has another pseudonym each month, and is found by its id in all of them", async () => {
    const { sql, db } = await ownDatabase();
    await record(sql, ["2025-03-10T10:20:00Z", "2025-04-10T10:20:00Z"], ana);
    const found = await listEvents(db, { psuId: ana }, { limit: 10 });
    const subjects = found.map(({ line }) => (JSON.parse(line) as { subject: string }).subject);
    expect(new Set(subjects).size).toBe(2);
    expect(await listEvents(db, { psuId: "psu-nobody" as PsuId }, { limit: 10 })).toEqual([]);
    expect(JSON.stringify(found)).not.toContain(ana);
  });
});

/** As the owner alone can, at another time than now. */
async function record(sql: postgres.ISql, times: readonly string[], psuId?: PsuId): Promise<void> {
  for (const at of times) {
    const month = `${at.slice(0, 7)}-01`;
    await sql`insert into event_key values (${month}, sha256(${month}::bytea)) on conflict do nothing`;
    await sql`insert into event (retention, recorded_at, at, kind, subject, detail)
      values ('permission', ${at}, ${at}, 'passkey-added', event_pseudonym(${psuId ?? null}::text, ${month}), '{}')`;
  }
}

describe("seals", () => {
  it("hold each closed hour, over the seal before; the running hour is not sealed yet", async () => {
    const { sql, db } = await ownDatabase();
    const hours = ["2025-03-10T10:20:00Z", "2025-03-10T10:59:59.999999Z", "2025-03-10T15:00:00Z"];
    await record(sql, hours);
    await eventLog(db).record({ kind: "operator-command" });
    expect(await sealed(db, 2)).toEqual([
      ["2025-03-10T10:00:00.000000Z", "2025-03-10T11:00:00.000000Z", 2],
      ["2025-03-10T11:00:00.000000Z", "2025-03-10T16:00:00.000000Z", 1],
    ]);
    expect(await verifyEvents(db)).toMatchObject({ seals: 2, events: 3, faults: [] });
  });

  it("wait for a transaction that began to write in the hour", async () => {
    const { sql, db } = await ownDatabase();
    await sql`insert into event_key values ('2025-03-01', 'key')`;
    const { turn } = eventSealer(db);
    let end: (value: unknown) => void = () => undefined;
    const ended = new Promise((resolve) => {
      end = resolve;
    });
    let begun: (value: unknown) => void = () => undefined;
    const hasBegun = new Promise((resolve) => {
      begun = resolve;
    });
    const writing = sql.begin(async (tx) => {
      await record(tx, ["2025-03-10T10:20:00Z"]);
      begun(undefined);
      await ended;
    });
    await hasBegun;
    await record(sql, ["2025-03-10T10:30:00Z"]);
    expect(await turn()).toBeUndefined();
    end(undefined);
    await writing;
    await expect
      .poll(() => turn(), patience)
      .toMatchObject({ parts: { permission: { events: 2 } } });
  });

  it("are one for an hour, however many servers seal it at once", async () => {
    const { sql, db } = await ownDatabase();
    await record(sql, ["2025-03-10T10:20:00Z"]);
    const sealers = Array.from({ length: 4 }, () => eventSealer(db));
    const turns = () => Promise.all(sealers.map(({ turn }) => turn()));
    const made = async () => (await turns()).filter((seal) => seal !== undefined).length;
    await expect.poll(made, patience).toBe(1);
    expect(await made()).toBe(0);
  });

  it("are handed on once, and again when they were not taken", async () => {
    const { sql, db } = await ownDatabase();
    await record(sql, ["2025-03-10T10:20:00Z", "2025-03-10T12:20:00Z"]);
    await sealed(db, 2);
    const taken: number[] = [];
    const refuse = () => Promise.reject(new Error("refused"));
    await expect(sendSeals(db, refuse)).rejects.toThrow("refused");
    for (let nth = 0; nth < 2; nth += 1)
      await sendSeals(db, async ({ number }) => void taken.push(number));
    expect(taken).toEqual([1, 2]);
    const kept = { digest: (await verifyEvents(db)).last?.digest ?? "none", from: "a", to: "b" };
    expect((await verifyEvents(db, [kept])).faults).toEqual([]);
    const lost = { ...kept, digest: "0".repeat(64) };
    expect((await verifyEvents(db, [kept, lost])).faults).toHaveLength(1);
  });
});

/** A transaction that goes on in another database of the cluster keeps an hour unsealed meanwhile. */
const patience = { timeout: 120_000 };

async function sealed(db: Database, count: number) {
  const { turn } = eventSealer(db);
  const seals: (readonly unknown[])[] = [];
  const next = async () => {
    for (let seal = await turn(); seal !== undefined; seal = await turn())
      seals.push([seal.from, seal.to, seal.parts.permission.events]);
    return seals.length;
  };
  await expect.poll(next, patience).toBe(count);
  return seals;
}

/** npm run test:campaigns has 10,000. */
const MUTATIONS = Number(process.env["EVENT_MUTATIONS"] ?? inputs(300));

describe("verify", () => {
  it(`finds each of ${MUTATIONS} random changes, removals and insertions in sealed hours`, async () => {
    const { sql, ownerUrl } = await ownDatabase();
    const times = Array.from({ length: 24 }, (_, nth) =>
      new Date(Date.UTC(2025, 2, 10, 9, nth * 17)).toISOString(),
    );
    await record(sql, times, ana);
    const owner = connect(ownerUrl, { max: 1 });
    const { db } = owner;
    await sealed(db, 7);
    expect((await verifyEvents(db)).faults).toEqual([]);
    await db.execute("set session_replication_role = replica");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...mutations),
        fc.integer({ min: 0, max: times.length - 1 }),
        fc.integer({ min: 0, max: times.length - 1 }),
        async (mutation, one, other) => {
          fc.pre(one !== other);
          await db.execute("begin");
          try {
            await db.execute(mutation(one, other));
            expect((await verifyEvents(db)).faults, mutation(one, other)).not.toEqual([]);
          } finally {
            await db.execute("rollback");
          }
        },
      ),
      { numRuns: MUTATIONS },
    );
    expect((await verifyEvents(db)).faults).toEqual([]);
    await owner.close();
  }, 3_600_000);

  it("finds an event that was inserted beside the last of a page, with its time and id in another retention", async () => {
    const { sql, db } = await ownDatabase();
    await sql`insert into event (retention, recorded_at, at, kind, detail)
      select 'permission', timestamptz '2025-03-10' + make_interval(secs => n / 10.0), now(), 'passkey-added', '{}'
      from generate_series(1, ${PAGE + 1}::int) n`;
    await sealed(db, 1);
    await sql`insert into event (id, retention, recorded_at, at, kind, detail)
      select id, 'security', recorded_at, at, 'psu-blocked', detail from event
      where kind = 'passkey-added' order by recorded_at, id offset ${PAGE - 1}::int limit 1`;
    expect((await verifyEvents(db)).faults).toHaveLength(1);
  });
});

/** Each in SQL, of an event by its place. */
const at = (place: number) =>
  `(select id from event where kind = 'passkey-added' order by recorded_at, id offset ${place} limit 1)`;
const mutations: readonly ((one: number, other: number) => string)[] = [
  (one) => `update event set detail = '{"passkey":"another"}' where id = ${at(one)}`,
  (one) => `update event set actor = 'nobody' where id = ${at(one)}`,
  (one) => `update event set subject = gen_random_uuid() where id = ${at(one)}`,
  (one) => `update event set kind = 'passkey-removed' where id = ${at(one)}`,
  (one) => `update event set at = at + interval '1 ms' where id = ${at(one)}`,
  (one) => `update event set recorded_at = recorded_at + interval '1 us' where id = ${at(one)}`,
  (one) => `update event set retention = 'security' where id = ${at(one)}`,
  (one) => `delete from event where id = ${at(one)}`,
  (one) => `insert into event (retention, recorded_at, at, kind, detail)
    select retention, recorded_at, at, kind, detail from event where id = ${at(one)}`,
  (
    one,
    other,
  ) => `update event set id = case id when ${at(one)} then ${at(other)} else ${at(one)} end
    where id in (${at(one)}, ${at(other)})`,
  (one, other) => `update event set recorded_at = case id
      when ${at(one)} then (select recorded_at from event where id = ${at(other)})
      else (select recorded_at from event where id = ${at(one)}) end
    where id in (${at(one)}, ${at(other)})`,
  (one) => `insert into event (retention, recorded_at, at, kind, detail)
    select 'permission', "from" - interval '1 day' * ${one + 1}, now(), 'passkey-added', '{}' from event_seal where number = 1`,
  (one) => `delete from event_seal where number = 1 + ${one} % 5`,
  (one) => `update event_seal set digest = repeat('1', 64) where number = 1 + ${one} % 6`,
  (one) =>
    `update event_seal set parts = jsonb_set(parts, '{security,events}', '1') where number = 1 + ${one} % 6`,
  (one) => `update event_seal set "to" = "to" + interval '1 hour' where number = 1 + ${one} % 6`,
];

const monthsAgo = (months: number) => {
  const then = new Date();
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() - months);
  return then.toISOString().slice(0, 7);
};

describe("retention", () => {
  const kept = testDatabase({ max: 3 });
  afterAll(async () => (await kept).close());
  const months = async () => {
    const rows = await (await kept).sql<{ name: string }[]>`
      select relname as name from pg_class where relispartition and relkind = 'r'
        and relname ~ '_\\d{4}_\\d{2}$' and to_date(right(relname, 7), 'YYYY_MM') < now() - interval '2 months'`;
    return rows.map(({ name }) => name).sort();
  };
  /** A month of one retention as a server would have made it then, with an event of Ana's. */
  const monthOf = async (retention: string, month: string) => {
    const { sql } = await kept;
    const table = `event_${retention}_${month.replace("-", "_")}`;
    const end = new Date(`${month}-01`);
    end.setUTCMonth(end.getUTCMonth() + 1);
    await sql.unsafe(`create table ${table} partition of event_${retention}
      for values from ('${month}-01 00:00:00+00') to ('${end.toISOString()}')`);
    await sql`insert into event_key values (${`${month}-01`}, sha256('key')) on conflict do nothing`;
    await sql`insert into event (retention, recorded_at, at, kind, subject, detail)
      values (${retention}, ${`${month}-10`}, now(), 'passkey-added', event_pseudonym(${ana}, ${`${month}-01`}), '{}')`;
    return table;
  };

  it.each(retentions)(
    "a month of %s is removed when its time is over, and not before",
    async (retention) => {
      const { db } = await kept;
      const over = await monthOf(retention, monthsAgo(keptMonths[retention] + 2));
      const young = await monthOf(retention, monthsAgo(keptMonths[retention]));
      await keepMonths(db);
      expect(await months()).not.toContain(over);
      expect(await months()).toContain(young);
      // Whatever the running role asks for.
      const asked = `select event_remove_month('${retention}', '${monthsAgo(keptMonths[retention])}-01') as removed`;
      expect(await db.execute(asked)).toEqual([{ removed: false }]);
    },
  );

  it("a month that is in use by a longer transaction stays for now, and no request waits for its end", async () => {
    const { db, sql, url } = await kept;
    const used = await monthOf("security", monthsAgo(50));
    const other = connect(url, { max: 1 });
    onTestFinished(other.close);
    await sql.begin(async (tx) => {
      await tx.unsafe(`select from ${used} limit 1`);
      const removing = keepMonths(other.db);
      await eventLog(db).record({ kind: "psu-blocked" });
      await removing;
      expect(await months()).toContain(used);
    });
    await keepMonths(db);
    expect(await months()).not.toContain(used);
  });

  it("events that came while their month had no partition get one, and stay as they were sealed", async () => {
    const { db, sql } = await ownDatabase();
    for (const retention of retentions) {
      await sql`insert into event (retention, recorded_at, at, kind, detail)
        values (${retention}, now() - interval '2 months', now(), 'passkey-added', '{}')`;
    }
    await sealed(db, 1);
    await sql.unsafe(`drop table event_administration_${monthsAgo(-3).replace("-", "_")}`);
    await keepMonths(db);
    const others = retentions.map((retention) => `select from event_${retention}_other`);
    expect(await sql.unsafe(others.join(" union all "))).toEqual([]);
    expect(await verifyEvents(db)).toMatchObject({ events: 3, faults: [] });
  });

  it("the pseudonyms of a month without events are nobody's any more", async () => {
    const { db, sql } = await kept;
    const month = monthsAgo(130);
    await monthOf("administration", month);
    await keepMonths(db);
    expect(await sql`select from event_key where month = ${`${month}-01`}`).toEqual([]);
  });

  const heldId = "3dc3d5b3-7023-4848-9853-f5400a64e80f";
  it.each([
    ["a customer", "customer", ana],
    ["a TPP", "tpp", exampleTpp.id],
    ["a consent or payment", "resource", heldId],
    ["a consent or payment whose id is in capital letters", "resource", heldId.toUpperCase()],
  ])(
    "a month with an event of %s that is held stays until it is released",
    async (_what, about, subject) => {
      const { db, sql } = await kept;
      const held = await monthOf("security", monthsAgo(25));
      await sql`insert into event (retention, recorded_at, at, kind, tpp_id, resource_kind, resource_id, detail)
      values ('security', ${`${monthsAgo(25)}-10`}, now(), 'sca-attempt', ${exampleTpp.id}, 'AIS', ${heldId}, '{}')`;
      await sql`insert into legal_hold (subject_kind, subject, reason, placed_by, placed_at)
      values (${about}, ${subject}, 'a complaint', 'maria', now())`;
      await keepMonths(db);
      expect(await months()).toContain(held);
      await sql`update legal_hold set released_at = now(), released_by = 'maria' where released_at is null`;
      await keepMonths(db);
      expect(await months()).not.toContain(held);
    },
  );

  it("a removed month is said by an event, and is no fault to verify, but an event that is inserted into it is", async () => {
    const { db, sql } = await kept;
    await monthOf("security", monthsAgo(40));
    await sealed(db, 4);
    await keepMonths(db);
    const { faults, removed } = await verifyEvents(db);
    expect(faults).toEqual([]);
    expect(removed).toBeGreaterThan(0);
    await sql`insert into event (retention, recorded_at, at, kind, detail)
      values ('security', ${`${monthsAgo(40)}-10`}, now(), 'psu-blocked', '{}')`;
    expect((await verifyEvents(db)).faults).toEqual([expect.stringContaining("1 are there")]);
  });

  it("a month that its owner has removed before its time is a fault, though an event says that it is removed", async () => {
    const { db, sql } = await ownDatabase();
    const month = monthsAgo(2);
    await sql`insert into event (retention, recorded_at, at, kind, detail)
      values ('security', ${`${month}-10`}, now(), 'psu-blocked', '{}')`;
    await sealed(db, 1);
    await sql.unsafe(
      "alter table event_security_other disable trigger all; delete from event_security_other",
    );
    const detail = { retention: "security", month };
    await eventLog(db).record({ kind: "events-removed", detail });
    expect((await verifyEvents(db)).faults).toHaveLength(1);
  });
});

it("an export is whole and in order, a page at a time", async () => {
  const { sql, db } = await ownDatabase();
  await sql`insert into event (retention, recorded_at, at, kind, detail)
    select (array['security', 'permission', 'administration'])[1 + n % 3], timestamptz '2025-03-10' + make_interval(secs => n % 700),
      now(), 'passkey-added', '{}' from generate_series(1, 4500) n`;
  const times: string[] = [];
  for await (const { recordedAt } of everyEvent(db, { to: "2025-04-01" })) times.push(recordedAt);
  expect(times).toHaveLength(4_500);
  expect(times).toEqual([...times].sort());
});
