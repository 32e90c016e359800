import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "@/lib/config";
import { addPsu } from "@/lib/core-bank/ledger/testing";
import { money } from "@/lib/domain/bank-profile";
import { attemptLimits, type UserKey } from "@/lib/domain/psu-attempts";
import type { SessionHash } from "@/lib/domain/sign-in";
import {
  type AuthorisationId,
  addTime,
  type IsoDate,
  newConsentId,
  type PaymentId,
  type TppId,
} from "@/lib/domain/values";
import { connect } from "@/lib/postgres/client";
import { paymentStore } from "@/lib/postgres/payments";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { psuSessionStore, signInStore } from "@/lib/postgres/sign-ins";
import {
  ana,
  challenged,
  challengedFunds,
  challengedPayment,
  exampleTpp,
  mihai,
  minutesOn,
  now,
  otherTpp,
  patientBounds,
  payer,
  storesOf,
  type TestDatabase,
  testDatabase,
  tokenAlive,
  validFunds,
  waitingForLocks,
} from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { startEventKeeping, startExecution, startSweep, sweep } from "./jobs";

describe("the sweep", () => {
  const oneOff = { recurringIndicator: false } as const;
  const days = (count: number) => minutesOn(count * 1_440);

  let database: TestDatabase;
  let stores: ReturnType<typeof storesOf>;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
    await stores.tpps.remember(exampleTpp, now);
  });
  afterAll(() => database.close());

  async function valid(given: Parameters<typeof challenged>[1] = {}) {
    const decision = await challenged(stores, given);
    await stores.authorisations.finaliseAccountConsent(decision);
    return decision;
  }
  type Decision = Awaited<ReturnType<typeof valid>>;

  const statusOf = async ({ consentId }: Decision) =>
    (await stores.consents.find(consentId))?.status;
  const tokensOf = async (id: AuthorisationId) =>
    (await database.sql`select from oidc_payload where account_id = ${id}`).length;

  test("a consent that nobody reads ends by time, and takes its tokens with it", async () => {
    const [recurring, once] = [await valid(), await valid(oneOff)];
    await sweep(database.db, minutesOn(9.99));
    expect([await statusOf(recurring), await statusOf(once)]).toEqual(["valid", "valid"]);
    await sweep(database.db, minutesOn(10));
    expect([await statusOf(recurring), await statusOf(once)]).toEqual(["valid", "expired"]);
    expect([await tokenAlive(stores, recurring), await tokenAlive(stores, once)]).toEqual([
      true,
      false,
    ]);
    await sweep(database.db, days(180));
    expect(await statusOf(recurring)).toBe("expired");
    expect(await tokensOf(recurring.authorisationId)).toBe(0);
  });

  test("a funds consent that nobody reads ends with its card, and takes its tokens with it", async () => {
    const funds = storesOf(database.db);
    const [card, endless] = [
      await validFunds(funds, { cardExpiryDate: "2026-11-30" as IsoDate }),
      await validFunds(funds),
    ];
    const statuses = async () => [
      (await funds.fundsConsents.find(card.consentId))?.status,
      (await funds.fundsConsents.find(endless.consentId))?.status,
    ];
    await sweep(database.db, new Date("2026-11-30T21:59:59.999Z"));
    expect(await statuses()).toEqual(["valid", "valid"]);
    await sweep(database.db, new Date("2026-11-30T22:00:00Z"));
    expect(await statuses()).toEqual(["expired", "valid"]);
    expect(await tokenAlive(funds, card)).toBe(false);
    expect(await tokenAlive(funds, endless)).toBe(true);
  });

  test("a funds consent whose window nobody comes back to is rejected after 15 minutes", async () => {
    const funds = storesOf(database.db);
    const { consentId } = await challengedFunds(funds);
    const status = async () => (await funds.fundsConsents.find(consentId))?.status;
    await sweep(database.db, minutesOn(14.99));
    expect(await status()).toBe("received");
    await sweep(database.db, minutesOn(15));
    expect(await status()).toBe("rejected");
  });

  test("a window that nobody comes back to ends after 15 minutes", async () => {
    const waiting = await challenged(stores);
    await sweep(database.db, minutesOn(14.99));
    expect(await statusOf(waiting)).toBe("received");
    await sweep(database.db, minutesOn(15));
    expect(await statusOf(waiting)).toBe("rejected");
    const authorisation = await stores.authorisations.find(waiting.authorisationId);
    expect(authorisation?.scaStatus).toBe("failed");
    expect(await tokensOf(waiting.authorisationId)).toBe(0);
  });

  test("what the authorisation server kept goes when it has expired", async () => {
    const hash = randomUUID();
    await stores.models.upsert("Interaction", hash, {}, minutesOn(30), {});
    await sweep(database.db, minutesOn(29.99));
    expect(await stores.models.find("Interaction", hash, now)).toBeDefined();
    await sweep(database.db, minutesOn(30));
    expect(await stores.models.find("Interaction", hash, now)).toBeUndefined();
  });

  test("PSU sessions go once they are too old to be alive", async () => {
    const sessions = psuSessionStore(database.db);
    const [old, young] = [randomUUID(), randomUUID()];
    await sessions.open(old, ana, now);
    await sessions.open(young, mihai, minutesOn(5));
    await sweep(database.db, minutesOn(165.01));
    expect(await database.sql`select id_hash from psu_session`).toEqual([{ id_hash: young }]);
  });

  test("failed attempts go once they are too old to be counted", async () => {
    const tryAt = (user: string, at: Date) =>
      stores.psuAttempts.take(user as UserKey, "code", attemptLimits(aspspProfile, at), at);
    const [old, young] = [randomUUID(), randomUUID()];
    await tryAt(old, now);
    await tryAt(young, minutesOn(1));
    await sweep(database.db, days(30));
    expect(await database.sql`select user_key from psu_attempts`).toEqual([{ user_key: young }]);
  });

  test("four servers that sweep at once end everything once, and do not deadlock", async () => {
    const connections = [1, 2, 3, 4].map(() =>
      connect(database.url, { max: 2, bounds: patientBounds }),
    );
    const decisions = await Promise.all(
      Array.from({ length: 40 }, (_, nth) =>
        nth % 2 === 0 ? valid(oneOff) : challenged(stores, oneOff),
      ),
    );
    await Promise.all(connections.map(({ db }) => sweep(db, minutesOn(60))));
    const statuses = await Promise.all(decisions.map(statusOf));
    expect(statuses).toEqual(decisions.map((_, nth) => (nth % 2 === 0 ? "expired" : "rejected")));
    await Promise.all(connections.map(({ close }) => close()));
    const [stat] = await database.sql`select deadlocks::int from pg_stat_database
    where datname = current_database()`;
    expect(stat).toEqual({ deadlocks: 0 });
  });

  test("a TPP that deletes the consent at this moment is heard, and the sweep goes on", async () => {
    const decision = await valid(oneOff);
    let swept: Promise<boolean> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`update account_consent set status = 'terminatedByTpp' where id = ${decision.consentId}`;
      swept = sweep(database.db, minutesOn(10));
      await waitingForLocks(database, 1);
    });
    expect(await swept).toBe(false);
    expect(await statusOf(decision)).toBe("terminatedByTpp");
  });

  test("there is more to do while as many rows were found as are taken at once", async () => {
    await database.sql`insert into oidc_payload (model, id_hash, payload, expires_at)
    select 'Interaction', n::text, '{}', ${now.toISOString()} from generate_series(1, 250) n`;
    expect(await sweep(database.db, now)).toBe(true);
    expect(await sweep(database.db, now)).toBe(false);
  });

  test("there is more to do while as many funds consents have run out as are taken at once", async () => {
    const { consentId } = await validFunds(storesOf(database.db), {
      cardExpiryDate: "2026-11-20" as IsoDate,
    });
    await database.sql`
    with copy as (
      insert into funds_consent
      select (jsonb_populate_record(consent, jsonb_build_object(
        'id', gen_random_uuid(), 'authorisation_id', gen_random_uuid()))).*
      from funds_consent consent, generate_series(1, 210) where id = ${consentId}
      returning *
    )
    insert into authorisation
    select (jsonb_populate_record(known, jsonb_build_object('id', copy.authorisation_id,
      'resource_id', copy.id, 'request_id', gen_random_uuid()))).*
    from copy, authorisation known where known.resource_id = ${consentId}`;
    expect(await sweep(database.db, days(1))).toBe(true);
    expect(await sweep(database.db, days(1))).toBe(false);
  });

  test("the server's own sweep begins with the server, and is over when it has been stopped", async () => {
    const hash = randomUUID();
    await stores.models.upsert("Interaction", hash, {}, now, {});
    const settings = { DATABASE_URL: database.url, SANDBOX: true } as Config;
    await startSweep(settings).finish();
    expect(await stores.models.find("Interaction", hash, minutesOn(-1))).toBeUndefined();
  });
});

/** The payments about which a server's core bank is asked before it answers, when the first question stops the server. */
async function askedAboutUntilStopped(settings: Config): Promise<readonly string[]> {
  const asked: string[] = [];
  let stopped: Promise<void> | undefined;
  const core = createServer(({ url = "" }, response) => {
    if (url === "/payments/changes") return response.end('{"changes":[],"next":"1"}');
    asked.push(url);
    stopped ??= server.finish();
    const history = [{ status: "ACCP", at: minutesOn(2).toISOString() }];
    const paymentId = url.slice("/payments/".length);
    return response.end(
      JSON.stringify({ paymentId, history, nextAt: minutesOn(9_999).toISOString() }),
    );
  });
  await once(core.listen(0, "127.0.0.1"), "listening");
  const CORE_BANK_URL = `http://127.0.0.1:${(core.address() as AddressInfo).port}`;
  const server = startExecution({ ...settings, CORE_BANK_URL, CORE_BANK_CONNECTIONS: 2 });
  while (stopped === undefined) await sleep(20);
  await stopped;
  core.close().closeAllConnections();
  return asked;
}

describe("where TPPs of the sandbox have clocks of their own", () => {
  let database: TestDatabase;
  let stores: ReturnType<typeof storesOf>;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
    for (const tpp of [exampleTpp, otherTpp]) await stores.tpps.remember(tpp, now);
    await sandboxClock(database.db).moveTo(now);
    await sandboxClock(database.db).setAhead(exampleTpp.id, 180 * 86_400);
  });
  afterAll(() => database.close());

  test("the sweep ends what has run out by the TPP's own, and nothing of another TPP", async () => {
    const consentOf = async (tppId: TppId) => {
      const decision = await challenged(stores, { tppId });
      await stores.authorisations.finaliseAccountConsent(decision);
      const card = await validFunds(stores, { tppId, cardExpiryDate: "2027-01-31" as IsoDate });
      const waiting = await challenged(stores, { tppId, psuId: mihai });
      return async () => [
        (await stores.consents.find(decision.consentId))?.status,
        (await stores.fundsConsents.find(card.consentId))?.status,
        (await stores.consents.find(waiting.consentId))?.status,
      ];
    };
    const [own, other] = [await consentOf(exampleTpp.id), await consentOf(otherTpp.id)];
    const settings = { DATABASE_URL: database.url, SANDBOX: true } as Config;
    await startSweep(settings).finish();
    expect(await own()).toEqual(["expired", "expired", "rejected"]);
    expect(await other()).toEqual(["valid", "valid", "received"]);
  });

  /** One that its PSU has authorised, and that is to be submitted then. */
  async function payment(tppId: TppId, dueAt: Date): Promise<PaymentId> {
    const psuId = await addPsu(database.db, "Maria Ene", `maria-${randomUUID()}`);
    await database.sql`update psu set tpp_id = ${tppId} where id = ${psuId}`;
    const amount = money("EUR", 1_000n);
    const order = { product: "instant-sepa-credit-transfers", amount } as const;
    const debtor = await payer(database.db, { psuId });
    const decision = await challengedPayment(stores, debtor, order, tppId);
    expect(await stores.authorisations.finalisePayment(decision)).toBe("finalised");
    await database.sql`update payment_submission set due_at = ${dueAt}
      where payment_id = ${decision.paymentId}`;
    return decision.paymentId;
  }

  test("a server that is stopping takes no payment of a TPP's own that it would not submit", async () => {
    const first = await payment(otherTpp.id, now);
    // Due by its TPP's own alone.
    const next = await payment(exampleTpp.id, minutesOn(1_440));
    const settings = { DATABASE_URL: database.url, SANDBOX: true } as Config;
    expect(await askedAboutUntilStopped(settings)).toEqual([`/payments/${first}`]);
    const attempts =
      await database.sql`select attempts from payment_submission where payment_id = ${next}`;
    expect(attempts).toEqual([{ attempts: 0 }]);
    await database.sql`truncate payment_submission`;
  });

  test("a payment is submitted and executed by its TPP's own, and another TPP's when it is due", async () => {
    const statusOf = async (tppId: TppId) => {
      // Not due before a day has passed.
      const id = await payment(tppId, minutesOn(1_440));
      return async () => (await paymentStore(database.db).findOfTpp(id, tppId))?.status;
    };
    const [own, other] = [await statusOf(exampleTpp.id), await statusOf(otherTpp.id)];
    const settings = { DATABASE_URL: database.url, SANDBOX: true } as Config;
    const server = startExecution(settings);
    while ((await own()) !== "ACCC") await sleep(20);
    expect(await other()).toBe("ACTC");
    await sandboxClock(database.db).moveTo(minutesOn(1_441));
    while ((await other()) !== "ACCC") await sleep(20);
    await server.finish();
  });
});

describe("the sweep of the bank's own channel", () => {
  let database: TestDatabase;
  let stores: ReturnType<typeof storesOf>;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
  });
  afterAll(() => database.close());

  test("sessions of the bank's own channel go once they are too old to be alive", async () => {
    const signIns = signInStore(database.db);
    const [old, young] = [
      randomUUID() as string as SessionHash,
      randomUUID() as string as SessionHash,
    ];
    await signIns.begin(old, ana, now);
    await signIns.begin(young, mihai, minutesOn(30));
    const left = () => database.sql`select id_hash from psu_session where purpose = 'own-channel'`;
    await sweep(database.db, minutesOn(59.99));
    expect(await left()).toHaveLength(2);
    await sweep(database.db, minutesOn(60.01));
    expect(await left()).toEqual([{ id_hash: young }]);
  });

  test("lines of the access log go after thirteen months, by the database's clock and the bank's", async () => {
    const tppId = exampleTpp.id;
    const consentId = newConsentId();
    const line = { consentId, tppId, what: "accounts", attended: true } as const;
    const today = new Date();
    const [kept, gone] = [60_000, -60_000].map(
      (ms) => new Date(addTime(today, -397, "day").getTime() + ms),
    );
    for (const at of [kept, gone]) await stores.budget.admitAttended({ ...line, at: at ?? now });
    const left = () => database.sql`
    select (extract(epoch from at) * 1000)::float8 as at from access_log where consent_id = ${consentId}`;
    expect(aspspProfile.retention.accessLogDays).toBe(397);
    await sweep(database.db, addTime(today, -1, "day"));
    expect(await left()).toHaveLength(2);
    // However far somebody has moved the sandbox's clock.
    await sweep(database.db, addTime(today, 3_650, "day"));
    expect(await left()).toEqual([{ at: kept?.getTime() }]);
  });

  test("the interface's figures go after 550 days of the machine's clock, however far the sandbox's was moved", async () => {
    const left = async () =>
      (await database.sql`select now()::date - day as age from request_day order by day`).map(
        ({ age }) => age,
      );
    await database.sql`insert into request_day (day, area, outcome, requests, took_microseconds)
      select now()::date - age, 'aisp', 'granted', 1, 1 from unnest(array[0, 540, 560]) age`;
    await sweep(database.db, addTime(new Date(), 3_650, "day"));
    expect(await left()).toEqual([540, 0]);
  });

  test("there is more to do while as many lines are too old as are taken at once", async () => {
    const tppId = exampleTpp.id;
    await database.sql`insert into access_log (consent_id, tpp_id, what, at, attended)
    select gen_random_uuid(), ${tppId}, 'accounts', now() - interval '398 days', true
    from generate_series(1, 250)`;
    const today = new Date();
    expect(await sweep(database.db, today)).toBe(true);
    expect(await sweep(database.db, today)).toBe(false);
  });
});

test("while nobody takes the seals, events and the days of the statistics are counted all the same", async () => {
  const database = await testDatabase();
  await database.sql`insert into event_seal (number, "from", "to", parts, digest)
    values (1, now() - interval '2 hours', now() - interval '1 hour', '{}', 'a')`;
  await database.sql`insert into request_minute values (now() - interval '3 days', 'aisp', 'granted', 1, 1)`;
  const EVENT_SEALS_TO = "file:///no/such/folder/seals.ndjson";
  const server = startEventKeeping({ DATABASE_URL: database.url, EVENT_SEALS_TO } as Config);
  await server.finish();
  expect(await database.sql`select name from job_run`).toEqual([{ name: "event-keeping" }]);
  expect(await database.sql`select from request_day`).toHaveLength(1);
  expect(await database.sql`select from event_seal where sent_at is null`).toHaveLength(1);

  // A step of its own that fails is one that the console has to show.
  await database.sql`truncate job_run`;
  await database.sql`alter table request_day rename to request_day_lost`;
  await startEventKeeping({ DATABASE_URL: database.url } as Config).finish();
  expect(await database.sql`select from job_run`).toHaveLength(0);
  await database.close();
});

describe("the execution of payments", () => {
  let database: TestDatabase;
  let settings: Config;
  beforeAll(async () => {
    database = await testDatabase();
    settings = { DATABASE_URL: database.url, SANDBOX: true } as Config;
    await storesOf(database.db).tpps.remember(exampleTpp, minutesOn(0));
    await sandboxClock(database.db).moveTo(minutesOn(2));
  });
  afterAll(() => database.close());

  /** An instant payment that its PSU has authorised, whose request was killed before it was submitted. */
  async function authorised(): Promise<PaymentId> {
    const stores = storesOf(database.db);
    const order = {
      product: "instant-sepa-credit-transfers",
      amount: money("EUR", 1_000n),
    } as const;
    const decision = await challengedPayment(stores, await payer(database.db), order);
    expect(await stores.authorisations.finalisePayment(decision)).toBe("finalised");
    return decision.paymentId;
  }
  const statusOf = async (id: PaymentId) =>
    (await paymentStore(database.db).findOfTpp(id, exampleTpp.id))?.status;
  async function reached(id: PaymentId, status: string): Promise<void> {
    while ((await statusOf(id)) !== status) await sleep(20);
  }
  const statusesOf = async (id: PaymentId) => {
    const rows = await database.sql`select status from payment_status_change
    where payment_id = ${id} order by status`;
    return rows.map(({ status }) => status);
  };

  test("what is in the outbox is submitted and executed with the server's start, by the sandbox's clock", async () => {
    const id = await authorised();
    const clock = sandboxClock(database.db);
    await clock.moveTo(minutesOn(1.5));
    await startExecution(settings).finish();
    expect(await statusOf(id)).toBe("ACTC");
    await clock.moveTo(minutesOn(2));
    const running = startExecution(settings);
    await reached(id, "ACCC");
    await running.finish();
  });

  test("what becomes due while servers run is executed within seconds, each step once", async () => {
    const servers = [1, 2, 3, 4].map(() => startExecution(settings));
    await sleep(100);
    const ids = await Promise.all(Array.from({ length: 12 }, authorised));
    await Promise.all(ids.map((id) => reached(id, "ACCC")));
    await Promise.all(servers.map(({ finish }) => finish()));
    const all = ["ACCC", "ACCP", "ACSC", "ACSP", "ACTC", "RCVD"];
    for (const id of ids) expect(await statusesOf(id)).toEqual(all);
    const debits = await database.sql`select from ledger_entry
    where entry_reference in ${database.sql(ids.map((id) => id.replaceAll("-", "")))}`;
    expect(debits).toHaveLength(ids.length);
  });

  test("another core bank's feed is read, also while payments are due all the time", async () => {
    const asked: string[] = [];
    const core = createServer((request, response) => {
      const { url = "" } = request;
      asked.push(url);
      const paymentId = url.slice("/payments/".length);
      const history = [{ status: "ACCP", at: minutesOn(2).toISOString() }];
      const progress = { paymentId, history, nextAt: minutesOn(3).toISOString() };
      const isFeed = url === "/payments/changes";
      response.end(JSON.stringify(isFeed ? { changes: [], next: "1" } : progress));
    });
    await once(core.listen(0, "127.0.0.1"), "listening");
    await authorised();
    await database.sql`create function always_due() returns trigger language plpgsql
      as $$ begin new.due_at := 'epoch'; return new; end $$`;
    await database.sql`create trigger always_due before update on payment_submission
      for each row execute function always_due()`;
    const CORE_BANK_URL = `http://127.0.0.1:${(core.address() as AddressInfo).port}`;
    const server = startExecution({ ...settings, CORE_BANK_URL, CORE_BANK_CONNECTIONS: 2 });
    while (!asked.includes("/payments/changes")) await sleep(20);
    await server.finish();
    core.close();
    await database.sql`drop function always_due cascade`;
  });

  test("while the core bank's feed cannot be read the job is not noted as done", async () => {
    let asked = 0;
    const core = createServer((_, response) => {
      asked += 1;
      response.writeHead(500).end();
    });
    await once(core.listen(0, "127.0.0.1"), "listening");
    await database.sql`truncate job_run, payment_submission`;
    const CORE_BANK_URL = `http://127.0.0.1:${(core.address() as AddressInfo).port}`;
    const server = startExecution({ ...settings, CORE_BANK_URL, CORE_BANK_CONNECTIONS: 2 });
    while (asked === 0) await sleep(20);
    await server.finish();
    core.close();
    expect(await database.sql`select from job_run`).toHaveLength(0);
  });

  test("a server that is stopped while the core bank is asked about a payment asks about no other", async () => {
    await database.sql`truncate payment_submission`;
    for (let nth = 0; nth < 3; nth += 1) await authorised();
    expect(new Set(await askedAboutUntilStopped(settings)).size).toBe(1);
  });

  test("a server that has been stopped executes nothing more", async () => {
    const server = startExecution(settings);
    await server.finish();
    const id = await authorised();
    await sleep(1_500);
    expect(await statusOf(id)).toBe("ACTC");
  });
});
