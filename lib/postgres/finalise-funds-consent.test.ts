import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConsentId } from "@/lib/domain/identifiers";
import {
  accountOne,
  ana,
  challenged,
  exampleTpp,
  minutesOn,
  now,
  openMax,
  otherTpp,
  storesOf,
  winners,
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import {
  challengedFunds,
  type FundsStores,
  fundsStoresOf,
  fundsTokenAlive,
  newAccountId,
  receivedFundsConsent,
  validFunds,
} from "./testing-funds";

let database: TestDatabase;
let stores: FundsStores;
beforeAll(async () => {
  database = await testDatabase();
  stores = fundsStoresOf(database.db);
  const { tpps } = storesOf(database.db);
  await tpps.remember(exampleTpp, now);
  await tpps.remember(otherTpp, now);
});
afterAll(() => database.close());

const statusOf = async (id: ConsentId) => (await stores.fundsConsents.find(id))?.status;

describe("the PSU's yes", () => {
  test("makes the consent valid for the account the code was sent for, once of 20 at a time", async () => {
    const decision = await challengedFunds(stores);
    expect(await winners(20, () => stores.authorisations.finaliseFundsConsent(decision))).toBe(1);
    const { accountId, at } = decision;
    expect(await stores.fundsConsents.find(decision.consentId)).toMatchObject({
      status: "valid",
      psuId: ana,
      accountId,
      authorisedAt: at,
    });
    const authorisation = await stores.authorisations.find(decision.authorisationId);
    expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
    expect(authorisation?.challenge).toBeUndefined();
  });

  test.each([
    ["another code's challenge", { codeFingerprint: "another" }],
    ["another PSU", { psuId: "psu-mihai" as never }],
    ["another account than the code was sent for", { accountId: newAccountId() }],
    ["another consent", { consentId: crypto.randomUUID() as never }],
    ["the end of the code's minutes", { at: minutesOn(5) }],
  ])("with %s changes nothing", async (_what, changed) => {
    const decision = await challengedFunds(stores);
    const { finaliseFundsConsent } = stores.authorisations;
    expect(await finaliseFundsConsent({ ...decision, ...changed })).toBe(false);
    expect(await statusOf(decision.consentId)).toBe("received");
    expect(await finaliseFundsConsent(decision)).toBe(true);
  });

  test("comes too late for a consent the TPP has deleted", async () => {
    const decision = await challengedFunds(stores);
    const { consentId } = decision;
    const end = { consentId, from: "received", to: "terminatedByTpp", at: now } as const;
    expect(await stores.fundsConsents.end(end)).toBe(true);
    expect(await stores.authorisations.finaliseFundsConsent(decision)).toBe(false);
    expect(await statusOf(consentId)).toBe("terminatedByTpp");
  });

  test("after the window is over changes nothing, though the code would still run", async () => {
    const decision = await challengedFunds(stores);
    const { authorisationId: id, consentId } = decision;
    await database.sql`update authorisation set expires_at = ${minutesOn(3).toISOString()} where id = ${id}`;
    const { finaliseFundsConsent } = stores.authorisations;
    expect(await finaliseFundsConsent({ ...decision, at: minutesOn(3) })).toBe(false);
    expect(await statusOf(consentId)).toBe("received");
    expect(await finaliseFundsConsent({ ...decision, at: minutesOn(2.99) })).toBe(true);
  });

  test("is not for a resource of another kind, though it had the same id", async () => {
    const { consent, authorisation } = receivedFundsConsent();
    await stores.fundsConsents.insert(consent, authorisation, openMax);
    const { grantedAccounts: _, ...yes } = await challenged(storesOf(database.db), {
      id: consent.id,
    });
    const decision = { ...yes, accountId: accountOne };
    expect(await stores.authorisations.finaliseFundsConsent(decision)).toBe(false);
    expect(await statusOf(consent.id)).toBe("received");
  });

  test("leaves the TPP's other funds consents of the same PSU and account valid", async () => {
    const accountId = newAccountId();
    const [one, other] = [
      await validFunds(stores, { accountId }),
      await validFunds(stores, { accountId }),
    ];
    expect([await statusOf(one.consentId), await statusOf(other.consentId)]).toEqual([
      "valid",
      "valid",
    ]);
    expect(await fundsTokenAlive(stores, one)).toBe(true);
  });
});

test("the PSU's no rejects the funds consent and takes the tokens", async () => {
  const decision = await challengedFunds(stores);
  const neighbour = await challengedFunds(stores);
  const { authorisationId: id, on, at } = decision;
  expect(await stores.authorisations.fail({ id, because: "not-own-account", on, at })).toBe(true);
  expect(await statusOf(decision.consentId)).toBe("rejected");
  expect(await fundsTokenAlive(stores, decision)).toBe(false);
  expect(await statusOf(neighbour.consentId)).toBe("received");
  expect(await fundsTokenAlive(stores, neighbour)).toBe(true);
});

test.each(["yes", "no"])(
  "the PSU's %s changes nothing of a consent that has ended already",
  async (answer) => {
    const decision = await challengedFunds(stores);
    const { authorisationId: id, consentId, on, at } = decision;
    await database.sql`update funds_consent set status = 'terminatedByTpp' where id = ${consentId}`;
    if (answer === "no") await stores.authorisations.fail({ id, because: "cancelled", on, at });
    else expect(await stores.authorisations.finaliseFundsConsent(decision)).toBe(false);
    expect(await statusOf(consentId)).toBe("terminatedByTpp");
  },
);
