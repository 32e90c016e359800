import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { naming } from "./testing/issuer";
import { LIST, nothing, OCSP, startStubs } from "./testing/stub-places";

const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
let stubs: Awaited<ReturnType<typeof startStubs>>;
beforeAll(async () => {
  stubs = await startStubs(now);
});
afterAll(() => stubs.issuer.close());

describe("C5: what an issuer says, and what nobody says", () => {
  it.each([
    ["hard", "payments", "good", "counts"],
    ["hard", "payments", "revoked", "revoked"],
    ["hard", "payments", "unknown", "untold"],
    ["hard", "accounts", "good", "counts"],
    ["hard", "accounts", "revoked", "revoked"],
    ["hard", "accounts", "unknown", "untold"],
    ["soft", "payments", "good", "counts"],
    ["soft", "payments", "revoked", "revoked"],
    ["soft", "payments", "unknown", "untold"],
    ["soft", "accounts", "good", "counts"],
    ["soft", "accounts", "revoked", "revoked"],
    ["soft", "accounts", "unknown", "counts"],
    ["off", "payments", "good", "counts"],
    ["off", "payments", "revoked", "counts"],
    ["off", "payments", "unknown", "counts"],
  ] as const)("REVOCATION=%s, %s, %s", async (mode, use, status, expected) => {
    const bank = stubs.house(mode);
    const said = {
      good: stubs.goodOf(stubs.tpp, now),
      revoked: stubs.revokedOf(stubs.tpp),
      unknown: nothing,
    };
    bank.answers[OCSP] = said[status];
    expect(await bank.told(stubs.tpp, now, use === "payments")).toBe(expected);
    expect(bank.asked.length > 0).toBe(mode !== "off");
  });

  it.each([
    ["nothing of it", [], "untold"],
    ["that it is revoked", [1], "revoked"],
  ] as const)("a responder does not know it, and the list says %s", async (_, named, expected) => {
    const bank = stubs.house("hard");
    bank.answers[OCSP] = stubs.unknownOf(stubs.tpp);
    bank.answers[LIST] = stubs.listOf(now, ...named.map(() => stubs.tpp.serialNumber));
    expect(await bank.told(stubs.tpp)).toBe(expected);
  });

  it("a certificate that names no place counts only where an unknown one does, and is logged", async () => {
    const silent = naming(stubs.tpp, {});
    const soft = stubs.house("soft");
    expect(await stubs.house("hard").told(silent)).toBe("untold");
    expect(await soft.told(silent, now, true)).toBe("untold");
    expect(await soft.told(silent)).toBe("counts");
    const serialNumber = stubs.tpp.serialNumber.toString(16);
    const reason = "the certificate names no place that tells";
    expect(soft.faults).toEqual([{ serialNumber, reason }]);
  });
});
