import { describe, expect, it } from "vitest";
import type { Balance } from "@/lib/domain/account-access/bank-account";
import type { IsoDate } from "@/lib/domain/iso-date";
import { now, RON } from "@/lib/domain/testing/samples";
import { balanceSent, toBalance } from "./balance";

const amount = { currency: RON, minorUnits: -1_205n };
const referenceDate = "2026-11-19" as IsoDate;
const sent = (balance: Balance) => balanceSent.parse(toBalance(balance));
const balanceAmount = { currency: "RON", amount: "-12.05" };

describe("balance types that may appear", () => {
  it.each(["closingBooked", "forwardAvailable"] as const)("%s, with its day", (type) => {
    expect(sent({ type, amount, referenceDate })).toEqual({
      balanceType: type,
      balanceAmount,
      referenceDate: "2026-11-19",
    });
  });

  it("expected, with the last change", () => {
    const expected = { balanceType: "expected", balanceAmount };
    expect(sent({ type: "expected", amount })).toEqual(expected);
    expect(sent({ type: "expected", amount, lastChangeAt: now })).toEqual({
      ...expected,
      lastChangeDateTime: "2026-11-20T10:00:00.000Z",
    });
  });

  it.each(["openingBooked", "interimAvailable", "interimBooked", "nonInvoiced"])(
    "not provided: %s",
    (balanceType) => {
      for (const more of [{}, { referenceDate }, { lastChangeDateTime: now.toISOString() }]) {
        expect(balanceSent.safeParse({ balanceType, balanceAmount, ...more }).success).toBe(false);
      }
    },
  );
});
