import { isValidIBAN } from "ibantools";
import { expect, it } from "vitest";
import { ibanOfBank } from "./own-iban";

it.each([
  ["RO", "DRWB", /^RO\d\dDRWB0001000000000101$/],
  ["DE", "37040044", /^DE\d\d370400440001000101$/],
  ["NL", "ABNA", /^NL\d\dABNA0001000101$/],
])("an account of %s has the length of its country", (country, bankCode, form) => {
  const iban = ibanOfBank({ country, bankCode }, "0001", 101);
  expect(iban).toMatch(form);
  expect(isValidIBAN(iban)).toBe(true);
  const cut = ibanOfBank({ country, bankCode }, "9999", 123_456_789_012);
  expect(isValidIBAN(cut)).toBe(true);
});

it.each([
  ["RO", "37040044"],
  ["DE", "COBA"],
  ["XX", "DRWB"],
])("where %s has no IBANs with %s, it says so", (country, bankCode) => {
  expect(() => ibanOfBank({ country, bankCode }, "0001", 101)).toThrow(
    `bank profile: with the country ${country} and the bankCode ${bankCode} the sandbox can make no IBANs`,
  );
});
