import { describe, expect, it } from "vitest";
import type { ConsentId, TppId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import { receivedFundsConsent, validFundsConsent } from "@/lib/domain/testing/funds";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { later, now, validConsent } from "@/lib/domain/testing/samples";
import type { Qwac } from "@/lib/eidas/qwac";
import type { AccessToken } from "./access-tokens";
import { portsOf } from "./testing/tpp";
import { tokenOfFundsConsentInHeader, tokenOfFundsConsentInPath } from "./token-of-funds-consent";

const basis = await portsOf();
const qwac = (id = "PSDRO-NBR-1234567") => ({ tpp: { id }, thumbprint: "own" }) as unknown as Qwac;

async function opened(issued: Partial<AccessToken> = {}, cardExpiryDate?: IsoDate) {
  const house = inMemoryBank();
  const consent = await validFundsConsent(
    house,
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
  const { findOfTpp } = house.ports.fundsConsents;
  const ports = {
    ...basis,
    ...house.ports,
    accessTokens: { read: async (text: string) => (text === "genuine" ? token : undefined) },
  };
  type Sent = {
    authorization?: string | null;
    consentId?: string;
    at?: Date;
    tpp?: string;
    tokenLives?: boolean;
  };
  const open = async (sent: Sent = {}) => {
    const { authorization = "Bearer genuine", consentId = consent.id, at = now, tpp } = sent;
    const { tokenLives = true } = sent;
    const headers = { "consent-id": consentId };
    const { fundsConsentId } = tokenOfFundsConsentInHeader.names(new Headers(headers), {}) ?? {};
    const fundsConsent = fundsConsentId && (await findOfTpp(fundsConsentId, qwac(tpp).tpp.id));
    const call = { authorization, headers, path: {}, qwac: qwac(tpp), now: at, tokenLives };
    return tokenOfFundsConsentInHeader({ ...call, fundsConsent }, ports);
  };
  const inPath = ({ authorization = "Bearer genuine", at = now, tokenLives = true }: Sent = {}) => {
    const call = { authorization, headers: {}, path: { consentId: consent.id }, now: at };
    return tokenOfFundsConsentInPath({ ...call, qwac: qwac(), tokenLives }, ports);
  };
  return { ...house, consent, open, inPath };
}

const refused = (status: number, code: string, path?: string) => ({
  status,
  faults: [path === undefined ? { code } : { code, path }],
});

describe("a question about funds", () => {
  it("with the token of its consent is let in, however Consent-ID is spelt", async () => {
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

  it("O11: refuse a token that does not fit", async () => {
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
