import { describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import { enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { there } from "../testing/at-summary";
import { buttons, html } from "../testing/rendered";
import { atPaymentWithPasskey, atSummaryWithPasskey } from "../testing/with-passkey";

const wrong = { outcome: { outcome: "wrong-passkey" } };

describe("a PSU with a passkey", () => {
  it("is sent no code until asking for one, for a payment and for a consent", async () => {
    for (const at of [atPaymentWithPasskey, atSummaryWithPasskey]) {
      const { ours, psu } = await at();
      expect(ours.bank.texts).toEqual([]);
      await psu.send("code");
      expect(ours.bank.texts).toHaveLength(1);
      expect(await psu.look()).toMatchObject({ code: { passkey: true }, outcome: undefined });
      await psu.send("confirm", [["code", psu.lastCode()]]);
      expect(await psu.look()).toMatchObject({ page: "continue" });
    }
  });

  it("confirms with it: a payment and a consent", async () => {
    const paying = await atPaymentWithPasskey();
    expect(there(await paying.confirm.by(paying.device))).toMatch(/\/auth\//);
    expect(paying.ours.payment()).toMatchObject({ status: "ACCP", psuId: ana });
    const sharing = await atSummaryWithPasskey();
    expect(there(await sharing.confirm.by(sharing.device))).toMatch(/\/auth\//);
    expect(sharing.ours.authorisation().scaStatus).toBe("finalised");
    expect(sharing.ours.bank.texts).toEqual([]);
  });

  it("sees the same page: without JavaScript the code, and the passkey's button hidden", async () => {
    const { psu } = await atPaymentWithPasskey();
    const page = html(await psu.look());
    expect(buttons(page)).toEqual(["Use your passkey", "Send me a code", "Cancel"]);
    expect(page).toMatch(/<button[^>]* id="passkey" hidden=""[^>]*>Use your passkey/);
    await psu.send("code");
    const withCode = html(await psu.look());
    expect(buttons(withCode)).toEqual(["Send a new code", "Use your passkey", "Confirm", "Cancel"]);
  });

  it("may ask for a code and use the passkey all the same: either ends both", async () => {
    const { ours, psu, device, confirm } = await atPaymentWithPasskey();
    await psu.send("code");
    await psu.look();
    const challenge = await confirm.challenge();
    expect(ours.authorisation()).toMatchObject({ challenge: {}, passkeyChallenge: {} });
    await confirm.send(device.use(challenge));
    expect(ours.authorisation().scaStatus).toBe("finalised");
    expect(ours.bank.psuFailures.size).toBe(0);
  });
});

describe("P6: a passkey's challenge", () => {
  it("is asked of the PSU's own passkeys, for the bank's host, with the user made sure of", async () => {
    const { ours, psu, passkey } = await atPaymentWithPasskey();
    await enrolled(ours.house, "mihai" as PsuId);
    const answer = await psu.send("passkey-challenge");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { options } = await answer.json();
    const own = { type: "public-key", id: passkey.credentialId, transports: ["internal"] };
    expect(options).toMatchObject({
      rpId: "localhost",
      allowCredentials: [own],
      userVerification: "required",
      timeout: 300_000,
    });
    expect(options.challenge).toMatch(/^[\w-]{43}$/);
  });

  it("is another each time, and the one before is worth nothing", async () => {
    const { psu, device, confirm } = await atPaymentWithPasskey();
    const first = await confirm.challenge();
    expect(await confirm.challenge()).not.toBe(first);
    await confirm.send(device.use(first));
    expect(await psu.look()).toMatchObject({ outcome: { ...wrong.outcome, attemptsLeft: 4 } });
  });

  it("is over after five minutes, which is no failure of the PSU's", async () => {
    const { ours, psu, device, confirm } = await atPaymentWithPasskey();
    const challenge = await confirm.challenge();
    ours.wait(4);
    await psu.look();
    ours.wait(1);
    await confirm.send(device.use(challenge));
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-expired" } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it("is for this authorisation alone", async () => {
    const one = await atPaymentWithPasskey();
    const other = await atPaymentWithPasskey();
    const challenge = await one.confirm.challenge();
    await other.confirm.challenge();
    const { passkeyChallenge } = one.ours.authorisation();
    if (passkeyChallenge === undefined) throw new Error("nothing was asked");
    other.ours.change({ passkeyChallenge });
    other.ours.bank.passkeys.set(one.passkey.id, one.passkey);
    await other.confirm.send(one.device.use(challenge));
    expect(await other.psu.look()).toMatchObject(wrong);
  });

  it("of one selection of accounts says nothing about another", async () => {
    const { ours, psu, device, confirm } = await atSummaryWithPasskey();
    const challenge = await confirm.challenge();
    await psu.choose("current", "second");
    expect(ours.authorisation().passkeyChallenge).toBeUndefined();
    await confirm.challenge();
    await confirm.send(device.use(challenge));
    expect(await psu.look()).toMatchObject(wrong);
  });

  it("is used once", async () => {
    const { ours, psu, device, confirm } = await atPaymentWithPasskey();
    const assertion = device.use(await confirm.challenge());
    await confirm.send(assertion);
    await confirm.send(assertion);
    expect(ours.calls).toEqual(["accept interaction-of-ana"]);
    expect(await psu.look()).toMatchObject({ page: "continue" });
    expect(ours.bank.psuFailures.size).toBe(0);
  });
});
