import { describe, expect, it } from "vitest";
import type { Rejection } from "@/lib/domain/errors";
import type { FundsConsent } from "@/lib/domain/funds";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { receivedFundsConsent } from "@/lib/domain/testing/journeys";
import { parse } from "../parse";
import { IBAN, schemaContext, sentBody } from "../testing/requests";
import { links, thrown } from "../testing/tpp";
import {
  fundsConfirmationRequest,
  fundsConfirmed,
  fundsConsentCreated,
  fundsConsentRead,
  fundsConsentRequest,
  fundsConsentStatusRead,
  fundsHeaders,
} from "./funds";

describe("funds consent", () => {
  const whole = {
    account: { iban: IBAN, currency: "RON" },
    cardNumber: "5254 1212 3456 3241",
    cardExpiryDate: "2026-11-20",
    cardInformation: "Loyalty card",
    registrationInformation: "Contract 1234",
  };
  const asked = (body: unknown) => parse("body", fundsConsentRequest, body, schemaContext);
  const faults = (body: unknown) => faultsOf(() => asked(body));

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
      const self = `${links.cbpii}/v2/consents/confirmation-of-funds/${id}`;
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
      const request = parse("body", fundsConsentRequest, whole, schemaContext);
      const made = { ...(await consent), ...request, psuId: "ana", accountId: "current" };
      const body = sentBody(fundsConsentRead(made as FundsConsent));
      expect(JSON.parse(JSON.stringify(body))).toEqual({ ...whole, consentStatus: "received" });
    });

    it("has an answer of its status alone", async () => {
      expect(sentBody(fundsConsentStatusRead({ status: "revokedByPsu" }))).toEqual({
        consentStatus: "revokedByPsu",
      });
    });
  });
});

describe("funds confirmation", () => {
  const amount = (value: unknown, currency: unknown = "RON") => ({
    instructedAmount: { currency, amount: value },
  });
  const sound = { account: { iban: IBAN }, ...amount("100.00") };
  const asked = (body: unknown) => parse("body", fundsConfirmationRequest, body, schemaContext);
  const faults = (body: unknown) => faultsOf(() => asked(body));

  describe("a funds confirmation request", () => {
    it("has the account, the amount, and if at hand the card; the payee goes no further", () => {
      expect(asked({ ...sound, cardNumber: "1", payee: "Shop" })).toEqual({
        account: { iban: IBAN },
        amount: { currency: "RON", minorUnits: 100_00n },
        cardNumber: "1",
      });
      expect(asked(sound)).not.toHaveProperty("cardNumber");
    });

    it.each([
      ["JPY", "5000", 5_000n],
      ["BHD", "12.345", 12_345n],
    ])("is in any currency, with its fraction digits: %s %s", (currency, text, minorUnits) => {
      const { amount: read } = asked({ ...sound, ...amount(text, currency) });
      expect(read).toEqual({ currency, minorUnits });
    });

    it.each([
      ["account", { ...sound, account: undefined }],
      ["account.currency", { ...sound, account: { iban: IBAN, currency: "XXX" } }],
      ["account.pan", { ...sound, account: { iban: IBAN, pan: "1" } }],
      ["instructedAmount", { account: { iban: IBAN } }],
      ["instructedAmount.amount", { ...sound, ...amount("0") }],
      ["instructedAmount.amount", { ...sound, ...amount("1.001") }],
      ["instructedAmount.amount", { ...sound, ...amount("0.5", "JPY") }],
      ["instructedAmount.amount", { ...sound, ...amount(1) }],
      ["instructedAmount.currency", { ...sound, ...amount("1", "lei") }],
      ["instructedAmount.currency", { ...sound, instructedAmount: { amount: "1" } }],
      ["cardNumber", { ...sound, cardNumber: "1".repeat(36) }],
      ["payee", { ...sound, payee: "x".repeat(71) }],
      ["surprise", { ...sound, surprise: 1 }],
      [undefined, []],
    ])("with a fault in %s is refused: FORMAT_ERROR", (path, body) => {
      expect(faults(body)).toEqual([400, ["FORMAT_ERROR", path]]);
    });

    it("names its consent in a header", () => {
      const read = () => parse("header", fundsHeaders, new Headers(), schemaContext);
      const faults = [{ code: "FORMAT_ERROR", path: "Consent-ID" }];
      expect(thrown(read)).toMatchObject({ status: 400, faults });
    });
  });

  describe("a funds confirmation", () => {
    it("B13: is exactly yes or no", () => {
      for (const available of [true, false]) {
        const answer = fundsConfirmed(available);
        expect(answer).toMatchObject({ status: 200 });
        expect(answer.headers).toBeUndefined();
        expect(JSON.stringify(sentBody(answer))).toBe(`{"fundsAvailable":${available}}`);
      }
    });
  });
});

/** Status, code and path of each fault. */
function faultsOf(read: () => unknown) {
  const error = thrown(read);
  if (error === undefined) return [];
  const { status, faults } = error as Rejection;
  return [status, ...faults.map(({ code, path }) => [code, path])];
}
