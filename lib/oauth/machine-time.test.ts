import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endByMachineTime } from "./adapter";

const MACHINE = new Date("2026-11-20T10:00:00.700Z");
const seconds = Math.floor(MACHINE.getTime() / 1_000);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: MACHINE });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("an expiry as it is passed to the library", () => {
  it.each([
    ["the machine's own", MACHINE],
    ["a year ahead", new Date("2027-11-20T10:00:00.700Z")],
    ["a year back", new Date("2025-11-20T10:00:00.700Z")],
  ])("is as far away as it is by the bank's clock, be that %s", async (_which, now) => {
    expect(await endByMachineTime(new Date(now.getTime() + 60_000), now)).toBe(seconds + 60);
  });

  it("has not come as long as a millisecond is left", async () => {
    const left = await endByMachineTime(new Date(MACHINE.getTime() + 1), MACHINE);
    expect(left).toBeGreaterThan(seconds);
  });
});
