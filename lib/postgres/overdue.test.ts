import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AccountConsent, endOfConsent } from "@/lib/domain/consents";
import { hasExpired } from "@/lib/domain/funds";
import { endedBy } from "@/lib/domain/overdue";
import { addDays, dayIn, type PsuId } from "@/lib/domain/values";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { overdue } from "./overdue";
import {
  challenged,
  challengedFunds,
  exampleTpp,
  minutesOn,
  now,
  openMax,
  receivedConsent,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
  today,
  validFunds,
} from "./testing";
import { planOf, recorder } from "./testing-database";

describe("overdue consents and authorisations", () => {
  const { asked, debug } = recorder();
  let database: TestDatabase;
  let stores: ReturnType<typeof storesOf>;
  let found: ReturnType<typeof overdue>;
  beforeAll(async () => {
    database = await testDatabase({ debug });
    stores = storesOf(database.db);
    found = overdue(database.db);
    await stores.tpps.remember(exampleTpp, now);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.sql`truncate account_consent, authorisation cascade`;
  });

  const minute = 60_000;
  const insert = async (given: Partial<AccountConsent>) => {
    const psuId = crypto.randomUUID() as string as PsuId;
    const { consent, authorisation } = receivedConsent(
      { status: "valid", psuId, authorisedAt: now, ...given },
      { scaStatus: "finalised", psuId },
    );
    await stores.consents.insert(consent, authorisation, openMax);
    return consent;
  };
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort();

  test("consents are overdue exactly when their end has come", async () => {
    // Around the two ends: the last day in local time, and the time since SCA.
    const given = fc.record({
      recurring: fc.boolean(),
      lastDay: fc.integer({ min: -1, max: 2 }),
      before: fc.oneof(
        fc.integer({ min: -1, max: 1 }).map((off) => 10 * minute + off),
        fc.integer({ min: -1, max: 1 }).map((off) => 180 * 1_440 * minute + off),
        fc.integer({ min: 0, max: 181 * 1_440 }).map((minutes) => minutes * minute),
      ),
    });
    const hours = fc.integer({ min: 0, max: 23 });
    await fc.assert(
      fc.asyncProperty(fc.array(given, { maxLength: 8 }), hours, async (drawn, hour) => {
        await database.sql`truncate account_consent, authorisation cascade`;
        const at = new Date(`${today}T${String(hour).padStart(2, "0")}:30:00Z`);
        const consents = await Promise.all(
          drawn.map(({ recurring, lastDay, before }) =>
            insert({
              recurringIndicator: recurring,
              validUntil: addDays(today, lastDay),
              authorisedAt: new Date(at.getTime() - before),
            }),
          ),
        );
        const ended = consents.filter(
          (consent) => at >= endOfConsent(consent, consent.authorisedAt ?? at, aspspProfile),
        );
        const listed = await found.consents(endedBy(aspspProfile, at), 100);
        expect(idsOf(listed)).toEqual(idsOf(ended));
      }),
      { numRuns: inputs(40) },
    );
  });

  test("consents that are not valid are never overdue", async () => {
    for (const status of ["expired", "rejected", "terminatedByTpp", "revokedByPsu"] as const) {
      await insert({ status, recurringIndicator: false });
    }
    expect(await found.consents(endedBy(aspspProfile, minutesOn(60)), 100)).toEqual([]);
  });

  test("consents come with what they grant, longest overdue first, and no more than asked for", async () => {
    const oneOff = { recurringIndicator: false } as const;
    const decision = await challenged(stores, oneOff);
    await stores.authorisations.finaliseAccountConsent(decision);
    const earlier = await insert({ ...oneOff, authorisedAt: minutesOn(-5) });
    const ended = endedBy(aspspProfile, minutesOn(60));
    const all = await found.consents(ended, 100);
    expect(all.map(({ id }) => id)).toEqual([earlier.id, decision.consentId]);
    expect(all[1]?.grantedAccounts).toEqual(decision.grantedAccounts);
    expect(idsOf(await found.consents(ended, 1))).toEqual([earlier.id]);
  });

  test("authorisations are overdue from the end of their window, until they are decided", async () => {
    const open = await challenged(stores);
    const failed = await challenged(stores);
    await stores.authorisations.fail({
      id: failed.authorisationId,
      because: "cancelled",
      on: today,
      at: now,
    });
    const finalised = await challenged(stores);
    await stores.authorisations.finaliseAccountConsent(finalised);
    const listed = async (minutes: number) =>
      idsOf(await found.authorisations(minutesOn(minutes), 100));
    expect(await listed(14.999)).toEqual([]);
    expect(await listed(15)).toEqual([open.authorisationId]);
  });

  test("what is overdue is read off an index, however much is not", async () => {
    await manyValidConsents();
    asked.length = 0;
    await found.authorisations(now, 10);
    await found.consents(endedBy(aspspProfile, now), 10);
    const plans = await Promise.all(asked.map((one) => planOf(database, one)));
    expect(plans[0]).toContain("authorisation_open");
    expect(plans[1]).toContain("account_consent_last_day");
    expect(plans[1]).toContain("account_consent_since_sca");
  });

  async function manyValidConsents(): Promise<void> {
    const at = now.toISOString();
    await database.sql`
    with finalised as (
      insert into authorisation (id, kind, resource_id, tpp_id, request_id, sca_status, redirect_uri, psu_id,
        failed_attempts, selection, codes_sent, created_at, expires_at, decided_at)
      select gen_random_uuid(), 'AIS', gen_random_uuid(), ${exampleTpp.id}, gen_random_uuid(),
        'finalised', '', n, 0,
        '{}', 1, ${at}, ${at}, ${at} from generate_series(1, 5000) n
      returning *
    )
    insert into account_consent (id, tpp_id, authorisation_id, status, requested_access, access,
      recurring_indicator, valid_until, frequency_per_day, created_at, last_action_date, psu_id,
      authorised_at)
    select resource_id, tpp_id, id, 'valid', '{}', '{}', true, date '2027-01-01' + psu_id::int / 200,
      4, created_at, ${today}, psu_id, created_at from finalised`;
    await database.sql`analyze authorisation, account_consent`;
  }
});

describe("overdue funds consents", () => {
  const { asked, debug } = recorder();
  let database: TestDatabase;
  let stores: Stores;
  let found: ReturnType<typeof overdue>;
  beforeAll(async () => {
    database = await testDatabase({ debug });
    stores = storesOf(database.db);
    found = overdue(database.db);
    await storesOf(database.db).tpps.remember(exampleTpp, now);
  });
  afterAll(() => database.close());
  const empty = () =>
    database.sql`truncate funds_consent, funds_check_budget, authorisation cascade`;
  beforeEach(empty);

  const on = (days: number) => addDays(today, days);
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort();

  test("funds consents are overdue exactly when their card's last day is over", async () => {
    const lastDay = fc.option(fc.integer({ min: -2, max: 2 }));
    const hour = fc.integer({ min: 0, max: 23 });
    await fc.assert(
      fc.asyncProperty(fc.array(lastDay, { maxLength: 8 }), hour, async (drawn, hours) => {
        await empty();
        const at = new Date(`${today}T${String(hours).padStart(2, "0")}:30:00Z`);
        for (const days of drawn) {
          await validFunds(stores, days === null ? {} : { cardExpiryDate: on(days) });
        }
        const listed = await found.fundsConsents(dayIn(aspspProfile.timeZone, at), 100);
        const all = await database.db.query.fundsConsent.findMany();
        const expired = all.filter(({ cardExpiryDate }) =>
          hasExpired(cardExpiryDate === null ? {} : { cardExpiryDate }, at, aspspProfile),
        );
        expect(idsOf(listed)).toEqual(idsOf(expired));
      }),
      { numRuns: inputs(40) },
    );
  });

  test("funds consents that are not valid are never overdue", async () => {
    const cardExpiryDate = on(-1);
    await challengedFunds(stores, { cardExpiryDate });
    const { consentId } = await validFunds(stores, { cardExpiryDate });
    await stores.fundsConsents.end({ consentId, from: "valid", to: "revokedByPsu", at: now });
    expect(await found.fundsConsents(today, 100)).toEqual([]);
  });

  test("the card that ran out first comes first, and no more than asked for", async () => {
    const second = await validFunds(stores, { cardExpiryDate: on(-1) });
    const first = await validFunds(stores, { cardExpiryDate: on(-2) });
    const listed = async (limit: number) =>
      (await found.fundsConsents(today, limit)).map(({ id }) => id);
    expect(await listed(100)).toEqual([first.consentId, second.consentId]);
    expect(await listed(1)).toEqual([first.consentId]);
  });

  test("what is overdue is read off an index, however much is not", async () => {
    const { consentId } = await validFunds(stores, { cardExpiryDate: on(100) });
    await database.sql`insert into funds_consent
    select (jsonb_populate_record(consent, jsonb_build_object(
      'id', gen_random_uuid(), 'authorisation_id', gen_random_uuid()))).*
    from funds_consent consent, generate_series(1, 5000) where id = ${consentId}`;
    await database.sql`analyze funds_consent`;
    asked.length = 0;
    await found.fundsConsents(today, 10);
    const [plan] = await Promise.all(asked.map((one) => planOf(database, one)));
    expect(plan).toContain("funds_consent_last_day");
  });
});
