import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { type JWTHeaderParameters, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authorisation, type ScaStatus, scaTransitions } from "@/lib/domain/authorisation";
import { type AccountConsent, type ConsentStatus, consentTransitions } from "@/lib/domain/consents";
import {
  type FundsConsent,
  type FundsConsentStatus,
  fundsConsentTransitions,
} from "@/lib/domain/funds";
import type { Payment } from "@/lib/domain/payment-order";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { addDays, dayIn, type IsoDate, addTime as later, startOfDayIn } from "@/lib/domain/values";
import {
  ana,
  initiation,
  minutesOn,
  now,
  receivedConsent,
  receivedFundsConsent,
} from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { authorise, errorOf, tokenClient, tokensFrom } from "./testing";
import { accessTokens, grantTerms, readSigningKeys, secondsToLive } from "./tokens";

describe("an access token", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = createPublicKey(privateKey);
  const issuer = "https://xs2a.bank.example";
  const audience = `${issuer}/open-banking`;
  const tokens = accessTokens([{ kid: "key", publicKey }], { issuer, audience });

  const claims = {
    iss: issuer,
    aud: audience,
    sub: "5c1e8b1a-6a0e-4bb0-9f39-0c1a5d9c2f11",
    client_id: "PSDRO-NBR-1234567",
    scope: "AIS:7f1d2c3b-4a5e-4f60-8b71-92a3b4c5d6e7",
    iat: 1_700_000_000,
    exp: 1_700_000_900,
    cnf: { "x5t#S256": "thumbprint" },
    jti: "token",
    grant: "hash of its grant",
  };
  const header = { alg: "ES256", typ: "at+jwt", kid: "key" };

  const signed = (
    changes: object = {},
    by: { header?: JWTHeaderParameters; key?: KeyObject | Uint8Array } = {},
  ) =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader(by.header ?? header)
      .sign(by.key ?? privateKey);

  it("is read even when it has expired: the reader says so to the TPP", async () => {
    expect(await tokens.read(await signed())).toEqual({
      clientId: "PSDRO-NBR-1234567",
      scope: "AIS:7f1d2c3b-4a5e-4f60-8b71-92a3b4c5d6e7",
      authorisationId: "5c1e8b1a-6a0e-4bb0-9f39-0c1a5d9c2f11",
      expiresAt: new Date(1_700_000_900_000),
      thumbprint: "thumbprint",
      grantHash: "hash of its grant",
      hash: createHash("sha256").update("token").digest("base64url"),
    });
  });

  it("S6: that was read before is read again, and nothing that differs from it in a letter", async () => {
    const token = await signed();
    const first = await tokens.read(token);
    expect(await tokens.read(token)).toEqual(first);
    const [head, payload, signature = ""] = token.split(".");
    const other = signature.startsWith("A") ? "B" : "A";
    for (const forged of [
      `${head}.${payload}.${other}${signature.slice(1)}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
    ]) {
      expect(await tokens.read(forged)).toBeUndefined();
      expect(await tokens.read(forged)).toBeUndefined();
    }
  });

  it("S6: of any of the bank's keys is good as long as the key is there, and only under the key it names", async () => {
    const pem = (key: KeyObject) => String(key.export({ type: "pkcs8", format: "pem" }));
    const { privateKey: next } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const keys = readSigningKeys(pem(next) + pem(privateKey));
    const [{ kid: nextKid }, former] = keys;
    const rules = { issuer, audience };
    const jwks = JSON.stringify({ keys: keys.map((key) => key.privateJwk) });
    expect(readSigningKeys(jwks).map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid));
    const token = await signed({}, { header: { ...header, kid: String(former?.kid) } });
    expect(await accessTokens(keys, rules).read(token)).toBeDefined();
    expect(await accessTokens(readSigningKeys(pem(next)), rules).read(token)).toBeUndefined();
    const misnamed = await signed({}, { header: { ...header, kid: nextKid } });
    expect(await accessTokens(keys, rules).read(misnamed)).toBeUndefined();
  });

  it("S6: is signed with no list of keys that has one twice: the OAuth server would not start with it", () => {
    const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(() => readSigningKeys(pem + pem)).toThrow("a private key is there twice");
  });

  it("is valid at its own bank only, however often another bank has read it", async () => {
    const elsewhere = accessTokens([{ kid: "key", publicKey }], {
      issuer: "https://other.example",
      audience,
    });
    const token = await signed();
    expect(await tokens.read(token)).toBeDefined();
    expect(await elsewhere.read(token)).toBeUndefined();
  });

  it.each<[string, object]>([
    ["of another issuer", { iss: "https://other.example" }],
    ["for another audience", { aud: "https://other.example" }],
    ["without an audience", { aud: undefined }],
    ["without a scope", { scope: undefined }],
    ["with two scopes", { scope: "AIS:1 PIS:2" }],
    ["without an end", { exp: undefined }],
    ["without a client", { client_id: undefined }],
    ["without a subject", { sub: undefined }],
    ["without an id of its own", { jti: undefined }],
    ["without a grant", { grant: undefined }],
    ["not bound to a certificate", { cnf: undefined }],
    ["bound to a key instead", { cnf: { jkt: "thumbprint" } }],
    ["bound to nothing readable", { cnf: { "x5t#S256": 1 } }],
  ])("is unknown when it is %s", async (_name, changes) => {
    expect(await tokens.read(await signed(changes))).toBeUndefined();
  });

  it("is unknown when somebody else signed it", async () => {
    const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(await tokens.read(await signed({}, { key }))).toBeUndefined();
  });

  it("S6: is unknown under another algorithm, also with the public key as a secret", async () => {
    const key = Buffer.from(publicKey.export({ type: "spki", format: "pem" }));
    const hmac = await signed({}, { key, header: { alg: "HS256", typ: "at+jwt" } });
    expect(await tokens.read(hmac)).toBeUndefined();
    const [, payload] = (await signed()).split(".");
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
    expect(await tokens.read(`${none}.${payload}.`)).toBeUndefined();
  });

  it("is unknown when it is another kind of JWT", async () => {
    const idToken = await signed({}, { header: { alg: "ES256", typ: "JWT" } });
    expect(await tokens.read(idToken)).toBeUndefined();
  });

  it.each(["", "a", "a.b.c", "\u0000", "x".repeat(10_000)])(
    "is unknown when it is no JWT",
    async (text) => {
      expect(await tokens.read(text)).toBeUndefined();
    },
  );
});

describe("token lifetimes", () => {
  let client: Awaited<ReturnType<typeof tokenClient>>;
  beforeAll(async () => {
    client = await tokenClient();
  });
  afterAll(() => client.bank.close());

  describe("O15: no token outlives its consent", () => {
    const endOf = async ({ authorisationId }: AccountConsent) => {
      const [row] = await client.bank.sql<[{ expires_at: string }]>`
      select expires_at from oidc_payload
      where model = 'RefreshToken' and account_id = ${authorisationId} and consumed_at is null`;
      return Date.parse(row.expires_at);
    };

    it("a one-off consent's access token ends ten minutes after SCA", async () => {
      const consent = await client.bank.consent(client.example.tpp, { recurringIndicator: false });
      const back = await authorise(client.bank, client.example.tpp, consent);
      client.bank.passTime(55, "second");
      const { expires_in } = await tokensFrom(await client.redeem(back));
      expect(expires_in).toBeLessThanOrEqual(545);
      expect(expires_in).toBeGreaterThan(500);
    });

    it("a one-off consent's access token loses no more than a second of the ten minutes", async () => {
      for (let round = 0; round < 5; round += 1) {
        const { consent, tokens } = await client.redeemed({ recurringIndicator: false });
        const read = await client.bank.server.accessTokens.read(tokens.access_token);
        const authorisedAt = (await client.bank.stores.consents.find(consent.id))?.authorisedAt;
        const lost = Number(authorisedAt) + 600_000 - Number(read?.expiresAt);
        expect(lost).toBeGreaterThanOrEqual(0);
        expect(lost).toBeLessThan(1_000);
      }
    });

    it("the refresh token ends with the local day validUntil, however often it is rotated", async () => {
      const today = dayIn(aspspProfile.timeZone, await client.bank.ports.clock.now());
      const { consent, tokens } = await client.redeemed({ validUntil: addDays(today, 2) });
      const end = startOfDayIn(aspspProfile.timeZone, addDays(today, 3)).getTime();
      const near = (found: number) => end - found >= 0 && end - found < 2_000;
      expect(await endOf(consent)).toSatisfy(near);
      client.bank.passTime(1, "day");
      const rotated = await tokensFrom(await client.refresh(tokens));
      expect(await endOf(consent)).toSatisfy(near);
      const left = end - (await client.bank.ports.clock.now()).getTime();
      client.bank.passTime(Math.floor(left / 1_000) - 300, "second");
      const last = await tokensFrom(await client.refresh(rotated));
      expect(last.expires_in).toBeLessThanOrEqual(300);
      expect(last.expires_in).toBeGreaterThan(200);
      client.bank.passTime(301, "second");
      expect(await errorOf(await client.refresh(last))).toBe("400 invalid_grant");
    });

    it("the refresh token ends 180 days after SCA", async () => {
      const today = dayIn(aspspProfile.timeZone, await client.bank.ports.clock.now());
      const { consent } = await client.redeemed({ validUntil: addDays(today, 300) });
      const authorisedAt = (
        await client.bank.stores.consents.find(consent.id)
      )?.authorisedAt?.getTime();
      const left = (authorisedAt ?? 0) + 180 * 86_400_000 - (await endOf(consent));
      expect(left).toSatisfy((milliseconds: number) => milliseconds >= 0 && milliseconds < 2_000);
    });

    it("C3: nothing is issued to a certificate that has expired", async () => {
      const { tokens } = await client.redeemed();
      client.bank.passTime(731, "day");
      expect(await errorOf(await client.refresh(tokens))).toBe("401 invalid_client");
      client.bank.passTime(-731, "day");
      expect((await client.refresh(tokens)).status).toBe(200);
    });
  });
});

describe("grant terms", () => {
  type Resource = AccountConsent | FundsConsent | Payment;
  type Known = { readonly authorisation: Authorisation; readonly resource: Resource };

  /** The terms where one resource is known, and its authorisation is as wanted. */
  function termsOf(
    { authorisation, resource }: Known,
    at = now,
    scaStatus: ScaStatus = "finalised",
  ) {
    const { bank, ports } = inMemoryBank();
    bank.authorisations.set(authorisation.id, { ...authorisation, scaStatus });
    const kept = { AIS: bank.consents, PIIS: bank.fundsConsents, PIS: bank.payments };
    (kept[authorisation.kind] as Map<string, Resource>).set(resource.id, resource);
    return grantTerms(ports, authorisation.id, at);
  }

  function consentWith(given: Partial<AccountConsent> = {}): Known {
    const valid = { status: "valid", authorisedAt: now, ...given } as const;
    const { consent: resource, authorisation } = receivedConsent(valid);
    return { authorisation, resource };
  }
  function fundsWith(given: Partial<FundsConsent> = {}): Known {
    const { consent: resource, authorisation } = receivedFundsConsent({
      status: "valid",
      ...given,
    });
    return { authorisation, resource };
  }
  function paymentWith(given: Partial<Payment> = {}): Known {
    const { payment, authorisation } = initiation({ psuId: ana, status: "ACCP", ...given }).started;
    return { authorisation, resource: payment };
  }

  describe("the terms of a grant for an account consent", () => {
    it("have the one resource, its TPP and the end of the consent", async () => {
      const known = consentWith({ recurringIndicator: false });
      expect(await termsOf(known)).toEqual({
        clientId: known.resource.tppId,
        scope: `AIS:${known.resource.id}`,
        endsAt: later(now, 10, "minute"),
        grantEndsAt: later(now, 10, "minute"),
        refreshable: false,
      });
      expect(await termsOf(consentWith())).toMatchObject({ refreshable: true });
    });

    const statuses = Object.keys(consentTransitions) as ConsentStatus[];
    it.each(statuses.filter((status) => status !== "valid"))(
      "O13: there are none for a consent that is %s",
      async (status) => {
        expect(await termsOf(consentWith({ status }))).toBeUndefined();
      },
    );

    it("there are none in the last two seconds, whatever status is still stored", async () => {
      const consent = consentWith({ recurringIndicator: false });
      const end = later(now, 10, "minute");
      expect(await termsOf(consent, later(end, -2, "second"))).toBeDefined();
      expect(await termsOf(consent, new Date(end.getTime() - 1_999))).toBeUndefined();
      expect(await termsOf(consent, end)).toBeUndefined();
    });
  });

  describe("the terms of a grant for a confirmation of funds consent", () => {
    it("end 180 days after each use, and the grant long after", async () => {
      const known = fundsWith();
      const terms = await termsOf(known);
      expect(terms).toMatchObject({
        clientId: known.resource.tppId,
        scope: `PIIS:${known.resource.id}`,
        endsAt: later(now, 180, "day"),
        refreshable: true,
      });
      expect(terms?.grantEndsAt.getFullYear()).toBeGreaterThan(2100);
      const used = later(now, 100, "day");
      expect(await termsOf(known, used)).toMatchObject({ endsAt: later(used, 180, "day") });
    });

    it("end with the last day of the card at the latest", async () => {
      const cardExpiryDate = "2026-12-31" as IsoDate;
      const end = new Date("2026-12-31T22:00:00Z");
      const known = fundsWith({ cardExpiryDate });
      expect(await termsOf(known)).toMatchObject({ endsAt: end, grantEndsAt: end });
      expect(await termsOf(known, later(end, -2, "second"))).toBeDefined();
      expect(await termsOf(known, end)).toBeUndefined();
    });

    const statuses = Object.keys(fundsConsentTransitions) as FundsConsentStatus[];
    it.each(statuses.filter((status) => status !== "valid"))(
      "O13: there are none for a consent that is %s",
      async (status) => {
        expect(await termsOf(fundsWith({ status }))).toBeUndefined();
      },
    );
  });

  describe("the terms of a grant for a payment", () => {
    it("end an hour after its SCA window, and are not refreshed", async () => {
      const known = paymentWith();
      const end = minutesOn(75);
      expect(await termsOf(known)).toEqual({
        clientId: known.resource.tppId,
        scope: `PIS:${known.resource.id}`,
        endsAt: end,
        grantEndsAt: end,
        refreshable: false,
      });
      expect(await termsOf(known, end)).toBeUndefined();
    });

    it("an hour holds any token that a code of the window's last moment is redeemed for", () => {
      const { sca, oauth } = aspspProfile;
      // An interaction, and with it the way to a code, lasts as long again as the window.
      const latest = sca.windowMinutes * 60 + oauth.codeSeconds + oauth.accessTokenSeconds;
      expect(latest).toBeLessThanOrEqual(oauth.paymentTokenMinutes * 60);
    });

    it.each(["account-blocked", "psu-limit", "day-limit"] as const)(
      "there are none when the bank refused it at its authorisation: %s",
      async (reason) => {
        expect(await termsOf(paymentWith({ status: "RJCT", reason }))).toBeUndefined();
      },
    );

    it.each(["no-funds", "creditor-account-closed"] as const)(
      "there are some when its execution failed: %s",
      async (reason) => {
        expect(await termsOf(paymentWith({ status: "RJCT", reason }))).toBeDefined();
      },
    );
  });

  describe("any resource", () => {
    const undecided = (Object.keys(scaTransitions) as ScaStatus[]).filter(
      (status) => status !== "finalised",
    );
    it.each(undecided)("there are no terms while the authorisation is %s", async (status) => {
      for (const known of [consentWith(), fundsWith(), paymentWith()]) {
        expect(await termsOf(known, now, status)).toBeUndefined();
      }
    });

    it("there are none without authorisation or resource", async () => {
      const { bank, ports } = inMemoryBank();
      for (const { authorisation } of [consentWith(), fundsWith(), paymentWith()]) {
        expect(await grantTerms(ports, authorisation.id, now)).toBeUndefined();
        bank.authorisations.set(authorisation.id, { ...authorisation, scaStatus: "finalised" });
        expect(await grantTerms(ports, authorisation.id, now)).toBeUndefined();
      }
    });

    it("O15: a token stored up to a second after its lifetime is counted still ends in time, by less than two", () => {
      const milliseconds = fc.integer({ min: 0, max: 86_400_000 });
      const delay = fc.integer({ min: 0, max: 999 });
      fc.assert(
        fc.property(milliseconds, delay, (left, later) => {
          const seconds = secondsToLive(new Date(now.getTime() + left), now);
          const early = left - (later + seconds * 1_000);
          expect(early).toBeGreaterThan(0);
          expect(early).toBeLessThan(2_000);
        }),
      );
    });
  });
});
