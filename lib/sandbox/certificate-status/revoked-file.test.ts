import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { revoke, revokedIn } from "./revoked-file";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "drawbridge-revoked-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const first = new Date("2026-11-21T10:00:00.000Z");
const later = new Date("2026-11-22T10:00:00.000Z");

describe("the file of what the sandbox CA has revoked", () => {
  it("is nothing as long as there is none", async () => {
    expect(await revokedIn(directory)).toEqual([]);
  });

  it("holds a certificate once, as of the first time, however often it is revoked", async () => {
    await revoke(directory, { serialNumber: 7n, at: first });
    await revoke(directory, { serialNumber: (1n << 159n) - 1n, at: first });
    await revoke(directory, { serialNumber: 7n, at: later });
    const found = await revokedIn(directory);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ serialNumber: 7n, at: first });
    expect(found).toContainEqual({ serialNumber: (1n << 159n) - 1n, at: first });
  });

  it("loses nothing of processes that write at once", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => BigInt(index + 1));
    await Promise.all(
      numbers.map((serialNumber) => revoke(directory, { serialNumber, at: first })),
    );
    const found = await revokedIn(directory);
    expect(new Set(found.map(({ serialNumber }) => serialNumber))).toEqual(new Set(numbers));
  });
});
