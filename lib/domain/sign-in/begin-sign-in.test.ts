import { expect, it, vi } from "vitest";
import { inMemoryBank } from "../testing/in-memory-bank";
import { now } from "../testing/samples";
import { beginSignIn } from "./begin-sign-in";
import type { SessionHash } from "./sign-in-store";

const session = "aaaaaaa1" as SessionHash;

it("X14: once a user ID is blocked no password is judged for it, which would cost the bank a hash", async () => {
  const { ports } = inMemoryBank();
  const begin = (userId: string, password: string) =>
    beginSignIn(ports, { userId, password, session, now });
  for (let tries = 0; tries < 5; tries += 1) await begin("ana", "no");
  const verify = vi.spyOn(ports.psuDirectory, "verifyPassword");
  for (let tries = 0; tries < 20; tries += 1) {
    expect(await begin("ana", "ana-sandbox")).toEqual({ outcome: "blocked" });
  }
  expect(verify).not.toHaveBeenCalled();
  expect(await begin("mihai", "mihai-sandbox")).toMatchObject({ outcome: "password-right" });
  expect(verify).toHaveBeenCalledOnce();
});
