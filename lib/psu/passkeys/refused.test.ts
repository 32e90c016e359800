import { describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import { authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { asBrowsersWrite, atPaymentWithPasskey } from "../testing/with-passkey";

const wrong = { outcome: { outcome: "wrong-passkey" } };

describe("a passkey is refused, and counts like a wrong code (RTS art. 4(3)(b)),", () => {
  it.each([
    ["at another web address", { origin: "https://bank.example" }],
    ["for another host", { rpId: "bank.example" }],
    ["without the user made sure of", { userVerified: false }],
    ["with a counter that has not grown", { counter: 1 }],
    ["for another user", { userHandle: "bm9ib2R5" }],
  ])("%s", async (_what, said) => {
    const { ours, psu, device, confirm } = await atPaymentWithPasskey();
    await confirm.by(device, said);
    expect(await psu.look()).toMatchObject(wrong);
    expect(ours.authorisation()).toMatchObject({ scaStatus: "started", failedAttempts: 1 });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 1 }]);
  });

  it("when it is another PSU's", async () => {
    const { ours, psu, confirm } = await atPaymentWithPasskey();
    const { device } = await enrolled(ours.house, "mihai" as PsuId);
    await confirm.by(device);
    expect(await psu.look()).toMatchObject(wrong);
  });

  it("when the bank has never met it, and when it was removed meanwhile", async () => {
    const { ours, psu, device, passkey, confirm } = await atPaymentWithPasskey();
    await confirm.by(authenticator());
    expect(await psu.look()).toMatchObject(wrong);
    const challenge = await confirm.challenge();
    await ours.house.passkeys.remove(passkey.id, ana, await ours.house.clock.now());
    await confirm.send(device.use(challenge));
    expect(await psu.look()).toMatchObject({ ...wrong, code: { passkey: false } });
  });

  it("and the fifth ends the request", async () => {
    const { ours, psu, device, confirm } = await atPaymentWithPasskey();
    for (let tries = 0; tries < 5; tries += 1) await confirm.by(device, { userVerified: false });
    expect(ours.authorisation()).toMatchObject({
      scaStatus: "failed",
      failedBecause: "psu-blocked",
    });
    expect(await psu.look()).toMatchObject({ page: "blocked" });
  });
});

describe("what a browser sends", () => {
  it.each([
    ["nothing", null],
    ["no JSON", "{"],
    ["no assertion", "{}"],
    ["another type", asBrowsersWrite(authenticator().use("A")).replace("public-key", "password")],
    ["too much", asBrowsersWrite(authenticator().use("A".repeat(5_000)))],
    ["what is not base64url", asBrowsersWrite({ ...authenticator().use("A"), signature: "a b" })],
  ])("takes no attempt when it can be no signature: %s", async (_what, assertion) => {
    const { ours, psu, confirm } = await atPaymentWithPasskey();
    await confirm.challenge();
    await psu.send("passkey", assertion === null ? [] : [["assertion", assertion]]);
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-missing" } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it("without a session, or with another form's token, opens no challenge", async () => {
    const { ours, psu } = await atPaymentWithPasskey();
    const view = await psu.look();
    const token = "tokens" in view ? view.tokens.passkey : "none";
    expect((await psu.send("passkey-challenge", [], { token })).status).toBe(303);
    ours.wait(6);
    expect((await psu.send("passkey-challenge")).status).toBe(303);
    expect(ours.authorisation().passkeyChallenge).toBeUndefined();
  });

  it("of a PSU without passkeys opens no challenge", async () => {
    const { ours, psu, passkey } = await atPaymentWithPasskey();
    await ours.house.passkeys.remove(passkey.id, ana, await ours.house.clock.now());
    expect((await psu.send("passkey-challenge")).status).toBe(303);
    expect(ours.authorisation().passkeyChallenge).toBeUndefined();
  });
});
