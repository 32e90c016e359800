import { expect, it } from "vitest";
import { truncated } from "./certificate-fault";

it.each([
  ["as it stands", "Bancă & Țară", "Bancă & Țară"],
  ["without line breaks and other controls", "a\r\nb\u0000c\u0085d\u007f", "a??b?c?d?"],
  ["without marks that turn the writing round", "a\u202Eb\u2028c", "a?b?c"],
  ["cut", "x".repeat(61), `${"x".repeat(60)}…`],
  ["without half a letter where it is cut", `${"x".repeat(59)}😀`, `${"x".repeat(59)}?…`],
])("a caller's value is truncated %s", (_how, value, text) => {
  expect(truncated(value)).toBe(text);
});
