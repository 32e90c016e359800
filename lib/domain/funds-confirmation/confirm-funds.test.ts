import { describe, expect, it } from "vitest";
import type { Currency } from "../money";
import {
  euros,
  holding,
  lei,
  openedForFunds as opened,
  refusedWith as refused,
} from "../testing/asking-for-funds";
import { current, EUR } from "../testing/samples";

describe("the answer", () => {
  it.each([
    [99_99n, true],
    [100_00n, true],
    [100_01n, false],
  ])("of %s minor units with 10000 available is %s", async (minorUnits, answer) => {
    const { ask } = await opened();
    expect(await ask({ amount: lei(minorUnits) })).toBe(answer);
  });

  it("is no where less than nothing is available", async () => {
    const { ask } = await opened({}, holding(lei(-1n)));
    expect(await ask({ amount: lei(1n) })).toBe(false);
  });

  it.each(["blocked", "deleted"] as const)("of a %s account is no", async (status) => {
    const { ask } = await opened({}, { ...holding(lei(100_00n)), status });
    expect(await ask()).toBe(false);
  });

  it("of an account that is gone is no", async () => {
    const { bank, ask } = await opened();
    bank.availableFunds = undefined;
    expect(await ask()).toBe(false);
    expect(await ask({ account: { iban: current.iban, currency: EUR } })).toBe(false);
  });

  it.each([
    // 1 EUR is 5.09 RON.
    [euros(19_64n), true],
    [euros(19_65n), false],
  ])(
    "in another currency than the account's is by the bank's indicative rate: %o, %s",
    async (amount, answer) => {
      const { ask } = await opened();
      expect(await ask({ amount })).toBe(answer);
    },
  );

  it("in a currency without a rate is refused: FORMAT_ERROR; the account's own needs none", async () => {
    const yen = (minorUnits: bigint) => ({ currency: "JPY" as Currency, minorUnits });
    const { ask, bank } = await opened();
    const fault = refused(400, "FORMAT_ERROR", "instructedAmount.currency");
    await expect(ask({ amount: yen(1n) })).rejects.toMatchObject(fault);
    bank.availableFunds = holding(yen(100n));
    expect(await ask({ amount: yen(100n) })).toBe(true);
    await expect(ask({ amount: lei(1n) })).rejects.toMatchObject(fault);
  });
});
