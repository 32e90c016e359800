import { describe, expect, it } from "vitest";
import { instant, readDer, text } from "./asn1";

const value = (hex: string) => readDer(Buffer.from(hex.replaceAll(" ", ""), "hex"));
const time = (tag: number, written: string) =>
  readDer(Buffer.concat([Buffer.of(tag, written.length), Buffer.from(written)]));

describe("a text", () => {
  it.each([
    ["UTF8String", "0c03 c89b41", "țA"],
    ["PrintableString", "1302 5243", "RC"],
    ["TeletexString, read as Latin 1", "1402 e941", "éA"],
    ["IA5String", "1602 6140", "a@"],
    ["BMPString", "1e04 021b0041", "țA"],
    ["UTF8String with a byte order mark, which stays", "0c04 efbbbf41", "\uFEFFA"],
  ])("may be a %s", (_type, hex, expected) => {
    expect(text(value(hex))).toBe(expected);
  });

  it.each([
    ["UTF8String that is not UTF-8", "0c02 c341"],
    ["PrintableString beyond ASCII", "1301 e9"],
    ["UniversalString", "1c04 00000041"],
    ["number", "0201 41"],
  ])("is no %s", (_type, hex) => {
    expect(() => text(value(hex))).toThrow("certificate is unreadable");
  });
});

describe("a time", () => {
  it.each([
    [0x17, "490101000000Z", "2049-01-01T00:00:00.000Z"],
    [0x17, "500101000000Z", "1950-01-01T00:00:00.000Z"],
    [0x18, "20510630235959Z", "2051-06-30T23:59:59.000Z"],
    [0x18, "99991231235959Z", "9999-12-31T23:59:59.000Z"],
  ])("of tag %i, written %s", (tag, written, iso) => {
    expect(instant(time(tag, written)).toISOString()).toBe(iso);
  });

  it.each([
    [0x17, "2701010000Z"],
    [0x17, "270101000000+0200"],
    [0x17, "271301000000Z"],
    [0x17, "270101240000Z"],
    [0x18, "20270101000000.5Z"],
    [0x18, "20270101000000"],
  ])(
    "is refused in a form of tag %i that another reader could read otherwise: %s",
    (tag, written) => {
      expect(() => instant(time(tag, written))).toThrow();
    },
  );
});
