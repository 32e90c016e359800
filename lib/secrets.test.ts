import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { oneTimeCodes } from "./core-bank/text-messages";
import { isKeyedSignature, keyedSignature } from "./psu/form-token";
import { seal, unseal } from "./psu/session";
import { readSecrets, secretIds, secretsIn } from "./secrets";
import { openCursor, sealCursor } from "./xs2a/wire/transactions";

const [former, next] = [randomBytes(32), randomBytes(32)].map((one) => one.toString("base64url"));
/** As the setting is before, between and after. */
const [before, both, after] = [String(former), `${next},${former}`, String(next)];

describe("of several secrets the first signs, and what any of them has signed stays good", () => {
  const cursor = {
    ...{ resourceId: "1", bookingStatus: "booked", dateFrom: "2026-01-01", after: "2" },
  } as Parameters<typeof sealCursor>[0];
  const content = z.object({ id: z.string() });
  const deliver = async () => true;

  it.each<
    readonly [
      string,
      (by: string) => string | Promise<string>,
      (by: string, signed: string) => unknown,
    ]
  >([
    [
      "a session's cookie",
      (by) => seal(by, "psu-session", { id: "1" }, 60),
      (by, signed) => unseal(by, "psu-session", signed, content),
    ],
    [
      "the token of a form",
      (by) => keyedSignature(by, "form"),
      (by, signed) => isKeyedSignature(by, "form", signed),
    ],
    [
      "a one-time code",
      (by) => oneTimeCodes({ secret: by, deliver }).fingerprint("123456"),
      (by, signed) => oneTimeCodes({ secret: by, deliver }).matches("123456", signed),
    ],
    ["a cursor", (by) => sealCursor(cursor, by), (by, signed) => openCursor(signed, by)],
  ])("%s", async (_what, sign, verify) => {
    const [old, current] = [await sign(before), await sign(both)];
    const isGood = async (by: string, signed: string) => Boolean(await verify(by, signed));
    expect([await isGood(both, old), await isGood(both, current)]).toEqual([true, true]);
    expect([await isGood(before, current), await isGood(after, current)]).toEqual([false, true]);
    expect(await isGood(after, old)).toBe(false);
  });
});

describe("a list of secrets", () => {
  it("is separated by commas or lines", () => {
    expect(secretsIn(`${next}, ${former}`)).toEqual([next, former]);
    expect(secretsIn(`${next}\n${former}`)).toEqual([next, former]);
  });

  it.each(["a secret of words, with a comma in it", `${randomBytes(32).toString("hex")},short`])(
    "is one secret where a part is too short to be one, as before there were lists",
    (secret) => {
      expect(secretsIn(secret)).toEqual([secret]);
    },
  );

  it("is refused where all of it is too short, and the refusal does not repeat it", () => {
    const read = () => readSecrets("CODE_SECRET", "hunter2");
    expect(read).toThrow("CODE_SECRET");
    expect(read).not.toThrow("hunter2");
  });

  it("is known by ids from which no secret is found", () => {
    expect(secretIds(both, "CODE_SECRET")).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}$/),
      expect.stringMatching(/^[0-9a-f]{8}$/),
    ]);
  });
});
