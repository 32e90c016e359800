import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { hasExpired } from "@/lib/domain/funds-confirmation/current-funds-consent";
import { addDays, dayIn } from "@/lib/domain/iso-date";
import { overdue } from "./overdue";
import { exampleTpp, now, storesOf, today } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { challengedFunds, type FundsStores, fundsStoresOf, validFunds } from "./testing-funds";
import { planOf, recorder } from "./testing-statements/recorded";

const { asked, debug } = recorder();
let database: TestDatabase;
let stores: FundsStores;
let found: ReturnType<typeof overdue>;
beforeAll(async () => {
  database = await testDatabase({ debug });
  stores = fundsStoresOf(database.db);
  found = overdue(database.db);
  await storesOf(database.db).tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());
const empty = () => database.sql`truncate funds_consent, funds_check_budget, authorisation cascade`;
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
    { numRuns: 20 },
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
    from funds_consent consent, generate_series(1, 20000) where id = ${consentId}`;
  await database.sql`analyze funds_consent`;
  asked.length = 0;
  await found.fundsConsents(today, 10);
  const [plan] = await Promise.all(asked.map((one) => planOf(database, one)));
  expect(plan).toContain("funds_consent_last_day");
});
