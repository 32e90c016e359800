import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import { convert, hasRate, isProduct, termsOf } from "./bank-profile";
import type { Currency, Money } from "./values";

const currencies = Object.keys(aspspProfile.ratesPerEuro) as Currency[];
const currency = fc.constantFrom(...currencies);
const minorUnits = fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n });
const of = (minor: bigint, name: string): Money => ({
  currency: name as Currency,
  minorUnits: minor,
});
const inTerms = (money: Money, to: string) => convert(money, to as Currency, aspspProfile);

describe("an amount in another currency", () => {
  it.each<readonly [bigint, string, string, bigint]>([
    [1_250n, "EUR", "RON", 6_363n],
    [6_363n, "RON", "EUR", 1_250n],
    [100n, "EUR", "HUF", 38_500n],
    [1_000n, "USD", "GBP", 759n],
    [0n, "EUR", "RON", 0n],
  ])("%s of %s in %s is %s", (minor, from, to, converted) => {
    expect(inTerms(of(minor, from), to)).toEqual(of(converted, to));
  });

  it("is rounded to the minor unit, half away from zero", () => {
    // 5.09 for one: 50 are 254.5.
    expect(inTerms(of(50n, "EUR"), "RON").minorUnits).toBe(255n);
    expect(inTerms(of(-50n, "EUR"), "RON").minorUnits).toBe(-255n);
    expect(inTerms(of(49n, "EUR"), "RON").minorUnits).toBe(249n);
    expect(inTerms(of(-49n, "EUR"), "RON").minorUnits).toBe(-249n);
  });

  it("stays what it is in its own currency", () => {
    const property = fc.property(minorUnits, currency, (minor, own) => {
      expect(convert(of(minor, own), own, aspspProfile)).toEqual(of(minor, own));
    });
    fc.assert(property);
  });

  it("is never off by more than half a minor unit, unless the smallest is worth less", () => {
    const property = fc.property(minorUnits, currency, currency, (minor, from, to) => {
      const { minorUnits: converted } = convert(of(minor, from), to, aspspProfile);
      const rates: Readonly<Record<string, bigint>> = aspspProfile.ratesPerEuro;
      const [one, other] = [rates[from] ?? 0n, rates[to] ?? 0n];
      const off = 2n * (converted * one - minor * other);
      const within = off <= one && -off <= one;
      expect(within || converted === 1n || converted === -1n).toBe(true);
    });
    fc.assert(property);
  });

  it("is nothing only when there was nothing, and never changes its sign", () => {
    expect(inTerms(of(1n, "HUF"), "RON")).toEqual(of(1n, "RON"));
    expect(inTerms(of(-1n, "HUF"), "RON")).toEqual(of(-1n, "RON"));
    const property = fc.property(minorUnits, currency, currency, (minor, from, to) => {
      const { minorUnits: converted } = convert(of(minor, from), to, aspspProfile);
      expect([converted > 0n, converted < 0n]).toEqual([minor > 0n, minor < 0n]);
    });
    fc.assert(property);
  });

  it("needs a rate of both currencies", () => {
    for (const name of ["JPY", "toString", "eur", ""]) {
      expect(hasRate(name as Currency, aspspProfile)).toBe(false);
      expect(() => inTerms(of(1n, "EUR"), name)).toThrow(`there is no rate for ${name}`);
      expect(() => inTerms(of(1n, name), "EUR")).toThrow(`there is no rate for ${name}`);
    }
    expect(currencies.every((name) => hasRate(name, aspspProfile))).toBe(true);
  });
});

it("there is a rate for every currency of every product", () => {
  const products = Object.values(aspspProfile.payments.products);
  const offered = products.flatMap(({ currencies: names, limit, fee }) => [
    ...names,
    limit.currency,
    fee.currency,
  ]);
  expect(offered.filter((name) => !hasRate(name as Currency, aspspProfile))).toEqual([]);
});

it("a product that is switched off is no product, and its payments go on by its terms", () => {
  const name = "target-2-payments";
  const { products } = aspspProfile.payments;
  const payments = {
    ...aspspProfile.payments,
    products: { ...products, [name]: { ...products[name], offered: false } },
  };
  const without = { ...aspspProfile, payments };
  expect(isProduct(aspspProfile, name)).toBe(true);
  expect(isProduct(without, name)).toBe(false);
  expect(termsOf(without, name).fee).toEqual(products[name].fee);
});
