import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rejection } from "@/lib/domain/rejection";
import { parse } from "../parse";
import { sentBody } from "../testing/answer";
import { circumstances, IBAN } from "../testing/consent-request";
import { fundsConfirmationRequest, fundsConfirmed, fundsHeaders } from "./funds-confirmation";

const amount = (value: unknown, currency: unknown = "RON") => ({
  instructedAmount: { currency, amount: value },
});
const sound = { account: { iban: IBAN }, ...amount("100.00") };
const asked = (body: unknown) => parse("body", fundsConfirmationRequest, body, circumstances);
const faults = (body: unknown) => {
  try {
    asked(body);
  } catch (error) {
    const { status, faults: found } = error as Rejection;
    return [status, ...found.map(({ code, path }) => [code, path])];
  }
  return [];
};

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
    ["account", { ...sound, account: undefined }],
    ["account.currency", { ...sound, account: { iban: IBAN, currency: "XXX" } }],
    ["account.pan", { ...sound, account: { iban: IBAN, pan: "1" } }],
    ["instructedAmount", { account: { iban: IBAN } }],
    ["instructedAmount.currency", { ...sound, ...amount("1", "lei") }],
    ["instructedAmount.currency", { ...sound, instructedAmount: { amount: "1" } }],
    ["cardNumber", { ...sound, cardNumber: "1".repeat(36) }],
    ["payee", { ...sound, payee: "x".repeat(71) }],
    ["surprise", { ...sound, surprise: 1 }],
    [undefined, []],
  ])("with a fault in %s is refused: FORMAT_ERROR", (path, body) => {
    expect(faults(body)).toEqual([400, ["FORMAT_ERROR", path]]);
  });

  it.each(["0", "0.00", "-1", "1e3", "1.001", "1,00", "NaN", "٣", "123456789012345", "", 1, null])(
    "B10: of %j is refused: FORMAT_ERROR",
    (value) => {
      expect(faults({ ...sound, ...amount(value) })).toEqual([
        400,
        ["FORMAT_ERROR", "instructedAmount.amount"],
      ]);
    },
  );

  it("names its consent in a header", () => {
    const headers = () => parse("header", fundsHeaders, new Headers(), circumstances);
    expect(headers).toThrow(expect.objectContaining({ status: 400 }));
    try {
      headers();
    } catch (error) {
      const [fault] = (error as Rejection).faults;
      expect(fault).toMatchObject({ code: "FORMAT_ERROR", path: "Consent-ID" });
    }
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

  it("B10: reads any amount to the last minor unit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 16n - 1n }), (minorUnits) => {
        const digits = minorUnits.toString().padStart(3, "0");
        const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
        expect(asked({ ...sound, ...amount(text) }).amount.minorUnits).toBe(minorUnits);
      }),
    );
  });
});
