import { describe, expect, it } from "vitest";
import { sha256 } from "@/lib/domain/sha256";
import { authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { passkeysView } from "../own-channel/passkeys-view";
import { there } from "../testing/at-summary";
import { desk } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";
import { asBrowsersWrite } from "../testing/with-passkey";

describe("a passkey at the sign-in to the bank's own channel", () => {
  async function atSignIn() {
    const ours = await desk();
    const { device, passkey } = await enrolled(ours.house, ana);
    const psu = ownBrowser(ours);
    await psu.typePassword();
    const tokens = async () => {
      const view = await psu.look();
      if (view.page !== "code" || view.passkey === undefined) throw new Error(view.page);
      return view.passkey;
    };
    const challenge = async (): Promise<string> => {
      const token = (await tokens()).challengeToken;
      const { options } = await (await psu.send("passkey-challenge", {}, { token })).json();
      return options.challenge;
    };
    const use = async (by = device, said = {}) => {
      const assertion = asBrowsersWrite(by.use(await challenge(), said));
      return psu.send("passkey", { to: "/passkeys", assertion }, await sent());
    };
    const sent = async () => ({ token: (await tokens()).token });
    return { ours, psu, device, passkey, challenge, use, sent };
  }

  it("is the second element; no code is sent until it is asked for", async () => {
    const { ours, psu, use } = await atSignIn();
    expect(ours.bank.texts).toEqual([]);
    expect(there(await use())).toBe("/passkeys");
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    expect(ours.bank.psuFailures.size).toBe(0);
  });

  it("and the code is, for whoever asks for it", async () => {
    const { ours, psu } = await atSignIn();
    expect(await psu.look()).toMatchObject({ sentAt: undefined });
    await psu.send("new-code");
    expect(await psu.look()).toMatchObject({ outcome: undefined });
    expect(ours.bank.texts).toHaveLength(1);
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
  });

  it("P5: a wrong one counts like a wrong code, and the fifth blocks", async () => {
    const { psu, use } = await atSignIn();
    await use(authenticator());
    expect(await psu.look()).toMatchObject({
      outcome: { outcome: "wrong-passkey", attemptsLeft: 4 },
    });
    for (let tries = 0; tries < 4; tries += 1) await use(undefined, { userVerified: false });
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("what can be no signature takes no attempt", async () => {
    const { ours, psu, sent } = await atSignIn();
    await psu.send("passkey", { assertion: "{}" }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-missing" } });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 0 }]);
  });

  it("P6: signs one sign-in, and nothing else: neither another one nor, again, the same", async () => {
    const one = await atSignIn();
    const other = await atSignIn();
    const signed = asBrowsersWrite(one.device.use(await one.challenge()));
    other.ours.bank.passkeys.set(one.passkey.id, one.passkey);
    await other.challenge();
    await other.psu.send("passkey", { assertion: signed }, await other.sent());
    expect(await other.psu.look()).toMatchObject({ outcome: { outcome: "wrong-passkey" } });
    const sent = await one.sent();
    await one.psu.send("passkey", { assertion: signed }, sent);
    expect(await one.psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    expect(there(await one.psu.send("passkey", { assertion: signed }, sent))).toMatch(/sign-in/);
  });

  it("P6: signs its own first line, the session and a nonce: no authorisation's text is like it", async () => {
    const { psu, challenge } = await atSignIn();
    const asked = await challenge();
    const { session } = await psu.visit();
    if (!("signIn" in session)) throw new Error(session.state);
    const { session: hash, passkeyChallenge } = session.signIn;
    const lines = ["passkey sign-in", hash, passkeyChallenge?.nonce];
    expect(asked).toBe(await sha256(lines.join("\n")));
  });

  it("P6: is asked for anew each time, and what was asked before is signed in vain", async () => {
    const { psu, device, challenge, sent } = await atSignIn();
    const first = await challenge();
    expect(await challenge()).not.toBe(first);
    await psu.send("passkey", { assertion: asBrowsersWrite(device.use(first)) }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-passkey" } });
  });

  it("P6: has five minutes, however busy the session is, and being late costs no attempt", async () => {
    const { ours, psu, device, challenge, sent, use } = await atSignIn();
    const assertion = asBrowsersWrite(device.use(await challenge()));
    ours.wait(4);
    await psu.look();
    ours.wait(1);
    await psu.send("passkey", { assertion }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-expired" } });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 0 }]);
    expect(there(await use())).toBe("/passkeys");
  });

  it("P6: what nobody has asked for is judged by nothing, and costs no attempt", async () => {
    const { ours, psu, device, sent } = await atSignIn();
    const assertion = asBrowsersWrite(device.use("a challenge of somebody else"));
    await psu.send("passkey", { assertion }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-expired" } });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 0 }]);
  });

  it("P6: is challenged by nobody who has no passkey, or whose sign-in is over", async () => {
    const { ours, psu, passkey } = await atSignIn();
    const token = (await psu.look()) as { readonly passkey: { readonly challengeToken: string } };
    await ours.house.passkeys.remove(passkey.id, ana, await ours.house.clock.now());
    const { challengeToken } = token.passkey;
    const answer = await psu.send("passkey-challenge", {}, { token: challengeToken });
    expect(there(answer)).toBe("/sign-in?to=/permissions");
    await psu.send("sign-out", { to: "/passkeys" });
    const over = await psu.send("passkey-challenge", {}, { token: challengeToken });
    expect(there(over)).toBe("/sign-in?to=/permissions");
  });
});
