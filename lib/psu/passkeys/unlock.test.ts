import { describe, expect, it } from "vitest";
import { authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { passkeysView } from "../own-channel/passkeys-view";
import { browser } from "../testing/browser";
import { desk } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";
import { asBrowsersWrite } from "../testing/with-passkey";

/** ana, who has a passkey, and a stranger who has just blocked her user ID. */
async function blocked() {
  const ours = await desk();
  const { device } = await enrolled(ours.house, ana);
  const stranger = ownBrowser(ours);
  const strike = async (userId = "ana") => {
    for (let tries = 0; tries < 5; tries += 1) await stranger.typePassword(userId, "wrong");
  };
  await strike();
  const psu = ownBrowser(ours);
  const ask = async (userId = "ana") => {
    await psu.typePassword(userId, `${userId}-sandbox`);
    const view = await psu.look();
    if (view.page === "code" || view.page === "onward" || view.unlock === undefined) {
      throw new Error(`no way to unlock at ${view.page}`);
    }
    const { token, challengeToken } = view.unlock;
    const answer = await psu.send("unlock-challenge", {}, { token: challengeToken });
    return { token, ...(await answer.json()) };
  };
  const unlock = async (by = device, said = {}) => {
    const { token, sealed, options } = await ask();
    const assertion = asBrowsersWrite(by.use(options.challenge, said));
    await psu.send("unlock", { assertion, sealed }, { token });
    return psu.look();
  };
  return { ours, device, stranger, strike, psu, ask, unlock };
}

describe("a passkey unlocks", () => {
  it("P5: its owner's sign-in while a stranger goes on blocking the user ID, and lifts the block", async () => {
    const { psu, strike, stranger, unlock, ours } = await blocked();
    expect(await unlock()).toMatchObject({ outcome: { outcome: "unlocked" }, unlock: undefined });
    await strike();
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "code" });
    await strike();
    await psu.send("new-code");
    await psu.look();
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    await stranger.typePassword();
    expect(await stranger.look()).toMatchObject({ page: "code" });
    expect(ours.bank.toldOfBlock).toEqual([["ana", "blocked"]]);
  });

  it("P5: a request of a TPP as well, in the same browser", async () => {
    const { ours, psu, unlock } = await blocked();
    await unlock();
    const atTpp = browser(ours);
    const pass = psu.jar.cookies.get("drawbridge-unlocked");
    if (pass === undefined) throw new Error("no pass");
    atTpp.jar.cookies.set("drawbridge-unlocked", pass);
    expect(await atTpp.signIn()).toMatchObject({ page: "accounts" });
  });

  it("P5: what ten wrong codes have blocked for good", async () => {
    const { ours, psu, unlock } = await blocked();
    for (const [key, row] of ours.bank.psuFailures) {
      ours.bank.psuFailures.set(key, { ...row, failures: 0, secondFailures: 10 });
    }
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-credentials" } });
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked-for-good" } });
    await unlock();
    await psu.typePassword();
    await psu.look();
    await psu.send("new-code");
    await psu.look();
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    expect(ours.bank.psuFailures.size).toBe(0);
  });

  it("RTS 9: by itself signs in nobody, and for nobody else's user ID counts anything", async () => {
    const { psu, strike, unlock } = await blocked();
    await unlock();
    expect(await psu.inside(passkeysView)).toEqual({ page: "to-sign-in" });
    await strike("mihai");
    await psu.typePassword("mihai", "mihai-sandbox");
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("RTS 4(3)(b): for five wrong passwords of its own, and no longer than 15 minutes", async () => {
    const { ours, psu, strike, unlock } = await blocked();
    await unlock();
    for (const attemptsLeft of [4, 3, 2, 1]) {
      await psu.typePassword("ana", "wrong");
      expect(await psu.look()).toMatchObject({ outcome: { attemptsLeft } });
    }
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
    await unlock();
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
    ours.wait(15);
    await strike();
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("P11: is offered for a user ID that nobody has in the same words, and names no credential", async () => {
    const { psu, ask, strike } = await blocked();
    const known = await ask();
    await strike("nobody");
    const unknown = await ask("nobody");
    expect(Object.keys(known.options)).toEqual(Object.keys(unknown.options));
    for (const { options } of [known, unknown]) expect(options.allowCredentials).toEqual([]);
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked", userId: "nobody" } });
  });

  it.each([
    ["of a device that the bank does not know", authenticator(), {}],
    ["without the device having made sure of its user", undefined, { userVerified: false }],
    ["at another web address", undefined, { origin: "https://evil.example" }],
  ])("P5: no signature %s", async (_what, by, said) => {
    const { ours, psu, unlock } = await blocked();
    const before = [...ours.bank.psuFailures.values()];
    expect(await unlock(by, said)).toMatchObject({ outcome: { outcome: "not-unlocked" } });
    expect([...ours.bank.psuFailures.values()]).toEqual(before);
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("P6: a signature for a sign-in or a payment unlocks nothing, and one challenge is no other's", async () => {
    const { psu, device, ask } = await blocked();
    const [first, second] = [await ask(), await ask()];
    for (const challenge of [first.options.challenge, "c2lnbi1pbg"]) {
      const assertion = asBrowsersWrite(device.use(challenge));
      await psu.send("unlock", { assertion, sealed: second.sealed }, { token: second.token });
      expect(await psu.look()).toMatchObject({ outcome: { outcome: "not-unlocked" } });
    }
  });
});
