import { X509Certificate } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { readTransactions } from "@/lib/domain/account-access";
import type { AccountConsent } from "@/lib/domain/consents";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import {
  openedAccess,
  receivedFundsConsent,
  validFundsConsent,
} from "@/lib/domain/testing/journeys";
import {
  later,
  newRequestId,
  now,
  receivedConsent,
  validConsent,
} from "@/lib/domain/testing/samples";
import { type ConsentId, type IsoDate, newPaymentId, type TppId } from "@/lib/domain/values";
import { thumbprintOf } from "@/lib/eidas/certificate";
import type { Qwac } from "@/lib/eidas/qwac-qsealc";
import type { AccessToken } from "./declaration";
import { endpoint } from "./endpoint";
import { accessOf, accountDataCall } from "./resource-calls";
import { certificatesOf, portsOf, signedRequest } from "./testing/tpp";
import {
  tokenOfConsentInHeader,
  tokenOfConsentInPath,
  tokenOfFundsConsentInHeader,
  tokenOfFundsConsentInPath,
  tokenOfPaymentInPath,
} from "./token";
import { served } from "./wire/common";
import { transactionsQuery, transactionsRead } from "./wire/transactions";

const basis = await portsOf();
const OWN = "PSDRO-NBR-1234567" as TppId;
const OTHER = "PSDDE-BAFIN-1" as TppId;
const ELSEWHERE = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

/** The calls of one area each, those that name a consent in a header and those with an id in the path. */
const inHeader = ["account data", "a question about funds"] as const;
const inPath = ["an account consent", "a funds consent", "a payment"] as const;
const every = [...inHeader, ...inPath] as const;

type Sent = {
  readonly authorization?: string | null;
  readonly issued?: Partial<AccessToken>;
  readonly consentId?: string;
  readonly at?: Date;
  readonly tppId?: TppId;
  readonly tokenActive?: boolean;
};

/** A bank with a consent for accounts, one for funds and a payment, each with a token of its own. */
async function opened(cardExpiryDate?: IsoDate) {
  const memory = inMemoryBank();
  const consent = await validConsent(memory);
  const card = cardExpiryDate === undefined ? {} : { cardExpiryDate };
  const funds = await validFundsConsent(memory, card);
  const ports = { ...basis, ...memory.ports };
  const payment = newPaymentId();
  const resources = {
    "account data": `AIS:${consent.id}`,
    "an account consent": `AIS:${consent.id}`,
    "a question about funds": `PIIS:${funds.id}`,
    "a funds consent": `PIIS:${funds.id}`,
    "a payment": `PIS:${payment}`,
  };

  const ask = async (call: (typeof every)[number], sent: Sent = {}): Promise<unknown> => {
    const { authorization = "Bearer genuine", at = now, tppId = OWN, tokenActive = true } = sent;
    const scope = resources[call];
    const issued: AccessToken = {
      clientId: OWN,
      scope,
      expiresAt: later(15),
      thumbprint: "own",
      grantHash: "grant",
      hash: "token",
      ...sent.issued,
    };
    const qwac = { tpp: { id: tppId }, thumbprint: "own" } as unknown as Qwac;
    const token = authorization === "Bearer genuine" ? issued : undefined;
    const presented = { authorization, token, qwac, now: at, tokenActive };
    const ofHeader = { "consent-id": sent.consentId ?? scope.split(":")[1] ?? "none" };
    const load = async ({ names }: Pick<typeof tokenOfConsentInHeader, "names">) =>
      ports.requestContexts.load({ tppId, ...names(new Headers(ofHeader), {}) });
    if (call === "account data") {
      const { named } = await load(tokenOfConsentInHeader);
      return tokenOfConsentInHeader({ ...presented, headers: ofHeader, path: {}, named }, ports);
    }
    if (call === "a question about funds") {
      const { fundsConsent } = await load(tokenOfFundsConsentInHeader);
      const asked = { ...presented, headers: ofHeader, path: {}, fundsConsent };
      return tokenOfFundsConsentInHeader(asked, ports);
    }
    const headers = {};
    if (call === "a payment") {
      return tokenOfPaymentInPath({ ...presented, headers, path: { paymentId: payment } }, ports);
    }
    if (call === "an account consent") {
      const path = { consentId: consent.id };
      return tokenOfConsentInPath({ ...presented, headers, path }, ports);
    }
    return tokenOfFundsConsentInPath(
      { ...presented, headers, path: { consentId: funds.id } },
      ports,
    );
  };
  return { ...memory, ports, consent, funds, ask };
}

const refused = (code: string, status = 401, path = "Authorization") => ({
  status,
  faults: [{ code, path }],
});

describe.each(every)("a call for %s", (call) => {
  it.each([
    ["", "Authorization is not the word Bearer"],
    ["Bearer", "Authorization is not the word Bearer"],
    ["Basic genuine", "Authorization is not the word Bearer"],
    ["Bearer genuine more", "Authorization is not the word Bearer"],
    ["genuine", "Authorization is not the word Bearer"],
    ["Bearer unknown", "the access token is none that this bank has issued to this TPP"],
  ])("with Authorization %j is refused: TOKEN_UNKNOWN", async (authorization, text) => {
    const { ask } = await opened();
    const answer = await ask(call, { authorization }).catch((error: unknown) => error);
    expect(answer).toMatchObject(refused("TOKEN_UNKNOWN"));
    expect(answer).toMatchObject({ faults: [{ text: expect.stringContaining(text) }] });
  });

  it("O1: with another TPP's token is refused as with an unknown one", async () => {
    const { ask } = await opened();
    const answers = await Promise.allSettled([
      ask(call, { tppId: OTHER }),
      ask(call, { issued: { clientId: OTHER } }),
      ask(call, { authorization: "Bearer unknown" }),
    ]);
    expect(answers[0]).toMatchObject({ reason: refused("TOKEN_UNKNOWN") });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it("O7: with a token bound to another certificate is refused", async () => {
    const { ask } = await opened();
    const other = ask(call, { issued: { thumbprint: "another" } });
    await expect(other).rejects.toMatchObject(refused("TOKEN_INVALID"));
  });

  it("O6: with a revoked token is refused", async () => {
    const { ask } = await opened();
    const revoked = ask(call, { tokenActive: false });
    await expect(revoked).rejects.toMatchObject(refused("TOKEN_INVALID"));
  });

  it("past the expiry of the token is refused: TOKEN_EXPIRED", async () => {
    const { ask } = await opened();
    await ask(call, { at: later(14.99) });
    const late = await ask(call, { at: later(15) }).catch((error: unknown) => error);
    expect(late).toMatchObject(refused("TOKEN_EXPIRED"));
    const text = expect.stringContaining(later(15).toISOString());
    expect(late).toMatchObject({ faults: [{ text }] });
  });

  it("O11: with the token of another resource, or of another area, is refused", async () => {
    const { ask, consent, funds } = await opened();
    const own = (call.includes("account") ? consent : funds).id;
    const areas = ["AIS", "PIIS", "PIS"].map((area) => `${area}:${ELSEWHERE}`);
    const sameId = call === "a payment" ? [] : [`PIS:${own}`, `AIS:${own} PIS:x`];
    for (const scope of [...areas, ...sameId, own, "PIS:"]) {
      const other = ask(call, { issued: { scope } });
      await expect(other).rejects.toMatchObject(refused("TOKEN_INVALID"));
    }
  });
});

it.each(inPath)("a call for %s needs no token", async (call) => {
  const { ask } = await opened();
  await expect(ask(call, { authorization: null })).resolves.toBeUndefined();
  await expect(ask(call)).resolves.toBeUndefined();
});

it("O6: a consent that has ended can still be read with its revoked or expired token", async () => {
  const { ask, bank, consent, funds } = await opened();
  bank.consents.set(consent.id, { ...consent, status: "revokedByPsu" });
  bank.fundsConsents.set(funds.id, { ...funds, status: "revokedByPsu" });
  for (const call of ["an account consent", "a funds consent"] as const) {
    await expect(ask(call, { tokenActive: false })).resolves.toBeUndefined();
    await expect(ask(call, { at: later(15), tokenActive: false })).resolves.toBeUndefined();
  }
});

describe.each(inHeader)("a call for %s", (call) => {
  it("without a token is refused: TOKEN_UNKNOWN", async () => {
    const { ask } = await opened();
    const answer = await ask(call, { authorization: null }).catch((error: unknown) => error);
    expect(answer).toMatchObject(refused("TOKEN_UNKNOWN"));
    const text = expect.stringContaining("Authorization is missing");
    expect(answer).toMatchObject({ faults: [{ text }] });
  });

  it("is accepted with the token of its consent, whatever the case of Consent-ID", async () => {
    const { ask, consent, funds } = await opened();
    const own = call === "account data" ? consent : funds;
    expect(await ask(call)).toEqual(own);
    expect(await ask(call, { consentId: own.id.toUpperCase() })).toEqual(own);
  });

  it("O1: with another TPP's Consent-ID is refused as with an unknown one", async () => {
    const { ask, bank, consent, funds } = await opened();
    const foreign = { id: crypto.randomUUID() as string as ConsentId, tppId: OTHER };
    bank.consents.set(foreign.id, { ...consent, ...foreign });
    bank.fundsConsents.set(foreign.id, { ...funds, ...foreign });
    const other = call === "account data" ? funds.id : consent.id;
    const answers = await Promise.allSettled(
      [foreign.id, crypto.randomUUID(), "no-uuid", "", `${foreign.id}, ${foreign.id}`, other].map(
        (consentId) => ask(call, { consentId }),
      ),
    );
    expect(answers[0]).toMatchObject({ reason: refused("CONSENT_UNKNOWN", 400, "Consent-ID") });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it("O11: with the token of another consent of the TPP is refused, and both are named", async () => {
    const { ask, ports } = await opened();
    const isData = call === "account data";
    const { id } = isData ? await receivedConsent(ports) : await receivedFundsConsent({ ports });
    const answer = ask(call, { consentId: id });
    await expect(answer).rejects.toMatchObject(refused("TOKEN_INVALID"));
    const needed = `here one for ${isData ? "AIS" : "PIIS"}:${id} is needed`;
    await expect(answer).rejects.toThrow(needed);
  });

  it("O13: is refused at once when the consent was ended, though the token is still active", async () => {
    const { ask, bank, ports, consent, funds } = await opened();
    bank.consents.set(consent.id, { ...consent, status: "terminatedByTpp" });
    bank.fundsConsents.set(funds.id, { ...funds, status: "terminatedByTpp" });
    const ended = { status: 401, faults: [{ code: "CONSENT_INVALID" }] };
    // With a token in order the consent is judged after the form of what is asked.
    const grant = (await ask(call)) as AccountConsent;
    if (call === "account data") {
      const headers = { "consent-id": grant.id };
      await expect(
        accessOf({ grant, headers, now, requestId: newRequestId() }, ports),
      ).rejects.toMatchObject(ended);
    }
    await expect(ask(call, { at: later(15) })).rejects.toMatchObject(ended);
  });

  it("with an expired token of a consent that has ended learns that the consent has ended", async () => {
    const { ask } = await opened("2026-11-20" as IsoDate);
    const at = new Date(call === "account data" ? "2027-02-02T00:00:00Z" : "2026-11-20T22:00:00Z");
    const ended = { status: 401, faults: [{ code: "CONSENT_EXPIRED" }] };
    await expect(ask(call, { at })).rejects.toMatchObject(ended);
  });
});

it("the consent in Consent-ID is not loaded for a call whose path names one", () => {
  const headers = new Headers({ "consent-id": ELSEWHERE });
  expect(tokenOfConsentInHeader.names(headers, {})).toEqual({ consentId: ELSEWHERE });
  expect(tokenOfConsentInPath.names(headers, {})).toEqual({});
});

it("O1: a consent that was loaded for another id, or for another TPP, opens nothing", async () => {
  const { ports, consent } = await opened();
  const ask = (loaded: typeof consent, consentId: string = consent.id) =>
    tokenOfConsentInHeader(
      {
        authorization: "Bearer genuine",
        token: {
          clientId: OWN,
          scope: `AIS:${consent.id}`,
          expiresAt: later(15),
          thumbprint: "own",
          grantHash: "grant",
          hash: "token",
        },
        headers: { "consent-id": consentId },
        path: {},
        qwac: { tpp: { id: OWN }, thumbprint: "own" } as unknown as Qwac,
        now,
        named: { consent: loaded },
        tokenActive: true,
      },
      ports,
    );
  await expect(ask(consent)).resolves.toEqual(consent);
  const unknown = refused("CONSENT_UNKNOWN", 400, "Consent-ID");
  await expect(ask(consent, crypto.randomUUID())).rejects.toMatchObject(unknown);
  await expect(ask({ ...consent, tppId: OTHER })).rejects.toMatchObject(unknown);
});

describe("the form of the query of a call for account data", () => {
  const TODAY = "bookingStatus=booked&dateFrom=2026-11-20";

  /** What a TPP with a token of its consent is answered, once the consent is as given. */
  async function asking(changed: Partial<AccountConsent>) {
    const memory = await openedAccess();
    const { bank, consent, resourceId } = memory;
    bank.consents.set(consent.id, { ...consent, ...changed });
    const own = await certificatesOf();
    const token: AccessToken = {
      clientId: OWN,
      scope: `AIS:${consent.id}`,
      expiresAt: later(15),
      thumbprint: thumbprintOf(new X509Certificate(own.qwacPem).raw),
      grantHash: "grant",
      hash: "token",
    };
    const accessTokens = { read: async () => token };
    const ports = { ...basis, ...memory.ports, accessTokens };
    const read = endpoint({
      operationId: "readTransactions",
      summary: "Read",
      ...accountDataCall,
      query: transactionsQuery,
      handle: async ({ query, ...call }, given) =>
        readTransactions(given, await accessOf(call, given), { resourceId, ...query }),
      reply: served(transactionsRead),
    });
    const findOfTpp = vi.spyOn(ports.consents, "findOfTpp");
    const admitUnattended = vi.spyOn(ports.accessBudget, "admitUnattended");
    const ask = async (query: string, consentId: string = consent.id) => {
      const headers = { "consent-id": consentId, authorization: "Bearer genuine" };
      const url = `https://bank.example/accounts/${resourceId}/transactions?${query}`;
      const { status, body = "none" } = await read(signedRequest(own, { url, headers }), {}, ports);
      return [status, ...[...body.toString().matchAll(/"code":"(\w+)"/g)].map(([, code]) => code)];
    };
    return { ask, findOfTpp, admitUnattended };
  }

  it("is judged before the state of the consent, which is read once and counts no access", async () => {
    const { ask, findOfTpp, admitUnattended } = await asking({ status: "revokedByPsu" });
    expect(await ask("dateFrom=soon")).toEqual([400, "FORMAT_ERROR", "FORMAT_ERROR"]);
    expect(findOfTpp).toHaveBeenCalledTimes(1);
    expect(await ask(TODAY)).toEqual([401, "CONSENT_INVALID"]);
    expect(admitUnattended).not.toHaveBeenCalled();
  });

  it("O1: is judged after whose consent it is, so that nobody learns of another TPP's", async () => {
    const { ask } = await asking({ tppId: OTHER });
    const unknown = [400, "CONSENT_UNKNOWN"];
    for (const query of [TODAY, "dateFrom=soon"]) {
      expect(await ask(query)).toEqual(unknown);
      expect(await ask(query, ELSEWHERE)).toEqual(unknown);
    }
  });

  it("of an open consent is judged before an access is counted", async () => {
    const { ask, admitUnattended } = await asking({});
    expect(await ask("dateFrom=soon")).toEqual([400, "FORMAT_ERROR", "FORMAT_ERROR"]);
    expect(admitUnattended).not.toHaveBeenCalled();
    expect(await ask(TODAY)).toEqual([200]);
    expect(admitUnattended).toHaveBeenCalledTimes(1);
  });
});
