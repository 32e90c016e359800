import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { expect, it, vi } from "vitest";
import { oneTimeCodes } from "./core-bank/text-messages";
import { isKeyedSignature, keyedSignature } from "./psu/form-token";
import { fromProxy } from "./server/client-certificate";
import { checkDigest } from "./xs2a/signature";
import { openCursor, sealCursor } from "./xs2a/wire/transactions";

vi.mock("node:crypto", { spy: true });

const secret = "a secret of at least thirty-two characters";

/** As nginx passes a TPP's request on, with this in the place of the secret. */
function proxied(given: string): IncomingMessage {
  const rawHeaders = ["X-Proxy-Secret", given, "Client-Cert", ":AAAA:"];
  return { rawHeaders, socket: { remoteAddress: "127.0.0.1" } } as unknown as IncomingMessage;
}

const codes = oneTimeCodes({ secret, deliver: async () => true });
const cursor = sealCursor(
  {
    resourceId: "1",
    bookingStatus: "booked",
    dateFrom: "2026-11-01",
    dateTo: "2026-11-20",
    after: "2",
  },
  secret,
);
const spoilt = `${cursor.startsWith("A") ? "B" : "A"}${cursor.slice(1)}`;
const body = Buffer.from("{}");
const digest = (of: string) => `SHA-256=${createHash("sha256").update(of).digest("base64")}`;

it.each([
  ["the secret of a proxy", () => fromProxy(["127.0.0.1"], secret)(proxied(secret))],
  ["what is no secret of a proxy", () => fromProxy(["127.0.0.1"], secret)(proxied("a"))],
  ["the fingerprint of a one-time code", () => codes.matches("1", codes.fingerprint("1"))],
  ["that of another, and of another length", () => codes.matches("1", "22")],
  ["the seal of a cursor", () => expect(openCursor(cursor, secret)).toMatchObject({ after: "2" })],
  ["a seal that differs in its first byte", () => openCursor(spoilt, secret)],
  ["the digest of a body", () => checkDigest(digest("{}"), body)],
  ["the digest of another", () => expect(() => checkDigest(digest("{]"), body)).toThrow()],
])("X9: %s is compared in constant time", (_what, compare) => {
  vi.mocked(timingSafeEqual).mockClear();
  compare();
  const [[one, other] = []] = vi.mocked(timingSafeEqual).mock.calls;
  expect(timingSafeEqual).toHaveBeenCalledOnce();
  expect(one?.byteLength).toBe(other?.byteLength);
});

it.each([
  ["as it was signed", (signature: string) => signature],
  ["with another beginning", (signature: string) => `A${signature.slice(1)}`],
])("X9: the token of a form, %s, is compared in constant time", async (_what, sent) => {
  const verify = vi.spyOn(crypto.subtle, "verify");
  const signature = await keyedSignature(secret, "psu-form");
  await isKeyedSignature(secret, "psu-form", sent(signature));
  expect(verify).toHaveBeenCalledOnce();
  verify.mockRestore();
});
