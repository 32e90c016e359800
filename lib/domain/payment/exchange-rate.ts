import type { AspspProfile } from "../aspsp-profile";
import type { Currency, Money } from "../money";

/**
 * The amount in another currency at the bank's indicative rate, rounded to the minor unit, half away
 * from zero; what is more than nothing stays more than nothing. Every currency here has two fraction
 * digits. Throws on a currency without a rate.
 */
export function convert(
  { currency, minorUnits }: Money,
  to: Currency,
  profile: AspspProfile,
): Money {
  if (currency === to) return { currency, minorUnits };
  const product = minorUnits * rateOf(profile, to);
  const rate = rateOf(profile, currency);
  const half = product < 0n ? -rate / 2n : rate / 2n;
  const rounded = (product + half) / rate;
  return { currency: to, minorUnits: rounded === 0n ? signOf(minorUnits) : rounded };
}

export function hasRate(currency: Currency, { ratesPerEuro }: AspspProfile): boolean {
  return Object.hasOwn(ratesPerEuro, currency);
}

function signOf(minorUnits: bigint): bigint {
  if (minorUnits === 0n) return 0n;
  return minorUnits < 0n ? -1n : 1n;
}

function rateOf({ ratesPerEuro }: AspspProfile, currency: Currency): bigint {
  const rates: Readonly<Record<string, bigint>> = ratesPerEuro;
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  if (rate === undefined) throw new Error(`there is no rate for ${currency}`);
  return rate;
}
