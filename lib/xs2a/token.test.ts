import { describe, expect, it } from "vitest";
import type { InMemoryBank } from "@/lib/domain/testing/in-memory-authorisations";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { receivedFundsConsent, validFundsConsent } from "@/lib/domain/testing/journeys";
import { later, now, receivedConsent, validConsent } from "@/lib/domain/testing/samples";
import { type ConsentId, type IsoDate, newPaymentId, type TppId } from "@/lib/domain/values";
import type { Qwac } from "@/lib/eidas/qualified";
import type { AccessToken } from "./declaration";
import { portsOf, now as tppNow } from "./testing/tpp";
import {
  tokenOfConsentInHeader,
  tokenOfConsentInPath,
  tokenOfFundsConsentInHeader,
  tokenOfFundsConsentInPath,
  tokenOfPaymentInPath,
} from "./token";

const basis = await portsOf();

const tokenOfPaymentBasis = await portsOf();

const tokenOfFundsConsentBasis = await portsOf();

describe("token", () => {
  const qwac = (id = "PSDRO-NBR-1234567") =>
    ({ tpp: { id }, thumbprint: "own" }) as unknown as Qwac;

  async function opened(issued: Partial<AccessToken> = {}) {
    const memory = inMemoryBank();
    const consent = await validConsent(memory);
    const token: AccessToken = {
      clientId: consent.tppId,
      scope: `AIS:${consent.id}`,
      expiresAt: later(15),
      thumbprint: "own",
      grantHash: "grant",
      hash: "token",
      ...issued,
    };
    const accessTokens = {
      read: async (text: string) => (text === "genuine" ? token : undefined),
    };
    const ports = { ...basis, ...memory.ports, accessTokens };
    type Sent = {
      authorization?: string | null;
      consentId?: string;
      at?: Date;
      tpp?: string;
      tokenActive?: boolean;
    };
    const open = async ({
      authorization = "Bearer genuine",
      consentId = consent.id,
      at = now,
      tpp,
      tokenActive = true,
    }: Sent = {}) => {
      const sent = { "consent-id": consentId };
      const names = tokenOfConsentInHeader.names(new Headers(sent), {});
      const { named } = await ports.requestContexts.load({ tppId: qwac(tpp).tpp.id, ...names });
      return tokenOfConsentInHeader(
        { authorization, headers: sent, path: {}, qwac: qwac(tpp), now: at, named, tokenActive },
        ports,
      );
    };
    const inPath = ({ authorization = "Bearer genuine", at = now, tokenActive = true }: Sent) => {
      const path = { consentId: consent.id };
      const call = { authorization, headers: {}, path, qwac: qwac(), now: at, tokenActive };
      return tokenOfConsentInPath(call, ports);
    };
    return { ...memory, ports, consent, open, inPath };
  }

  const refused = (status: number, code: string, path?: string) => ({
    status,
    faults: [path === undefined ? { code } : { code, path }],
  });

  describe("account access calls", () => {
    it("with a valid access token and its consent are accepted", async () => {
      const { open, consent } = await opened();
      const grant = { consent: { id: consent.id, status: "valid" } };
      expect(await open()).toMatchObject(grant);
      expect(await open({ consentId: consent.id.toUpperCase() })).toMatchObject(grant);
    });

    it.each([
      null,
      "",
      "Bearer",
      "Basic genuine",
      "Bearer unknown",
      "Bearer genuine more",
      "genuine",
    ])("with Authorization %j are refused: TOKEN_UNKNOWN", async (authorization) => {
      const { open } = await opened();
      await expect(open({ authorization })).rejects.toMatchObject(refused(401, "TOKEN_UNKNOWN"));
    });

    it.each([
      [null, "Authorization is missing"],
      ["Basic genuine", "Authorization is not the word Bearer"],
      ["Bearer unknown", "the access token is none that this bank has issued to this TPP"],
    ])(
      "with Authorization %j are refused with what is wrong with it",
      async (authorization, text) => {
        const { open } = await opened();
        const faults = [{ text: expect.stringContaining(text) }];
        await expect(open({ authorization })).rejects.toMatchObject({ faults });
      },
    );

    it("O1: with another TPP's token are refused as with an unknown one", async () => {
      const { open } = await opened();
      const foreign = await open({ tpp: "PSDDE-BAFIN-1" }).catch((error: unknown) => error);
      const unknown = await open({ authorization: "Bearer unknown" }).catch(
        (error: unknown) => error,
      );
      expect(foreign).toEqual(unknown);
    });

    it("O7: with a token bound to another certificate are refused", async () => {
      const { open } = await opened({ thumbprint: "another" });
      await expect(open()).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
    });

    it("O1: with another TPP's consent are refused as with an unknown one", async () => {
      const { open, bank, consent } = await opened();
      const foreign = {
        ...consent,
        id: crypto.randomUUID() as never,
        tppId: "PSDDE-BAFIN-1" as TppId,
      };
      bank.consents.set(foreign.id, foreign);
      const answers = await Promise.all(
        [foreign.id, crypto.randomUUID(), "no-uuid"].map((consentId) =>
          open({ consentId }).catch((error: unknown) => error),
        ),
      );
      expect(answers[0]).toMatchObject(refused(400, "CONSENT_UNKNOWN", "Consent-ID"));
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
    });

    it("O11: with the token of another consent or of another area are refused", async () => {
      const { open, ports, consent } = await opened();
      const other = await receivedConsent(ports);
      const answer = await open({ consentId: other.id }).catch((error: unknown) => error);
      expect(answer).toMatchObject(refused(401, "TOKEN_INVALID"));
      expect(answer).toMatchObject({
        faults: [
          {
            text: `the access token is for AIS:${consent.id}, here one for AIS:${other.id} is needed`,
          },
        ],
      });
      const funds = await opened({ scope: "PIIS:99391c7e-ad88-49ec-a2ad-99ddcb1f7721" });
      await expect(funds.open()).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
    });

    it("past the expiry of the token are refused: TOKEN_EXPIRED", async () => {
      const { open } = await opened();
      await expect(open({ at: later(14.99) })).resolves.toBeDefined();
      const late = await open({ at: later(15) }).catch((error: unknown) => error);
      expect(late).toMatchObject(refused(401, "TOKEN_EXPIRED"));
      const text = expect.stringContaining(later(15).toISOString());
      expect(late).toMatchObject({ faults: [{ text }] });
    });

    it("with an expired token of a consent that has ended learn that the consent has ended", async () => {
      const { open } = await opened();
      const at = new Date("2027-02-02T00:00:00Z");
      await expect(open({ at })).rejects.toMatchObject(refused(401, "CONSENT_EXPIRED"));
    });

    it("O6: with a revoked token are refused", async () => {
      const { open } = await opened();
      const revoked = open({ tokenActive: false });
      await expect(revoked).rejects.toMatchObject(refused(401, "TOKEN_INVALID", "Authorization"));
    });

    it("O13: are refused at once when the consent was ended, though the token is still active", async () => {
      const { open, bank, consent } = await opened();
      bank.consents.set(consent.id, { ...consent, status: "terminatedByTpp" } as Entry);
      await expect(open()).rejects.toMatchObject(refused(401, "CONSENT_INVALID"));
    });
  });

  describe("calls about a consent", () => {
    it("need no token", async () => {
      const { inPath } = await opened();
      await expect(inPath({ authorization: null })).resolves.toBeUndefined();
    });

    it("O6: refuse a revoked token, unless its consent has ended: that can still be read", async () => {
      const { inPath, bank, consent } = await opened();
      const revoked = { tokenActive: false };
      await expect(inPath(revoked)).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
      bank.consents.set(consent.id, { ...consent, status: "revokedByPsu" } as Entry);
      await expect(inPath(revoked)).resolves.toBeUndefined();
    });

    it("refuse a token for another resource", async () => {
      const { inPath } = await opened();
      await expect(inPath({ authorization: "Bearer x" })).rejects.toMatchObject(
        refused(401, "TOKEN_UNKNOWN"),
      );
      await expect(inPath({ at: later(15) })).rejects.toMatchObject(refused(401, "TOKEN_EXPIRED"));
      const other = await opened({ scope: "AIS:another" });
      await expect(other.inPath({})).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
    });
  });

  type Entry = InMemoryBank["consents"] extends Map<string, infer Consent> ? Consent : never;
});

describe("token of payment", () => {
  const paymentId = newPaymentId();
  const tppId = "PSDRO-NBR-1234567";
  const genuine = {
    clientId: tppId,
    scope: `PIS:${paymentId}`,
    expiresAt: later(15),
    thumbprint: "own",
  } as AccessToken;

  function ask(
    authorization: string | null = "Bearer genuine",
    issued: Partial<AccessToken> = {},
    at = tppNow,
    tokenActive = true,
  ) {
    const accessTokens = {
      read: async (text: string) => (text === "genuine" ? { ...genuine, ...issued } : undefined),
    };
    const qwac = { tpp: { id: tppId }, thumbprint: "own" } as Qwac;
    const call = { authorization, headers: {}, path: { paymentId }, qwac, now: at, tokenActive };
    return tokenOfPaymentInPath(call, { ...tokenOfPaymentBasis, accessTokens });
  }

  const refused = (code: string) => ({ status: 401, faults: [{ code, path: "Authorization" }] });

  describe("a call about a payment", () => {
    it("needs no token, and takes the one for this payment", async () => {
      await expect(ask(null)).resolves.toBeUndefined();
      await expect(ask()).resolves.toBeUndefined();
    });

    it.each(["Bearer unknown", "Basic genuine", "", "genuine"])(
      "with Authorization %j is refused: TOKEN_UNKNOWN",
      async (authorization) => {
        await expect(ask(authorization)).rejects.toMatchObject(refused("TOKEN_UNKNOWN"));
      },
    );

    it("O1: with another TPP's token is refused as with an unknown one", async () => {
      const clientId = "PSDDE-BAFIN-1" as AccessToken["clientId"];
      const errors = [ask("Bearer genuine", { clientId }), ask("Bearer unknown")].map((call) =>
        call.catch((error: unknown) => error),
      );
      const [foreign, unknown] = await Promise.all(errors);
      expect(foreign).toEqual(unknown);
    });

    it("O7: with a token bound to another certificate is refused", async () => {
      const other = { thumbprint: "another" };
      await expect(ask("Bearer genuine", other)).rejects.toMatchObject(refused("TOKEN_INVALID"));
    });

    it.each([
      `AIS:${paymentId}`,
      `PIIS:${paymentId}`,
      `PIS:${newPaymentId()}`,
      paymentId,
      "PIS:",
      `PIS:${paymentId} AIS:x`,
    ])("O11: with a token for %s is refused", async (scope) => {
      await expect(ask("Bearer genuine", { scope })).rejects.toMatchObject(
        refused("TOKEN_INVALID"),
      );
    });

    it("O6: with a revoked token is refused", async () => {
      const revoked = ask("Bearer genuine", {}, tppNow, false);
      await expect(revoked).rejects.toMatchObject(refused("TOKEN_INVALID"));
    });

    it("with a token past its expiry is refused", async () => {
      await expect(ask("Bearer genuine", {}, later(14.99))).resolves.toBeUndefined();
      const late = ask("Bearer genuine", {}, later(15));
      await expect(late).rejects.toMatchObject(refused("TOKEN_EXPIRED"));
    });
  });
});

describe("token of funds consent", () => {
  const qwac = (id = "PSDRO-NBR-1234567") =>
    ({ tpp: { id }, thumbprint: "own" }) as unknown as Qwac;

  async function opened(issued: Partial<AccessToken> = {}, cardExpiryDate?: IsoDate) {
    const memory = inMemoryBank();
    const consent = await validFundsConsent(
      memory,
      cardExpiryDate === undefined ? {} : { cardExpiryDate },
    );
    const token: AccessToken = {
      clientId: consent.tppId,
      scope: `PIIS:${consent.id}`,
      expiresAt: later(15),
      thumbprint: "own",
      grantHash: "grant",
      hash: "token",
      ...issued,
    };
    const { findOfTpp } = memory.ports.fundsConsents;
    const ports = {
      ...tokenOfFundsConsentBasis,
      ...memory.ports,
      accessTokens: { read: async (text: string) => (text === "genuine" ? token : undefined) },
    };
    type Sent = {
      authorization?: string | null;
      consentId?: string;
      at?: Date;
      tpp?: string;
      tokenActive?: boolean;
    };
    const open = async (sent: Sent = {}) => {
      const { authorization = "Bearer genuine", consentId = consent.id, at = now, tpp } = sent;
      const { tokenActive = true } = sent;
      const headers = { "consent-id": consentId };
      const { fundsConsentId } = tokenOfFundsConsentInHeader.names(new Headers(headers), {}) ?? {};
      const fundsConsent = fundsConsentId && (await findOfTpp(fundsConsentId, qwac(tpp).tpp.id));
      const call = { authorization, headers, path: {}, qwac: qwac(tpp), now: at, tokenActive };
      return tokenOfFundsConsentInHeader({ ...call, fundsConsent }, ports);
    };
    const inPath = ({
      authorization = "Bearer genuine",
      at = now,
      tokenActive = true,
    }: Sent = {}) => {
      const call = { authorization, headers: {}, path: { consentId: consent.id }, now: at };
      return tokenOfFundsConsentInPath({ ...call, qwac: qwac(), tokenActive }, ports);
    };
    return { ...memory, consent, open, inPath };
  }

  const refused = (status: number, code: string, path?: string) => ({
    status,
    faults: [path === undefined ? { code } : { code, path }],
  });

  describe("a question about funds", () => {
    it("with the token of its consent is accepted, whatever the case of Consent-ID", async () => {
      const { open, consent } = await opened();
      expect(await open()).toEqual(consent);
      const spelt = { consentId: consent.id.toUpperCase(), at: later(14.99) };
      expect(await open(spelt)).toEqual(consent);
    });

    it.each([null, "", "Bearer", "Basic genuine", "Bearer unknown", "genuine"])(
      "with Authorization %j is refused: TOKEN_UNKNOWN",
      async (authorization) => {
        const { open } = await opened();
        await expect(open({ authorization })).rejects.toMatchObject(refused(401, "TOKEN_UNKNOWN"));
      },
    );

    it("O1: with another TPP's token is refused as with an unknown one", async () => {
      const { open } = await opened();
      const answers = await Promise.allSettled([
        open({ tpp: "PSDDE-BAFIN-1" }),
        open({ authorization: "Bearer unknown" }),
      ]);
      expect(answers[0]).toMatchObject({ status: "rejected" });
      expect(answers[0]).toEqual(answers[1]);
    });

    it("O7: with a token bound to another certificate is refused", async () => {
      const { open } = await opened({ thumbprint: "another" });
      await expect(open()).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
    });

    it("O1: with another TPP's Consent-ID is refused as with an unknown one", async () => {
      const { open, bank, consent } = await opened();
      const id = crypto.randomUUID() as string as ConsentId;
      bank.fundsConsents.set(id, { ...consent, id, tppId: "PSDDE-BAFIN-1" as TppId });
      const answers = await Promise.allSettled(
        [id, crypto.randomUUID(), "no-uuid", ""].map((consentId) => open({ consentId })),
      );
      expect(answers[0]).toMatchObject({ reason: refused(400, "CONSENT_UNKNOWN", "Consent-ID") });
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    });

    it("O11: with the token of another funds consent, of account information or of a payment is refused", async () => {
      for (const area of ["AIS", "PIS", "PIIS"]) {
        const { open } = await opened({ scope: `${area}:99391c7e-ad88-49ec-a2ad-99ddcb1f7721` });
        await expect(open()).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
      }
      const { open, ports } = await opened();
      const { id } = await receivedFundsConsent({ ports });
      await expect(open({ consentId: id })).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
    });

    it("O11: an account information consent is unknown here, also with the token of its own", async () => {
      const { bank, ports, open } = await opened();
      const { id } = await validConsent({ bank, ports });
      await expect(open({ consentId: id })).rejects.toMatchObject(refused(400, "CONSENT_UNKNOWN"));
      const own = await opened({ scope: `AIS:${id}` });
      await expect(own.open({ consentId: id })).rejects.toMatchObject(
        refused(400, "CONSENT_UNKNOWN"),
      );
    });

    it("past the expiry of the token is refused: TOKEN_EXPIRED", async () => {
      const { open } = await opened();
      await expect(open({ at: later(15) })).rejects.toMatchObject(refused(401, "TOKEN_EXPIRED"));
    });

    it("with an expired token of a consent that has ended learns that the consent has ended", async () => {
      const { open } = await opened({}, "2026-11-20" as IsoDate);
      const at = new Date("2026-11-20T22:00:00Z");
      await expect(open({ at })).rejects.toMatchObject(refused(401, "CONSENT_EXPIRED"));
      const deleted = await opened();
      const { id } = deleted.consent;
      deleted.bank.fundsConsents.set(id, { ...deleted.consent, status: "terminatedByTpp" });
      await expect(deleted.open({ at: later(15) })).rejects.toMatchObject(
        refused(401, "CONSENT_INVALID"),
      );
    });
  });

  describe("calls about a funds consent", () => {
    it("need no token", async () => {
      const { inPath } = await opened();
      await expect(inPath({ authorization: null })).resolves.toBeUndefined();
      await expect(inPath()).resolves.toBeUndefined();
    });

    it("O11: refuse a token for another resource", async () => {
      const { inPath, consent } = await opened();
      await expect(inPath({ authorization: "Bearer x" })).rejects.toMatchObject(
        refused(401, "TOKEN_UNKNOWN"),
      );
      await expect(inPath({ at: later(15) })).rejects.toMatchObject(refused(401, "TOKEN_EXPIRED"));
      for (const scope of [`AIS:${consent.id}`, `PIS:${consent.id}`, "PIIS:another"]) {
        const other = await opened({ scope });
        await expect(other.inPath()).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
      }
    });
  });
});
