import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import { oneTimeCodes } from "./one-time-codes";

const deliver = async () => true;
const secret = "a secret of at least thirty-two characters";
const codes = oneTimeCodes({ secret, deliver });

describe("one-time codes", () => {
  it("a code has exactly the digits asked for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (digits) => {
        expect(codes.create(digits)).toMatch(new RegExp(`^[0-9]{${digits}}$`));
      }),
    );
  });

  it("every digit comes at every place, zero at the first one too", () => {
    const made = Array.from({ length: 3_000 }, () => codes.create(6));
    for (const place of [0, 1, 2, 3, 4, 5]) {
      expect(new Set(made.map((code) => code[place])).size).toBe(10);
    }
    expect(new Set(made).size).toBeGreaterThan(2_900);
  });

  it("the fingerprint is an HMAC-SHA-256 (RFC 4231, test case 2)", () => {
    const keyed = oneTimeCodes({ secret: "Jefe", deliver });
    const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    const fingerprint = keyed.fingerprint("what do ya want for nothing?");
    expect(Buffer.from(fingerprint, "base64url").toString("hex")).toBe(expected);
  });

  it("without the bank's key the fingerprint of a code cannot be made", () => {
    const other = oneTimeCodes({ secret: `${secret}!`, deliver });
    expect(other.fingerprint("123456")).not.toBe(codes.fingerprint("123456"));
  });

  it("texts are equal when they are the same, and in no other case", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(codes.equal(one, one)).toBe(true);
        expect(codes.equal(one, other)).toBe(one === other);
        expect(codes.equal(one, `${one}0`)).toBe(false);
      }),
    );
  });

  it.each([true, false])("the sender's %s is handed on", async (handedOver) => {
    const message = {
      psuId: "6f0c2f5e-3a52-4b41-9d2f-0b7c1f6c2f11" as string as PsuId,
      text: "123456 is your code",
      code: "123456",
      sentAt: new Date(0),
    };
    const seen: unknown[] = [];
    const sender = oneTimeCodes({
      secret,
      deliver: async (given) => {
        seen.push(given);
        return handedOver;
      },
    });
    expect(await sender.send(message)).toBe(handedOver);
    expect(seen).toEqual([message]);
  });
});
