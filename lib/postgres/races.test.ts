import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountConsentDecision } from "@/lib/domain/sca/authorisation-store";
import { connect } from "./client";
import {
  challenged,
  exampleTpp,
  minutesOn,
  now,
  otherTpp,
  type Stores,
  storesOf,
  today,
  tokenAlive,
  waitingForLocks,
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { contradictions } from "./testing-contradictions";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
  await stores.tpps.remember(otherTpp, now);
});
afterAll(() => database.close());

const oneOff = { recurringIndicator: false } as const;
const statusOf = async ({ consentId }: AccountConsentDecision) =>
  (await stores.consents.find(consentId))?.status;
const scaStatusOf = async ({ authorisationId }: AccountConsentDecision) =>
  (await stores.authorisations.find(authorisationId))?.scaStatus;

test("DELETE against the PSU's yes: a terminated consent is never valid", async () => {
  for (let round = 0; round < 20; round += 1) {
    const decision = await challenged(stores, oneOff);
    const end = stores.consents.end({
      consentId: decision.consentId,
      from: "received",
      to: "terminatedByTpp",
      on: today,
      at: now,
    });
    const [yes, ended] = await Promise.all([
      stores.authorisations.finaliseAccountConsent(decision),
      end,
    ]);
    expect(yes).toBe(!ended);
    expect(await statusOf(decision)).toBe(yes ? "valid" : "terminatedByTpp");
    expect(await scaStatusOf(decision)).toBe(yes ? "finalised" : "failed");
    expect(await tokenAlive(stores, decision)).toBe(yes);
  }
});

test("P8: yes against no: one of them is heard", async () => {
  for (let round = 0; round < 20; round += 1) {
    const decision = await challenged(stores, oneOff);
    const no = stores.authorisations.fail({
      id: decision.authorisationId,
      because: "cancelled",
      on: today,
      at: now,
    });
    const [yes, failed] = await Promise.all([
      stores.authorisations.finaliseAccountConsent(decision),
      no,
    ]);
    expect(yes).toBe(!failed);
    expect(await statusOf(decision)).toBe(yes ? "valid" : "rejected");
    expect(await scaStatusOf(decision)).toBe(yes ? "finalised" : "failed");
  }
});

test("a consent that its PSU revokes at this moment is not made expired by its successor", async () => {
  const older = await challenged(stores);
  await stores.authorisations.finaliseAccountConsent(older);
  const newer = await challenged(stores);
  let yes: Promise<boolean> | undefined;
  await database.sql.begin(async (tx) => {
    await tx`delete from oidc_payload where account_id = ${older.authorisationId}`;
    await tx`update account_consent set status = 'revokedByPsu' where id = ${older.consentId}`;
    yes = stores.authorisations.finaliseAccountConsent(newer);
    await waitingForLocks(database, 1);
  });
  expect(await yes).toBe(true);
  expect([await statusOf(older), await statusOf(newer)]).toEqual(["revokedByPsu", "valid"]);
});

test("any mix of calls at once: no deadlock, and consent and authorisation agree", async () => {
  // Its own connections: PostgreSQL counts their deadlocks when they close.
  const connection = connect(database.url, { max: 20 });
  const racing = storesOf(connection.db);
  const calls = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 6 })), {
    minLength: 30,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(calls, async (mix) => {
      const decisions = await Promise.all(
        [{}, {}, {}, oneOff, { tppId: otherTpp.id }].map((given) => withTokens(racing, given)),
      );
      await Promise.all(
        mix.map(([which, kind]) => {
          const decision = decisions[which];
          if (decision === undefined) throw new Error("no such decision");
          return callOf(racing, decision, kind);
        }),
      );
      expect(await contradictions(database)).toEqual([]);
    }),
    { numRuns: 12 },
  );
  await connection.close();
  const [stat] = await database.sql`select deadlocks::int from pg_stat_database
      where datname = current_database()`;
  expect(stat).toEqual({ deadlocks: 0 });
});

async function withTokens(racing: Stores, given: Parameters<typeof challenged>[1]) {
  const decision = await challenged(racing, given);
  const { authorisationId } = decision;
  const keys = { grantId: `grant of ${authorisationId}`, accountId: authorisationId };
  for (const model of ["Session", "RefreshToken", "Grant", "AuthorizationCode"]) {
    await racing.models.upsert(model, crypto.randomUUID(), {}, minutesOn(60), keys);
  }
  return decision;
}

function callOf(racing: Stores, decision: AccountConsentDecision, kind: number): Promise<unknown> {
  const { consentId, authorisationId, on, at } = decision;
  const calls = [
    () => racing.authorisations.finaliseAccountConsent(decision),
    () => racing.authorisations.fail({ id: authorisationId, because: "cancelled", on, at }),
    () => racing.authorisations.takeAttempt(authorisationId, 5, at),
    () => racing.consents.end({ consentId, from: "valid", to: "revokedByPsu", on, at }),
    () => racing.consents.end({ consentId, from: "received", to: "terminatedByTpp", on, at }),
    () => racing.models.revokeByGrant(`grant of ${authorisationId}`),
    () => racing.models.destroyExpired(minutesOn(61), 3),
  ];
  return calls[kind]?.() ?? Promise.reject(new Error("no such call"));
}
