import { verify } from "@node-rs/argon2";
import { describe, expect, it, vi } from "vitest";
import { hashPassword, passwordMatches } from "./psu-directory";

vi.mock("@node-rs/argon2", { spy: true });

describe("passwords", () => {
  it("are kept as argon2id, each time with another salt", async () => {
    const [one, other] = [await hashPassword("same"), await hashPassword("same")];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await passwordMatches("same", one)).toBe(true);
    expect(await passwordMatches("Same", one)).toBe(false);
  });

  it.each([null, undefined])(
    "P11: with the hash %s nobody's password matches, not even the decoy's",
    async (none) => {
      vi.mocked(verify).mockResolvedValueOnce(true);
      expect(await passwordMatches("anything", none)).toBe(false);
    },
  );

  it("a hash that is none is a fault and no match", async () => {
    await expect(passwordMatches("anything", "plain text")).rejects.toThrow();
  });
});
