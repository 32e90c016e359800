import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Certificate } from "@/lib/eidas/certificate";
import type { Revocation } from "@/lib/eidas/revocation/revocation";
import { startIssuer, type TestIssuer } from "@/lib/eidas/revocation/testing/issuer";
import { withOwnAuthority } from "./own-authority";
import { revoke } from "./revoked-file";

const now = new Date();
let issuer: TestIssuer;
let tpp: Certificate;
beforeEach(async () => {
  issuer = await startIssuer(now);
  tpp = await issuer.tpp();
});
afterEach(() => issuer.close());

const folder = () => join(issuer.folder, "ca");
const ask = ({ check }: Revocation, from = issuer) =>
  check({ certificate: tpp, issuer: from.certificate }, { hard: true, now });

/** Counts what is asked of other issuers. */
function elsewhere() {
  let asked = 0;
  const revocation: Revocation = {
    check: async () => {
      asked += 1;
      return "counts";
    },
  };
  return { revocation, asked: () => asked };
}

describe("what the sandbox's own CA has revoked", () => {
  it("C5: is refused at the very next call, and nobody is asked", async () => {
    const others = elsewhere();
    const own = withOwnAuthority(others.revocation, folder());
    expect(await ask(own)).toBe("counts");
    await revoke(folder(), { serialNumber: tpp.serialNumber, at: now });
    expect(await ask(own)).toBe("revoked");
    const another = await issuer.tpp();
    const asking = { certificate: another, issuer: issuer.certificate };
    const when = { hard: true, now };
    expect(await own.check(asking, when)).toBe("counts");
    await revoke(folder(), { serialNumber: another.serialNumber, at: now });
    expect(await own.check(asking, when)).toBe("revoked");
    expect(others.asked()).toBe(0);
  });

  it("does not touch its other certificates", async () => {
    const own = withOwnAuthority(elsewhere().revocation, folder());
    await revoke(folder(), { serialNumber: tpp.serialNumber + 1n, at: now });
    expect(await ask(own)).toBe("counts");
  });

  it("is the CA's by its key; of other issuers it knows nothing", async () => {
    const other = await startIssuer(now);
    const others = elsewhere();
    const own = withOwnAuthority(others.revocation, folder());
    await revoke(folder(), { serialNumber: tpp.serialNumber, at: now });
    for (const times of [1, 2]) {
      expect(await ask(own, other)).toBe("counts");
      expect(await ask(own)).toBe("revoked");
      expect(others.asked()).toBe(times);
    }
    await other.close();
  });

  it("of a sandbox that has no CA is nothing", async () => {
    await rm(folder(), { recursive: true });
    const others = elsewhere();
    const own = withOwnAuthority(others.revocation, folder());
    expect(await ask(own)).toBe("counts");
    expect(others.asked()).toBe(1);
  });

  it("ends the request when the list is unreadable, until it is mended", async () => {
    const own = withOwnAuthority(elsewhere().revocation, folder());
    await writeFile(join(folder(), "revoked"), "5a 2026-11-21\n");
    await expect(ask(own)).rejects.toThrow("list of revoked certificates is unreadable");
    await rm(join(folder(), "revoked"));
    expect(await ask(own)).toBe("counts");
  });
});
