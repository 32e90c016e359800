import { describe, expect, test } from "vitest";
import type { AccountConsentDecision } from "@/lib/domain/authorisation";
import {
  type ConsentStatus,
  type ConsentTransition,
  createAccountConsent,
} from "@/lib/domain/consents";
import { createFundsConsent } from "@/lib/domain/funds";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { everything } from "@/lib/domain/testing/samples";
import type {
  AuthorisationId,
  ConsentId,
  Iban,
  IsoDate,
  RequestId,
  TppId,
} from "@/lib/domain/values";
import { fundsConsentStore } from "./funds";
import {
  ana,
  challenged,
  exampleTpp,
  granted,
  mihai,
  minutesOn,
  now,
  openMax,
  otherTpp,
  receivedConsent,
  testStores,
  today,
  tokenAlive,
  winners,
} from "./testing";

const { database, stores } = await testStores();

describe("a consent", () => {
  const tomorrow = "2026-11-21" as IsoDate;
  const ending = (
    consentId: ConsentId,
    from: ConsentStatus,
    to: ConsentStatus,
  ): ConsentTransition => ({ consentId, from, to, on: tomorrow, at: minutesOn(1) });

  test("a consent comes back as it was received, and so does its authorisation", async () => {
    const { consent, authorisation } = receivedConsent();
    await stores.consents.insert(consent, authorisation, openMax);
    expect(await stores.consents.find(consent.id)).toEqual(consent);
    expect(await stores.consents.findOfTpp(consent.id, consent.tppId)).toEqual(consent);
    expect(await stores.consents.findByAuthorisation(authorisation.id)).toEqual(consent);
    expect(await stores.authorisations.find(authorisation.id)).toEqual(authorisation);
    expect(await stores.authorisations.findByResource("AIS", consent.id)).toEqual(authorisation);
  });

  test("the access object comes back word for word", async () => {
    const requestedAccess = { z: "\u0000", balances: [], a: { long: 1, b: [] } };
    const { consent, authorisation } = receivedConsent({ requestedAccess });
    await stores.consents.insert(consent, authorisation, openMax);
    const found = await stores.consents.find(consent.id);
    expect(JSON.stringify(found?.requestedAccess)).toBe(JSON.stringify(requestedAccess));
  });

  test("all optional parts of an authorisation come back", async () => {
    const { consent, authorisation } = receivedConsent(
      {},
      {
        redirectUris: {
          redirectUri: "https://tpp.example/ok",
          nokRedirectUri: "https://tpp.example/nok",
        },
        loginHint: "ana",
        acceptLanguage: "ro-RO,ro;q=0.9",
      },
    );
    await stores.consents.insert(consent, authorisation, openMax);
    expect(await stores.authorisations.find(authorisation.id)).toEqual(authorisation);
  });

  test("consent and authorisation are inserted together or not at all", async () => {
    const first = receivedConsent();
    await stores.consents.insert(first.consent, first.authorisation, openMax);
    const second = receivedConsent({ id: first.consent.id });
    const apart = { ...second.authorisation, resourceId: second.authorisation.id };
    await expect(stores.consents.insert(second.consent, apart, openMax)).rejects.toThrow();
    expect(await stores.authorisations.find(apart.id)).toBeUndefined();
  });

  test("O1: the consent of another TPP is as unknown as one that never was", async () => {
    const { consent, authorisation } = receivedConsent();
    await stores.consents.insert(consent, authorisation, openMax);
    const unknown = crypto.randomUUID() as string as ConsentId;
    expect(await stores.consents.findOfTpp(consent.id, otherTpp.id)).toBeUndefined();
    expect(await stores.consents.findOfTpp(unknown, otherTpp.id)).toBeUndefined();
    expect(await stores.consents.findOfTpp(consent.id, "PSDXX-NO-1" as TppId)).toBeUndefined();
  });

  test("O1: an id that is no UUID is unknown, not a fault", async () => {
    const id = "'; drop table account_consent; --";
    expect(await stores.consents.find(id as ConsentId)).toBeUndefined();
    expect(await stores.consents.findOfTpp(id as ConsentId, exampleTpp.id)).toBeUndefined();
    expect(await stores.consents.findByAuthorisation(id as AuthorisationId)).toBeUndefined();
    expect(await stores.authorisations.find(id as AuthorisationId)).toBeUndefined();
    expect(await stores.authorisations.findByResource("AIS", id)).toBeUndefined();
  });

  test("granted accounts come with the consent, in the order of the grant", async () => {
    const decision = await challenged(stores);
    const accounts = ["b", "c", "a"].map((name) => granted(name as never));
    expect(
      await stores.authorisations.finaliseAccountConsent({
        ...decision,
        grantedAccounts: accounts,
      }),
    ).toBe(true);
    const consent = await stores.consents.find(decision.consentId);
    expect(consent?.grantedAccounts).toEqual(accounts);
    expect(consent).toMatchObject({ status: "valid", psuId: ana, authorisedAt: now });
  });

  test("DELETE before the PSU's yes: the open authorisation fails and nothing is left to redeem", async () => {
    const decision = await challenged(stores);
    const transition = ending(decision.consentId, "received", "terminatedByTpp");
    expect(await stores.consents.end(transition)).toBe(true);
    expect(await stores.consents.find(decision.consentId)).toMatchObject({
      status: "terminatedByTpp",
      lastActionDate: tomorrow,
    });
    const authorisation = await stores.authorisations.find(decision.authorisationId);
    expect(authorisation?.scaStatus).toBe("failed");
    expect(authorisation?.challenge).toBeUndefined();
    expect(await tokenAlive(stores, decision)).toBe(false);
  });

  test("O13: the end of a valid consent takes its tokens, and only its own", async () => {
    const decision = await challenged(stores, { tppId: otherTpp.id });
    const neighbour = await challenged(stores);
    expect(await stores.authorisations.finaliseAccountConsent(decision)).toBe(true);
    expect(await tokenAlive(stores, decision)).toBe(true);
    expect(await stores.consents.end(ending(decision.consentId, "valid", "revokedByPsu"))).toBe(
      true,
    );
    expect(await tokenAlive(stores, decision)).toBe(false);
    expect(await tokenAlive(stores, neighbour)).toBe(true);
    const authorisation = await stores.authorisations.find(decision.authorisationId);
    expect(authorisation?.scaStatus).toBe("finalised");
  });

  test("a consent that has left its status is not ended, nor are its tokens", async () => {
    const decision = await challenged(stores);
    await stores.authorisations.finaliseAccountConsent(decision);
    const late = ending(decision.consentId, "received", "rejected");
    expect(await stores.consents.end(late)).toBe(false);
    expect(await tokenAlive(stores, decision)).toBe(true);
    expect((await stores.consents.find(decision.consentId))?.status).toBe("valid");
    const unknown = crypto.randomUUID() as string as ConsentId;
    expect(await stores.consents.end(ending(unknown, "valid", "expired"))).toBe(false);
  });

  test("the authorisation of a payment is none of a consent", async () => {
    const decision = await challenged(stores);
    await database.sql`update authorisation set kind = 'PIS' where id = ${decision.authorisationId}`;
    const transition = ending(decision.consentId, "received", "terminatedByTpp");
    expect(await stores.consents.end(transition)).toBe(false);
    expect((await stores.authorisations.find(decision.authorisationId))?.scaStatus).toBe("started");
  });

  test("it is kept when a consent ended", async () => {
    const decision = await challenged(stores);
    await stores.consents.end(ending(decision.consentId, "received", "rejected"));
    const [row] = await database.sql`select ended_at = ${minutesOn(1).toISOString()} as kept
    from account_consent where id = ${decision.consentId}`;
    expect(row).toEqual({ kept: true });
  });

  test("of 50 parallel requests one ends a consent", async () => {
    const { consent, authorisation } = receivedConsent();
    await stores.consents.insert(consent, authorisation, openMax);
    const transition = ending(consent.id, "received", "rejected");
    expect(await winners(50, () => stores.consents.end(transition))).toBe(1);
  });

  test("only a transition of the table of states ends a consent", async () => {
    const { consent, authorisation } = receivedConsent();
    await stores.consents.insert(consent, authorisation, openMax);
    for (const [from, to] of [
      ["received", "valid"],
      ["received", "expired"],
      ["rejected", "expired"],
      ["valid", "received"],
    ] as const) {
      await expect(stores.consents.end(ending(consent.id, from, to))).rejects.toThrow("no consent");
    }
    expect((await stores.consents.find(consent.id))?.lastActionDate).toBe(today);
  });

  test("the database itself refuses a status that the table does not know, and a yes of nobody", async () => {
    const { consent, authorisation } = receivedConsent();
    await stores.consents.insert(consent, authorisation, openMax);
    const { sql } = database;
    await expect(
      sql`update account_consent set status = 'partiallyAuthorised' where id = ${consent.id}`,
    ).rejects.toThrow("account_consent_status");
    await expect(
      sql`update account_consent set status = 'valid' where id = ${consent.id}`,
    ).rejects.toThrow("account_consent_valid_by_psu");
    await expect(
      sql`update authorisation set sca_status = 'exempted', psu_id = 'x' where id = ${authorisation.id}`,
    ).rejects.toThrow("authorisation_sca_status");
    await expect(
      sql`update authorisation set sca_status = 'finalised' where id = ${authorisation.id}`,
    ).rejects.toThrow("authorisation_psu_known");
  });
});

describe("the PSU's confirmation of a consent", () => {
  const oneOff = { recurringIndicator: false } as const;
  const finalise = (decision: AccountConsentDecision) =>
    stores.authorisations.finaliseAccountConsent(decision);
  const statusOf = async ({ consentId }: AccountConsentDecision) =>
    (await stores.consents.find(consentId))?.status;
  const scaStatusOf = async ({ authorisationId }: AccountConsentDecision) =>
    (await stores.authorisations.find(authorisationId))?.scaStatus;

  async function expectUntouched(decision: AccountConsentDecision): Promise<void> {
    expect(await scaStatusOf(decision)).toBe("started");
    const consent = await stores.consents.find(decision.consentId);
    expect(consent).toMatchObject({ status: "received", grantedAccounts: [] });
    expect(consent?.psuId).toBeUndefined();
  }

  test("P6, RTS 4(1): of 50 parallel submits of the right code exactly one is accepted", async () => {
    const decision = await challenged(stores);
    expect(await winners(50, () => finalise(decision))).toBe(1);
    expect((await stores.consents.find(decision.consentId))?.grantedAccounts).toHaveLength(1);
  });

  test("the yes makes the consent valid, the authorisation final, and returns the taken attempt", async () => {
    const decision = await challenged(stores, oneOff);
    expect(await stores.authorisations.find(decision.authorisationId)).toMatchObject({
      failedAttempts: 1,
    });
    expect(await finalise(decision)).toBe(true);
    const authorisation = await stores.authorisations.find(decision.authorisationId);
    expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
    expect(authorisation?.challenge).toBeUndefined();
    expect(await stores.consents.find(decision.consentId)).toMatchObject({
      status: "valid",
      psuId: ana,
      authorisedAt: now,
      lastActionDate: today,
    });
    expect(await tokenAlive(stores, decision)).toBe(true);
  });

  describe("nothing changes", () => {
    const refused: readonly [string, (right: AccountConsentDecision) => AccountConsentDecision][] =
      [
        ["P6: with the code of another challenge", (d) => ({ ...d, codeFingerprint: "another" })],
        ["P1: for another PSU", (d) => ({ ...d, psuId: mihai })],
        ["P6: once the code is too old", (d) => ({ ...d, at: minutesOn(5) })],
        [
          "for another authorisation",
          (d) => ({ ...d, authorisationId: crypto.randomUUID() as never }),
        ],
      ];
    test.each(refused)("%s", async (_, changed) => {
      const decision = await challenged(stores);
      expect(await finalise(changed(decision))).toBe(false);
      await expectUntouched(decision);
    });

    test("to a consent that another authorisation is for", async () => {
      const [decision, other] = [await challenged(stores), await challenged(stores)];
      expect(await finalise({ ...decision, consentId: other.consentId })).toBe(false);
      await expectUntouched(decision);
      await expectUntouched(other);
    });

    test("once the window is over, though the code would still run", async () => {
      const decision = await challenged(stores);
      await database.sql`update authorisation set code_expires_at = expires_at + interval '1 hour'
      where id = ${decision.authorisationId}`;
      expect(await finalise({ ...decision, at: minutesOn(15) })).toBe(false);
      await expectUntouched(decision);
    });

    test("in an authorisation of a payment, whatever its id", async () => {
      const decision = await challenged(stores);
      await database.sql`update authorisation set kind = 'PIS' where id = ${decision.authorisationId}`;
      expect(await finalise(decision)).toBe(false);
      await expectUntouched(decision);
    });

    test("P6: with a code that a newer one has replaced", async () => {
      const decision = await challenged(stores);
      const next = { codeFingerprint: "newer", expiresAt: minutesOn(5), linkHash: "link" };
      await stores.authorisations.startChallenge(decision.authorisationId, [], next, 4, now);
      expect(await finalise(decision)).toBe(false);
      await expectUntouched(decision);
    });

    test("when the PSU is signed in but has not been asked for a code", async () => {
      const decision = await challenged(stores);
      await database.sql`update authorisation set sca_status = 'psuAuthenticated'
      where id = ${decision.authorisationId}`;
      expect(await finalise(decision)).toBe(false);
      expect(await statusOf(decision)).toBe("received");
    });

    test("when the consent is no longer received", async () => {
      const decision = await challenged(stores);
      await database.sql`update account_consent set status = 'terminatedByTpp'
      where id = ${decision.consentId}`;
      expect(await finalise(decision)).toBe(false);
      expect(await scaStatusOf(decision)).toBe("started");
      expect(await statusOf(decision)).toBe("terminatedByTpp");
    });

    test("when no account is granted", async () => {
      const decision = await challenged(stores);
      await expect(finalise({ ...decision, grantedAccounts: [] })).rejects.toThrow();
      await expectUntouched(decision);
    });

    test("of an older consent, when the new one fails", async () => {
      const older = await challenged(stores);
      await finalise(older);
      const newer = await challenged(stores);
      await stores.authorisations.fail({
        id: newer.authorisationId,
        because: "cancelled",
        on: today,
        at: now,
      });
      expect(await statusOf(older)).toBe("valid");
    });
  });

  describe("replacement", () => {
    test("a new recurring consent ends the former one of the same TPP and PSU, with its tokens", async () => {
      const older = await challenged(stores);
      await finalise(older);
      const newer = await challenged(stores);
      expect(await statusOf(older)).toBe("valid");
      expect(await finalise(newer)).toBe(true);
      expect(await statusOf(older)).toBe("expired");
      expect(await statusOf(newer)).toBe("valid");
      expect(await tokenAlive(stores, older)).toBe(false);
      expect(await tokenAlive(stores, newer)).toBe(true);
      expect(await scaStatusOf(older)).toBe("finalised");
    });

    test("a one-off consent neither replaces nor is replaced", async () => {
      const recurring = await challenged(stores);
      await finalise(recurring);
      const single = await challenged(stores, oneOff);
      await finalise(single);
      expect([await statusOf(recurring), await statusOf(single)]).toEqual(["valid", "valid"]);
      await finalise(await challenged(stores));
      expect([await statusOf(recurring), await statusOf(single)]).toEqual(["expired", "valid"]);
      expect(await tokenAlive(stores, single)).toBe(true);
    });

    test("a former consent that has ended already stays as it ended", async () => {
      const older = await challenged(stores);
      const { consentId, on, at } = older;
      await finalise(older);
      await stores.consents.end({ consentId, from: "valid", to: "revokedByPsu", on, at });
      await finalise(await challenged(stores));
      expect(await statusOf(older)).toBe("revokedByPsu");
    });

    test("consents of another PSU or another TPP stay", async () => {
      const ofMihai = await challenged(stores, { psuId: mihai });
      const atOther = await challenged(stores, { tppId: otherTpp.id });
      await finalise(ofMihai);
      await finalise(atOther);
      await finalise(await challenged(stores));
      expect([await statusOf(ofMihai), await statusOf(atOther)]).toEqual(["valid", "valid"]);
    });

    test("of recurring consents authorised at once one stays valid", async () => {
      const rivals = await Promise.all(Array.from({ length: 4 }, () => challenged(stores)));
      expect(await Promise.all(rivals.map(finalise))).toEqual([true, true, true, true]);
      const statuses = await Promise.all(rivals.map(statusOf));
      expect(statuses.sort()).toEqual(["expired", "expired", "expired", "valid"]);
    });
  });
});

describe("a request that starts a consent twice", () => {
  const { tpps: tppRegister, consents, authorisations } = stores;
  const fundsConsents = fundsConsentStore(database.db);
  const ports = {
    ...inMemoryBank().ports,
    tppRegister,
    consents,
    fundsConsents,
    authorisations,
  };

  const newRequest = () => ({
    tpp: exampleTpp,
    knownTpp: exampleTpp,
    requestId: crypto.randomUUID() as string as RequestId,
    bodyDigest: "one",
    redirectUris: { redirectUri: "https://tpp.example/cb" },
    now,
  });
  type Asked = ReturnType<typeof newRequest>;

  const kinds: readonly (readonly [string, (asked: Asked) => Promise<string>])[] = [
    [
      "account_consent",
      async (asked) => {
        const request = {
          requestedAccess: {},
          access: everything,
          recurringIndicator: true,
          validUntil: "2027-02-01" as IsoDate,
          frequencyPerDay: 4,
        };
        return (await createAccountConsent(ports, { ...asked, request })).consent.id;
      },
    ],
    [
      "funds_consent",
      async (asked) => {
        const request = { account: { iban: "RO49DRWB1B31007593840000" as Iban } };
        return (await createFundsConsent(ports, { ...asked, request })).id;
      },
    ],
  ];

  test.each(kinds)(
    "S9: of 200 equal requests at once one makes a row of %s, and 200 get its id",
    async (table, ask) => {
      const asked = newRequest();
      const ids = await Promise.all(Array.from({ length: 200 }, () => ask(asked)));
      expect(new Set(ids).size).toBe(1);
      const rows = await database.sql`select from ${database.sql(table)} c join authorisation a
      on a.id = c.authorisation_id where a.request_id = ${asked.requestId}`;
      expect(rows).toHaveLength(1);
    },
  );

  test.each(kinds)(
    "S9: of two bodies under one X-Request-ID at once one makes a row of %s, the other is refused",
    async (_table, ask) => {
      const asked = newRequest();
      const calls = Array.from({ length: 40 }, (_, nth) =>
        ask({ ...asked, bodyDigest: nth % 2 === 0 ? "one" : "other" }),
      );
      const outcomes = await Promise.allSettled(calls);
      const made = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(made).toHaveLength(20);
      expect(new Set(made).size).toBe(1);
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") continue;
        expect(outcome.reason).toMatchObject({ status: 400, faults: [{ path: "X-Request-ID" }] });
      }
    },
  );
});
