/** ISO 4217: 2 of RON, 0 of JPY, 3 of BHD. */
export function fractionDigitsOf(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const found = format.resolvedOptions().maximumFractionDigits ?? 2;
  digits.set(currency, found);
  return found;
}

const digits = new Map<string, number>();
