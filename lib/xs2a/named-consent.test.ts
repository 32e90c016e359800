import { describe, expect, it, vi } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { TppId } from "@/lib/domain/identifiers";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { later, now, validConsent } from "@/lib/domain/testing/samples";
import type { Arrival, Named } from "@/lib/domain/tpp/arrival";
import type { Qwac } from "@/lib/eidas/qwac";
import { endpoint } from "./endpoint";
import { certificatesOf, now as instant, portsOf, signedRequest } from "./testing/tpp";
import { tokenOfConsentInHeader, tokenOfConsentInPath } from "./token";
import { deleted } from "./wire/account-consent";
import { accessHeaders } from "./wire/headers";
import { accountPath, noBody, noQuery } from "./wire/path";

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

  it("is of its accounts the one in the path", () => {
    const accountId = "5f3c5c9e-4f0e-4d0c-9a51-6b7ad0a3a5d4";
    const sent = { "consent-id": id };
    expect(named(sent, { accountId })).toEqual({ consentId: id, resourceId: accountId });
    expect(named(sent, { accountId: "no-uuid" })).toEqual({ consentId: id });
    expect(named(sent, { accountId: [accountId] })).toEqual({ consentId: id });
  });
});

it("an endpoint of one account has that one looked up with the consent, and no other", async () => {
  const consentId = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";
  const accountId = "5f3c5c9e-4f0e-4d0c-9a51-6b7ad0a3a5d4";
  const look = vi.fn(async ({ tppId }: Named): Promise<Arrival> => ({ now: instant, tppId }));
  const reading = endpoint({
    operationId: "read",
    summary: "Read it",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: accountPath,
    query: noQuery,
    body: noBody,
    refuses: {},
    handle: async () => undefined,
    reply: deleted,
  });
  const request = signedRequest(await certificatesOf(), { headers: { "consent-id": consentId } });
  await reading(request, { accountId }, { ...(await portsOf()), arrivals: { look } });
  expect(look).toHaveBeenCalledTimes(1);
  expect(look).toHaveBeenCalledWith({
    tppId: "PSDRO-NBR-1234567",
    consentId,
    resourceId: accountId,
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
