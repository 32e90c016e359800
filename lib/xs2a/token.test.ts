import { describe, expect, it } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import { type InMemoryBank, inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { later, now, receivedConsent, validConsent } from "@/lib/domain/testing/samples";
import type { Qwac } from "@/lib/eidas/qwac";
import type { AccessToken } from "./access-tokens";
import { portsOf } from "./testing/tpp";
import { tokenOfConsentInHeader, tokenOfConsentInPath } from "./token";

const basis = await portsOf();
const qwac = (id = "PSDRO-NBR-1234567") => ({ tpp: { id }, thumbprint: "own" }) as unknown as Qwac;

async function opened(issued: Partial<AccessToken> = {}) {
  const house = inMemoryBank();
  const consent = await validConsent(house);
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
  const ports = { ...basis, ...house.ports, accessTokens };
  type Sent = {
    authorization?: string | null;
    consentId?: string;
    at?: Date;
    tpp?: string;
    tokenLives?: boolean;
  };
  const open = async ({
    authorization = "Bearer genuine",
    consentId = consent.id,
    at = now,
    tpp,
    tokenLives = true,
  }: Sent = {}) => {
    const sent = { "consent-id": consentId };
    const names = tokenOfConsentInHeader.names(new Headers(sent), {});
    const { named } = await ports.arrivals.look({ tppId: qwac(tpp).tpp.id, ...names });
    return tokenOfConsentInHeader(
      { authorization, headers: sent, path: {}, qwac: qwac(tpp), now: at, named, tokenLives },
      ports,
    );
  };
  const inPath = ({ authorization = "Bearer genuine", at = now, tokenLives = true }: Sent) => {
    const path = { consentId: consent.id };
    const call = { authorization, headers: {}, path, qwac: qwac(), now: at, tokenLives };
    return tokenOfConsentInPath(call, ports);
  };
  return { ...house, ports, consent, open, inPath };
}

const refused = (status: number, code: string, path?: string) => ({
  status,
  faults: [path === undefined ? { code } : { code, path }],
});

describe("account access calls", () => {
  it("with a valid access token and its consent are let in", async () => {
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
  ])("with Authorization %j are told what is wrong with it", async (authorization, text) => {
    const { open } = await opened();
    const faults = [{ text: expect.stringContaining(text) }];
    await expect(open({ authorization })).rejects.toMatchObject({ faults });
  });

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

  it("O6: with a token that is dead are refused", async () => {
    const { open } = await opened();
    const dead = open({ tokenLives: false });
    await expect(dead).rejects.toMatchObject(refused(401, "TOKEN_INVALID", "Authorization"));
  });

  it("O13: are refused at once when the consent was ended, though the token lives", async () => {
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

  it("O6: refuse a token that is dead, unless its consent has ended: that can still be read", async () => {
    const { inPath, bank, consent } = await opened();
    const dead = { tokenLives: false };
    await expect(inPath(dead)).rejects.toMatchObject(refused(401, "TOKEN_INVALID"));
    bank.consents.set(consent.id, { ...consent, status: "revokedByPsu" } as Entry);
    await expect(inPath(dead)).resolves.toBeUndefined();
  });

  it("refuse a token that does not fit", async () => {
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
