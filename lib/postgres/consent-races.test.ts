import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AccountConsentDecision } from "@/lib/domain/authorisation";
import { deleteFundsConsent, revokeFundsConsent } from "@/lib/domain/funds";
import { revokePermission } from "@/lib/domain/permissions";
import type { PsuId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { connect } from "./client";
import { fundsConsentStore } from "./funds";
import {
  accountOne,
  ana,
  challenged,
  challengedFunds,
  exampleTpp,
  minutesOn,
  newRequestId,
  now,
  otherTpp,
  patientBounds,
  type Stores,
  storesOf,
  testStores,
  today,
  tokenAlive,
  validFunds,
  waitingForLocks,
  winners,
} from "./testing";
import { contradictions } from "./testing-database";

const { database, stores } = await testStores();

describe("an authorisation against the end of its consent", () => {
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

  // That it counts once three conditions hold, each alone: the nonce, the authorisation's state and the consent's.
  test("I3: a yes of the identity provider counts once, and only to what was asked last", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { codeFingerprint: _, ...decision } = await challenged(stores, oneOff);
      const id = decision.authorisationId;
      for (const nonce of ["first", "second"]) {
        const approval = { nonce, expiresAt: minutesOn(5), linkHash: "link" };
        await stores.authorisations.startApproval(id, [accountOne], approval, now);
      }
      const evidence = { means: "ciba", text: "text", idToken: "token" } as const;
      const yesTo = (approvalNonce: string) =>
        stores.authorisations.finaliseAccountConsent({ ...decision, approvalNonce, evidence });
      expect(await yesTo("first")).toBe(false);
      const twice = await Promise.all([yesTo("second"), yesTo("second")]);
      expect(twice.toSorted()).toEqual([false, true]);
      expect(await yesTo("second")).toBe(false);
    }
  });

  test("I11: of ten requests at once the customer's app is asked as often as it may be, and no more", async () => {
    const { authorisationId: id } = await challenged(stores, oneOff);
    const { codesSent = 0 } = (await stores.authorisations.find(id)) ?? {};
    const max = codesSent + 3;
    const ask = () => stores.authorisations.countAppRequest(id, [accountOne], "link", max, now);
    const asked = await Promise.all(Array.from({ length: 10 }, ask));
    expect(asked.filter(Boolean)).toHaveLength(3);
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

  test("several recurring consents at once: all are valid where the bank lets a TPP have them, and else one", async () => {
    for (const keepsEarlier of [true, false]) {
      const psuId = crypto.randomUUID() as string as PsuId;
      const decisions = await Promise.all([1, 2, 3].map(() => challenged(stores, { psuId })));
      await Promise.all(
        decisions.map((decision) =>
          stores.authorisations.finaliseAccountConsent({ ...decision, keepsEarlier }),
        ),
      );
      const states = await Promise.all(decisions.map(statusOf));
      expect(states.filter((state) => state === "valid")).toHaveLength(keepsEarlier ? 3 : 1);
      const alive = await Promise.all(decisions.map((decision) => tokenAlive(stores, decision)));
      expect(alive).toEqual(states.map((state) => state === "valid"));
      // The switch is off again: the next one ends them all.
      const last = await challenged(stores, { psuId });
      await stores.authorisations.finaliseAccountConsent(last);
      expect(await Promise.all([...decisions, last].map(statusOf))).toEqual([
        ...["expired", "expired", "expired", "valid"],
      ]);
    }
  });

  test("any mix of calls at once: no deadlock, and consent and authorisation agree", async () => {
    // Its own connections: PostgreSQL counts their deadlocks when they close.
    const connection = connect(database.url, { max: 20, bounds: patientBounds });
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

  function callOf(
    racing: Stores,
    decision: AccountConsentDecision,
    kind: number,
  ): Promise<unknown> {
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
});

describe("the revocation of a consent", () => {
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

  test("O13: revoked while its refresh token is used, a consent keeps no token in either order", async () => {
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
    const funds = await validFunds(storesOf(database.db));
    expect(await winners(20, () => revoke("funds", funds.consentId))).toBe(1);
  });
});

describe("a funds consent", () => {
  const ROUNDS = Array.from({ length: 40 });

  const stores = storesOf(database.db);

  const statusOf = async (id: Parameters<Stores["fundsConsents"]["find"]>[0]) =>
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
        deleteFundsConsent(ports, {
          id: decision.consentId,
          tppId: exampleTpp.id,
          requestId: newRequestId(),
          now,
        }),
      ]),
    );
    for (const decision of decisions) {
      expect(await statusOf(decision.consentId)).toBe("terminatedByTpp");
      expect(await tokenAlive(stores, decision)).toBe(false);
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
          deleteFundsConsent(ports, { id, tppId: exampleTpp.id, requestId: newRequestId(), now }),
        ]);
        return byPsu;
      }),
    );
    for (const [index, decision] of decisions.entries()) {
      const expected = revoked[index] ? "revokedByPsu" : "terminatedByTpp";
      expect(await statusOf(decision.consentId)).toBe(expected);
      expect(await tokenAlive(stores, decision)).toBe(false);
    }
    expect(await deadlocks()).toEqual({ deadlocks: 0 });
  });
});
