import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeUtf8 } from "./http";

it.each([
  ["short", 1],
  ["long", 2_048],
])("a %s text is encoded in UTF-8", (_what, times) => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 100 }), (part) => {
      const text = part.repeat(times);
      expect(Buffer.from(encodeUtf8(text)).equals(Buffer.from(text))).toBe(true);
    }),
  );
});

it.each([
  ["one half of a pair", "\ud800"],
  ["one half of a pair in a long text", `${"a".repeat(4_096)}\ud800`],
  ["the longest that is written as it is", "ă".repeat(2_047)],
  ["the shortest that is not", "ă".repeat(2_048)],
  ["nothing", ""],
  ["the longest that is made in one go", "€".repeat(256 * 1024)],
  ["a longer one", "€".repeat(256 * 1024 + 1)],
])("and so are %s", (_what, text) => {
  expect(Buffer.from(encodeUtf8(text)).equals(Buffer.from(text))).toBe(true);
});

it.each([1, 1_000])("an encoded text is not changed by the next one", (times) => {
  const first = encodeUtf8("first".repeat(times));
  encodeUtf8("other".repeat(times));
  expect(new TextDecoder().decode(first)).toBe("first".repeat(times));
});
