import { describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { TppId } from "@/lib/domain/identifiers";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { later, now, validConsent } from "@/lib/domain/testing/samples";
import type { Qwac } from "@/lib/eidas/qwac";
import { portsOf } from "./testing/tpp";
import { tokenOfConsentInHeader, tokenOfConsentInPath } from "./token";

describe("what is looked up as a call arrives", () => {
  const id = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";
  const named = (sent: Readonly<Record<string, string>>, path = {}) =>
    tokenOfConsentInHeader.names(new Headers(sent), path);

  it("is the consent in Consent-ID, however it is spelt", () => {
    expect(named({ "consent-id": id })).toEqual({ consentId: id });
    expect(named({ "consent-id": id.toUpperCase() })).toEqual({ consentId: id });
  });

  it.each<Readonly<Record<string, string>>>([
    {},
    { "consent-id": "" },
    { "consent-id": "no-uuid" },
    { "consent-id": `${id}, ${id}` },
  ])("is no consent where none is named: %j", (sent) => {
    expect(named(sent)).toEqual({});
  });

  it("is no consent where the path has it", () => {
    expect(tokenOfConsentInPath.names(new Headers({ "consent-id": id }), {})).toEqual({});
  });
});

it("O1: a call is let in by no other consent than the one it names, and by none of another TPP", async () => {
  const house = inMemoryBank();
  const consent = await validConsent(house);
  const { id, tppId } = consent;
  const token = {
    clientId: tppId,
    scope: `AIS:${id}`,
    expiresAt: later(15),
    thumbprint: "own",
    grantHash: "grant",
    hash: "token",
  };
  const accessTokens = { read: async () => token };
  const ports = { ...(await portsOf()), ...house.ports, accessTokens };
  const call = (named: AccountConsent, consentId: string = id) =>
    tokenOfConsentInHeader(
      {
        authorization: "Bearer genuine",
        headers: { "consent-id": consentId },
        path: {},
        qwac: { tpp: { id: tppId }, thumbprint: "own" } as unknown as Qwac,
        now,
        named: { consent: named },
        tokenLives: true,
      },
      ports,
    );
  await expect(call(consent)).resolves.toEqual({ consent });
  const unknown = { status: 400, faults: [{ code: "CONSENT_UNKNOWN", path: "Consent-ID" }] };
  await expect(call(consent, crypto.randomUUID())).rejects.toMatchObject(unknown);
  const foreign = { ...consent, tppId: "PSDDE-BAFIN-1" as TppId };
  await expect(call(foreign)).rejects.toMatchObject(unknown);
});
