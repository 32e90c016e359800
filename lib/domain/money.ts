import type { Branded } from "./identifiers";

/** ISO 4217 code, three capital letters. */
export type Currency = Branded<"Currency">;

/** Money is never a float: minor units as a BigInt, two fraction digits in every currency of this bank. */
export type Money = { readonly currency: Currency; readonly minorUnits: bigint };

export const FRACTION_DIGITS = 2;
const SCALE = 100n;
const AMOUNT = /^-?\d{1,14}(?:\.\d{1,2})?$/;

/** `12.5` in minor units, or undefined when the text is not an exact amount of this scale. */
export function parseAmount(text: string): bigint | undefined {
  if (!AMOUNT.test(text)) return undefined;
  const negative = text.startsWith("-");
  const [whole, fraction] = text.replace("-", "").split(".");
  const minor =
    BigInt(whole as string) * SCALE + BigInt((fraction ?? "0").padEnd(FRACTION_DIGITS, "0"));
  return negative ? -minor : minor;
}

/** Dot as separator, always two fraction digits: the form of the standard's `amount`. */
export function formatAmount(minorUnits: bigint): string {
  const digits = (minorUnits < 0n ? -minorUnits : minorUnits)
    .toString()
    .padStart(FRACTION_DIGITS + 1, "0");
  const sign = minorUnits < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`;
}
