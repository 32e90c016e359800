import { afterAll, beforeAll, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { deleteFundsConsent } from "@/lib/domain/funds-confirmation/read-funds-consent";
import { revokeFundsConsent } from "@/lib/domain/funds-confirmation/revoke-funds-consent";
import { ana, exampleTpp, now, storesOf, today } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import {
  challengedFunds,
  type FundsStores,
  fundsStoresOf,
  fundsTokenAlive,
  validFunds,
} from "./testing-funds";

const ROUNDS = Array.from({ length: 40 });

let database: TestDatabase;
let stores: FundsStores;
beforeAll(async () => {
  database = await testDatabase();
  stores = fundsStoresOf(database.db);
  await storesOf(database.db).tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const statusOf = async (id: Parameters<FundsStores["fundsConsents"]["find"]>[0]) =>
  (await stores.fundsConsents.find(id))?.status;
const deadlocks = async () => {
  const [stat] = await database.sql`select deadlocks::int from pg_stat_database
    where datname = current_database()`;
  return stat;
};

test("O13: a consent that is deleted while its PSU says yes is deleted, and so are its tokens", async () => {
  const ports = { ...stores, profile: aspspProfile };
  const decisions = await Promise.all(ROUNDS.map(() => challengedFunds(stores)));
  await Promise.all(
    decisions.flatMap((decision) => [
      stores.authorisations.finaliseFundsConsent(decision),
      deleteFundsConsent(ports, { id: decision.consentId, tppId: exampleTpp.id, now }),
    ]),
  );
  for (const decision of decisions) {
    expect(await statusOf(decision.consentId)).toBe("terminatedByTpp");
    expect(await fundsTokenAlive(stores, decision)).toBe(false);
  }
  expect(await deadlocks()).toEqual({ deadlocks: 0 });
});

test("the PSU's yes and no at once: one of them, and consent and authorisation agree", async () => {
  const decisions = await Promise.all(ROUNDS.map(() => challengedFunds(stores)));
  const answers = await Promise.all(
    decisions.map(({ authorisationId: id, ...rest }) =>
      Promise.all([
        stores.authorisations.finaliseFundsConsent({ ...rest, authorisationId: id }),
        stores.authorisations.fail({ id, because: "cancelled", on: today, at: now }),
      ]),
    ),
  );
  for (const [index, [yes, no]] of answers.entries()) {
    const { consentId, authorisationId } = decisions[index] ?? {};
    if (consentId === undefined || authorisationId === undefined) throw new Error("no decision");
    expect([yes, no].filter(Boolean)).toHaveLength(1);
    expect(await statusOf(consentId)).toBe(yes ? "valid" : "rejected");
    const { scaStatus } = (await stores.authorisations.find(authorisationId)) ?? {};
    expect(scaStatus).toBe(yes ? "finalised" : "failed");
  }
});

test("the TPP's end and the PSU's at once: one of them, whichever was first", async () => {
  const ports = { ...stores, profile: aspspProfile };
  const decisions = await Promise.all(ROUNDS.map(() => validFunds(stores)));
  const revoked = await Promise.all(
    decisions.map(async ({ consentId: id }) => {
      const [byPsu] = await Promise.all([
        revokeFundsConsent(ports, { id, psuId: ana, now }),
        deleteFundsConsent(ports, { id, tppId: exampleTpp.id, now }),
      ]);
      return byPsu;
    }),
  );
  for (const [index, decision] of decisions.entries()) {
    const expected = revoked[index] ? "revokedByPsu" : "terminatedByTpp";
    expect(await statusOf(decision.consentId)).toBe(expected);
    expect(await fundsTokenAlive(stores, decision)).toBe(false);
  }
  expect(await deadlocks()).toEqual({ deadlocks: 0 });
});
