import { describe, expect, it } from "vitest";
import { faults, faultsOf, sound } from "../testing/consent-request";

describe("the other fields", () => {
  it.each([
    ["recurringIndicator", "true", "FORMAT_ERROR"],
    ["validUntil", "2027-05-20", "FORMAT_ERROR"],
    ["validUntil", "2026-11-19", "FORMAT_ERROR"],
    ["validUntil", "2026-13-01", "FORMAT_ERROR"],
    ["validUntil", 20_270_519, "FORMAT_ERROR"],
    ["frequencyPerDay", 0, "FORMAT_ERROR"],
    ["frequencyPerDay", 5, "FORMAT_ERROR"],
    ["frequencyPerDay", 1.5, "FORMAT_ERROR"],
    ["frequencyPerDay", "4", "FORMAT_ERROR"],
    ["combinedServiceIndicator", true, "SESSIONS_NOT_SUPPORTED"],
    ["combinedServiceIndicator", "false", "FORMAT_ERROR"],
    ["surprise", 1, "FORMAT_ERROR"],
  ])("%s %j is refused: %s", (name, value, code) => {
    expect(faultsOf({ [name]: value })).toEqual([[code, name]]);
  });

  it("a one-off consent has frequencyPerDay 1 and ends today", () => {
    const oneOff = { recurringIndicator: false, validUntil: "2026-11-20", frequencyPerDay: 1 };
    expect(faultsOf(oneOff)).toEqual([]);
    expect(faultsOf({ ...oneOff, frequencyPerDay: 2 })).toEqual([
      ["FORMAT_ERROR", "frequencyPerDay"],
    ]);
    expect(faultsOf({ ...oneOff, validUntil: "2026-11-21" })).toEqual([
      ["FORMAT_ERROR", "validUntil"],
    ]);
  });

  it("every fault is told in one answer, an entry each", () => {
    const body = {
      access: { accounts: [{ iban: "x" }, { bban: "y" }] },
      recurringIndicator: false,
      validUntil: "2020-01-01",
      frequencyPerDay: 4,
      combinedServiceIndicator: true,
    };
    expect(faults(body).sort()).toEqual([
      ["FORMAT_ERROR", "access.accounts[0].iban"],
      ["FORMAT_ERROR", "access.accounts[1].bban"],
      ["FORMAT_ERROR", "access.accounts[1].iban"],
      ["FORMAT_ERROR", "frequencyPerDay"],
      ["FORMAT_ERROR", "validUntil"],
      ["SESSIONS_NOT_SUPPORTED", "combinedServiceIndicator"],
    ]);
  });

  it("every field is required, and a body too", () => {
    expect(
      faults({})
        .map(([, path]) => path)
        .sort(),
    ).toEqual(Object.keys(sound).sort());
    expect(faults(undefined)).toEqual([["FORMAT_ERROR", undefined]]);
    expect(faults([])).toEqual([["FORMAT_ERROR", undefined]]);
  });
});
