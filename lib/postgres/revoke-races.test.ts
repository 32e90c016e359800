import { afterAll, beforeAll, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { revokePermission } from "@/lib/domain/permissions/revoke-permission";
import { fundsConsentStore } from "./funds-consent-store";
import {
  ana,
  challenged,
  exampleTpp,
  minutesOn,
  now,
  type Stores,
  storesOf,
  winners,
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { fundsStoresOf, validFunds } from "./testing-funds";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const ports = () => ({
  ...stores,
  fundsConsents: fundsConsentStore(database.db),
  profile: aspspProfile,
});
const revoke = (kind: "accounts" | "funds", id: string) =>
  revokePermission(ports(), { psuId: ana, kind, id, now: minutesOn(1) });

/** A consent in force with a grant and its newest refresh token. */
async function inForce() {
  const decision = await challenged(stores, { recurringIndicator: false });
  await stores.authorisations.finaliseAccountConsent(decision);
  const { authorisationId: accountId } = decision;
  const keys = { grantId: `grant of ${accountId}`, accountId };
  const refreshToken = `refresh of ${accountId}`;
  await stores.models.upsert("Grant", keys.grantId, {}, minutesOn(60), keys);
  await stores.models.upsert("RefreshToken", refreshToken, {}, minutesOn(60), keys);
  return { ...decision, refreshToken };
}
const payloadsOf = async (accountId: string) =>
  (await database.sql`select from oidc_payload where account_id = ${accountId}`).length;

test("O13: revoked while its refresh token is used, a consent keeps no token, whoever was first", async () => {
  for (let round = 0; round < 20; round += 1) {
    const { consentId, authorisationId, refreshToken } = await inForce();
    const refresh = async () => stores.models.rotate(refreshToken, now, 60);
    const [revoked] = await Promise.all([revoke("accounts", consentId), refresh(), refresh()]);
    expect(revoked).toBe(true);
    expect(await payloadsOf(authorisationId)).toBe(0);
    expect(await refresh()).toBe(false);
    expect((await stores.consents.find(consentId))?.status).toBe("revokedByPsu");
  }
});

test("P8: of 20 parallel revocations one takes place", async () => {
  const { consentId } = await inForce();
  expect(await winners(20, () => revoke("accounts", consentId))).toBe(1);
  const funds = await validFunds(fundsStoresOf(database.db));
  expect(await winners(20, () => revoke("funds", funds.consentId))).toBe(1);
});
