import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PasskeyList } from "@/app/(psu)/passkeys/passkeys";
import { PermissionList } from "@/app/(psu)/permissions/permissions";
import { authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import type { PsuId } from "@/lib/domain/values";
import { passkeysView } from "./passkeys";
import { signInPath } from "./paths";
import {
  asBrowsersWrite,
  atPaymentWithPasskey,
  atSummary,
  atSummaryWithPasskey,
  bankWithConsent,
  locationOf,
  sampleUid,
} from "./testing/authorisation";
import { atPasskeys, ownBrowser } from "./testing/own-channel";
import { buttons, html } from "./testing/rendered";
import { textsFor } from "./texts/texts-for";

describe("a passkey is enrolled in the bank's own channel", () => {
  it("under the PSU's name for it, with a text message to the PSU", async () => {
    const { ours, look, enrol } = await atPasskeys();
    expect(await look()).toMatchObject({ passkeys: [] });
    await enrol(authenticator(), " My\u0000 \u202ephone ");
    expect(await look()).toMatchObject({
      outcome: { outcome: "passkey-added" },
      passkeys: [{ name: "My phone", psuId: ana, transports: ["internal"] }],
    });
    const { text, code } = ours.bank.texts.at(-1) ?? {};
    expect(text).toContain("A passkey was added to your sign-in at Drawbridge Bank.");
    expect(code).toBeUndefined();
  });

  it("and is, even if the phone cannot be reached; the text is in the PSU's language", async () => {
    const { ours, look, enrol } = await atPasskeys("ro");
    ours.bank.delivers = false;
    await enrol();
    expect(ours.bank.texts.at(-1)?.text).toMatch(/s-a adăugat o cheie de acces/);
    expect((await look()).passkeys).toHaveLength(1);
  });

  it("with the options a browser needs, and without the bank's own key of the PSU", async () => {
    const { asked, enrol } = await atPasskeys();
    await enrol();
    const { options } = await asked();
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Drawbridge Bank" },
      user: { name: "ana", displayName: "ANA" },
      excludeCredentials: [{ type: "public-key" }],
      authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
      attestation: "none",
    });
    const algorithms = options.pubKeyCredParams.map(({ alg }: { readonly alg: number }) => alg);
    expect(algorithms).toEqual([-7, -8, -257]);
    expect(Buffer.from(options.user.id, "base64url")).toHaveLength(32);
  });

  it.each([
    ["without a name", { name: "  " }, "passkey-name-missing"],
    ["with a name too long", { name: "n".repeat(41) }, "passkey-name-missing"],
    ["without an answer", {}, "not-understood"],
    ["with no JSON for an answer", { assertion: "{" }, "not-understood"],
  ])("but not %s", async (_what, fields, outcome) => {
    const { look, asked, add } = await atPasskeys();
    const { sealed } = await asked();
    await add({ sealed, ...fields });
    expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome } });
  });

  it("but not by a challenge that was made up, of another session, or for another passkey", async () => {
    const { look, asked, add } = await atPasskeys();
    const other = await atPasskeys();
    const foreign = await other.asked();
    const { options, sealed } = await asked();
    const make = (challenge: string) => asBrowsersWrite(authenticator().make(challenge));
    for (const fields of [
      { assertion: make(options.challenge), sealed: "made-up" },
      { assertion: make(options.challenge) },
      { assertion: make(foreign.options.challenge), sealed: foreign.sealed },
      { assertion: make(foreign.options.challenge), sealed },
    ]) {
      await add(fields as Readonly<Record<string, string>>);
      expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome: "not-understood" } });
    }
  });

  it("but not twice, even after its removal, nor more than there may be", async () => {
    const { ours, look, enrol, remove } = await atPasskeys();
    const device = await enrol();
    const [first] = (await look()).passkeys;
    expect(locationOf(await remove(first?.id ?? "none"))).toBe("/passkeys");
    expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome: "passkey-removed" } });
    await enrol(device);
    expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome: "known-already" } });
    for (let count = 0; count < 9; count += 1) await enrolled(ours.services, ana);
    await enrol();
    expect(await look()).toMatchObject({ outcome: { outcome: "too-many-passkeys" } });
  });

  it("by nobody before SCA, and in nobody's page but the bank's", async () => {
    const { psu, look, remove } = await atPasskeys();
    const { addToken } = await look();
    const foreign = await psu.send("add-passkey", {}, { token: addToken, headers: {} });
    expect(locationOf(foreign)).toBe("/passkeys");
    await psu.look();
    expect(await remove("4a0f0000-0000-4000-8000-000000000000")).toMatchObject({ status: 303 });
    const early = ownBrowser(await bankWithConsent());
    await early.typePassword();
    expect(await early.inside(passkeysView)).toEqual({ page: "to-sign-in" });
    const answer = await early.send("passkey-options", {}, { token: "none" });
    expect(locationOf(answer)).toBe("/passkeys");
  });

  it("and is removed by its PSU alone", async () => {
    const { ours, look, remove } = await atPasskeys();
    const { passkey } = await enrolled(ours.services, "mihai" as typeof ana);
    await remove(passkey.id);
    expect(ours.bank.passkeys.get(passkey.id)?.removed).toBeUndefined();
    expect((await look()).outcome).toBeUndefined();
  });
});

describe("a passkey is added", () => {
  it("P12: by an SCA done just now: after five minutes the PSU has to sign in again first", async () => {
    const { ours, psu, look, asked, enrol } = await atPasskeys();
    const { sealed, options } = await asked();
    expect(await look()).toMatchObject({ mayAdd: true });
    ours.wait(4.9);
    const { optionsToken } = await look();
    ours.wait(0.1);
    const late = await look();
    expect(late).toMatchObject({ mayAdd: false });
    const refused = await psu.send("passkey-options", {}, { token: optionsToken });
    expect([refused.status, locationOf(refused)]).toEqual([303, "/passkeys"]);
    expect(await refused.text()).toBe("");
    const props = { texts: textsFor("en"), view: late };
    const page = renderToStaticMarkup(createElement(PasskeyList, props));
    expect(buttons(page)).toContain("Sign in again");
    expect(buttons(page)).not.toContain("Add a passkey");

    expect(locationOf(await psu.send("sign-out", { to: "/passkeys" }))).toBe(
      "/sign-in?to=/passkeys",
    );
    await psu.signIn();
    const assertion = asBrowsersWrite(authenticator().make(options.challenge));
    const { addToken: token } = await look();
    await psu.send("add-passkey", { name: "Phone", sealed, assertion }, { token });
    expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome: "not-understood" } });
    await enrol();
    expect((await look()).passkeys).toHaveLength(1);
  });

  it("and removed, with a text message as well", async () => {
    const { ours, look, enrol, remove } = await atPasskeys();
    await enrol();
    const [added] = (await look()).passkeys;
    const texts = ours.bank.texts.length;
    await remove(added?.id ?? "none");
    expect(ours.bank.texts).toHaveLength(texts + 1);
    const { text, code } = ours.bank.texts.at(-1) ?? {};
    expect(text).toMatch(/^A passkey was removed from your sign-in at Drawbridge Bank\./);
    expect(code).toBeUndefined();
    await remove(added?.id ?? "none");
    expect(ours.bank.texts).toHaveLength(texts + 1);
  });

  it("P6: and the message is sent even if no more codes are: its silence would help a thief", async () => {
    const { ours, enrol } = await atPasskeys();
    const now = await ours.services.clock.now();
    ours.bank.textsSent.set(
      ana,
      Array.from({ length: 99 }, () => now),
    );
    const texts = ours.bank.texts.length;
    await enrol();
    expect(ours.bank.texts).toHaveLength(texts + 1);
  });
});

it("a bank that takes no passkeys offers none and adds none; earlier ones can be removed", async () => {
  const { ours, psu, look, remove } = await atPasskeys();
  const { passkey } = await enrolled(ours.services, ana);
  const listed = async () => {
    const view = await psu.list();
    if (view.page !== "permissions") throw new Error(view.page);
    return renderToStaticMarkup(createElement(PermissionList, { texts: textsFor("en"), view }));
  };
  expect(await listed()).toContain('href="/passkeys"');
  const sca = { ...ours.services.profile.sca, means: ["oidc"] as const };
  Object.assign(ours.services, { profile: { ...ours.services.profile, sca } });
  expect(await listed()).not.toContain('href="/passkeys"');
  const view = await look();
  const props = { texts: textsFor("en"), view };
  const page = renderToStaticMarkup(createElement(PasskeyList, props));
  expect(page).toContain("This bank takes no passkeys");
  expect(page).toContain(`/passkeys/${passkey.id}/remove`);
  expect(page).not.toContain("Add a passkey");
  const refused = await psu.send("passkey-options", {}, { token: view.optionsToken });
  expect([refused.status, locationOf(refused)]).toEqual([303, "/passkeys"]);
  await remove(passkey.id);
  expect((await look()).passkeys).toEqual([]);
});

const wrong = { outcome: { outcome: "wrong-passkey" } };

describe("a PSU with a passkey", () => {
  it("is sent no code until asking for one, for a payment and for a consent", async () => {
    for (const at of [atPaymentWithPasskey, atSummaryWithPasskey]) {
      const { ours, psu } = await at();
      expect(ours.bank.texts).toEqual([]);
      await psu.send("code");
      expect(ours.bank.texts).toHaveLength(1);
      expect(await psu.look()).toMatchObject({ code: { passkey: true }, outcome: undefined });
      await psu.enterCode();
      expect(await psu.look()).toMatchObject({ page: "continue" });
    }
  });

  it("confirms with it: a payment and a consent", async () => {
    const paying = await atPaymentWithPasskey();
    expect(locationOf(await paying.confirm.by(paying.device))).toMatch(/\/auth\//);
    expect(paying.ours.payment()).toMatchObject({ status: "ACCP", psuId: ana });
    const sharing = await atSummaryWithPasskey();
    expect(locationOf(await sharing.confirm.by(sharing.device))).toMatch(/\/auth\//);
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
    await enrolled(ours.services, "mihai" as PsuId);
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

describe("a passkey is refused, as a failure like a wrong code (RTS art. 4(3)(b)),", () => {
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
    const { device } = await enrolled(ours.services, "mihai" as PsuId);
    await confirm.by(device);
    expect(await psu.look()).toMatchObject(wrong);
  });

  it("when the bank does not know it, and when it was removed meanwhile", async () => {
    const { ours, psu, device, passkey, confirm } = await atPaymentWithPasskey();
    await confirm.by(authenticator());
    expect(await psu.look()).toMatchObject(wrong);
    const challenge = await confirm.challenge();
    await ours.services.passkeys.remove(passkey.id, ana, await ours.services.clock.now());
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
    await ours.services.passkeys.remove(passkey.id, ana, await ours.services.clock.now());
    expect((await psu.send("passkey-challenge")).status).toBe(303);
    expect(ours.authorisation().passkeyChallenge).toBeUndefined();
  });
});

describe("a PSU who can confirm by a passkey alone, and has none", () => {
  const from = `/passkeys/from/${sampleUid}`;

  it("is led to the passkeys, and from there back to what waits", async () => {
    const { ours, psu: confirming } = await atSummary();
    const view = await confirming.look();
    if (view.page !== "summary") throw new Error(view.page);
    const code = { ...view.code, sentAt: undefined };
    expect(html({ ...view, means: [], code })).toContain(`href="${from}"`);
    expect(signInPath(from)).toBe(`/sign-in?to=${from}`);
    const psu = ownBrowser(ours);
    await psu.signIn();
    const list = await psu.inside((visit) => passkeysView(visit, sampleUid));
    if (list.page !== "passkeys") throw new Error(list.page);
    const props = { texts: textsFor("en"), view: list };
    const page = renderToStaticMarkup(createElement(PasskeyList, props));
    expect(page).toContain(
      `<a href="/authorise/${sampleUid}">Back to what you want to confirm</a>`,
    );
    const back = { back: from, name: " " };
    const answer = await psu.send("add-passkey", back, { token: list.addToken });
    expect(locationOf(answer)).toBe(from);
  });

  it("is led nowhere else", async () => {
    const { psu, look, add } = await atPasskeys();
    for (const back of ["https://evil.example/", "//evil.example", "/passkeys/from/../../x", "/"])
      expect(locationOf(await add({ back, name: " " }))).toBe("/passkeys");
    expect((await look()).requestPath).toBeUndefined();
    const odd = await psu.inside((visit) => passkeysView(visit, "//evil.example"));
    expect(odd).toMatchObject({ path: "/passkeys", requestPath: undefined });
  });
});
