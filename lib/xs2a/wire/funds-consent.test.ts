import { describe, expect, it } from "vitest";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { Rejection } from "@/lib/domain/rejection";
import { receivedFundsConsent } from "@/lib/domain/testing/funds";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { parse } from "../parse";
import { sentBody } from "../testing/answer";
import { circumstances, IBAN } from "../testing/consent-request";
import { fundsConsentCreated, fundsConsentRead, fundsConsentStatusRead } from "./funds-consent";
import { fundsConsentRequest } from "./funds-consent-request";

const base = "https://bank.example/open-banking/v3.1";
const links = {
  aisp: `${base}/aisp/v1`,
  pisp: `${base}/pisp/v1`,
  cbpii: `${base}/cbpii`,
  scaOAuth: "https://bank.example/.well-known/oauth-authorization-server",
};
const whole = {
  account: { iban: IBAN, currency: "RON" },
  cardNumber: "5254 1212 3456 3241",
  cardExpiryDate: "2026-11-20",
  cardInformation: "Loyalty card",
  registrationInformation: "Contract 1234",
};
const asked = (body: unknown) => parse("body", fundsConsentRequest, body, circumstances);
const faults = (body: unknown) => {
  try {
    asked(body);
  } catch (error) {
    const { status, faults: found } = error as Rejection;
    return [status, ...found.map(({ code, path }) => [code, path])];
  }
  return [];
};

describe("a request for a confirmation of funds consent", () => {
  it("names the account, and may name the card and the contract", () => {
    expect(asked(whole)).toEqual(whole);
    expect(asked({ account: { iban: IBAN.toLowerCase() } })).toEqual({ account: { iban: IBAN } });
  });

  it.each([
    ["account", undefined],
    ["account", { currency: "RON" }, "account.iban"],
    ["account", { iban: `${IBAN}0` }, "account.iban"],
    ["account", { iban: IBAN, currency: "ron" }, "account.currency"],
    // All sub-accounts at once: a check is for one of them.
    ["account", { iban: IBAN, currency: "XXX" }, "account.currency"],
    ["cardNumber", "1".repeat(36)],
    ["cardNumber", 5_254_121_234_563_241],
    ["cardNumber", ""],
    ["cardExpiryDate", "2026-11-19"],
    ["cardExpiryDate", "2026-02-30"],
    ["cardExpiryDate", "12/26"],
    ["cardInformation", "x".repeat(141)],
    ["cardInformation", "\u0000"],
    ["registrationInformation", "x".repeat(141)],
    ["validUntil", "2027-01-01"],
  ])("%s %j is refused: FORMAT_ERROR", (name, value, path = name) => {
    expect(faults({ ...whole, [name]: value })).toEqual([400, ["FORMAT_ERROR", path]]);
  });

  it.each(["bban", "pan", "maskedPan", "msisdn", "other"])("by %s is refused", (kind) => {
    expect(faults({ account: { iban: IBAN, [kind]: "1" } })).toEqual([
      400,
      ["FORMAT_ERROR", `account.${kind}`],
    ]);
  });

  it.each([undefined, null, [], "x"])("whose body is %j is refused", (body) => {
    expect(faults(body)).toEqual([400, ["FORMAT_ERROR", undefined]]);
  });
});

describe("a confirmation of funds consent as it leaves", () => {
  const consent = receivedFundsConsent(inMemoryBank());

  it("is created with its status, its id, the four links and the headers of the redirect approach", async () => {
    const { id, authorisationId } = await consent;
    const answer = fundsConsentCreated(await consent, { links });
    const self = `${base}/cbpii/v2/consents/confirmation-of-funds/${id}`;
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: self, "aspsp-sca-approach": "REDIRECT" },
    });
    expect(sentBody(answer)).toEqual({
      consentStatus: "received",
      consentId: id,
      _links: {
        scaOAuth: { href: links.scaOAuth },
        self: { href: self },
        status: { href: `${self}/status` },
        scaStatus: { href: `${self}/authorisations/${authorisationId}` },
      },
    });
  });

  it("is read as it was sent, with its status; neither id nor PSU nor account id is in it", async () => {
    const request = parse("body", fundsConsentRequest, whole, circumstances);
    const made = { ...(await consent), ...request, psuId: "ana", accountId: "current" };
    const body = sentBody(fundsConsentRead(made as FundsConsent));
    expect(JSON.parse(JSON.stringify(body))).toEqual({ ...whole, consentStatus: "received" });
  });

  it("has a status that is its status and nothing else", async () => {
    expect(sentBody(fundsConsentStatusRead({ status: "revokedByPsu" }))).toEqual({
      consentStatus: "revokedByPsu",
    });
  });
});
