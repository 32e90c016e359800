import { describe, expect, it } from "vitest";
import { authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { passkeysView } from "../own-channel/passkeys-view";
import { atPasskeys } from "../testing/at-passkeys";
import { there } from "../testing/at-summary";
import { desk } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";
import { asBrowsersWrite } from "../testing/with-passkey";

describe("a passkey is enrolled in the bank's own channel", () => {
  it("under the PSU's name for it, and the PSU's phone is told", async () => {
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

  it("with what a browser has to be told, and nothing of the bank's own key of the PSU", async () => {
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
    expect(there(await remove(first?.id ?? "none"))).toBe("/passkeys");
    expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome: "passkey-removed" } });
    await enrol(device);
    expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome: "known-already" } });
    for (let count = 0; count < 9; count += 1) await enrolled(ours.house, ana);
    await enrol();
    expect(await look()).toMatchObject({ outcome: { outcome: "too-many-passkeys" } });
  });

  it("by nobody before SCA, and in nobody's page but the bank's", async () => {
    const { psu, look, remove } = await atPasskeys();
    const { addToken } = await look();
    const foreign = await psu.send("add-passkey", {}, { token: addToken, headers: {} });
    expect(there(foreign)).toBe("/passkeys");
    await psu.look();
    expect(await remove("4a0f0000-0000-4000-8000-000000000000")).toMatchObject({ status: 303 });
    const early = ownBrowser(await desk());
    await early.typePassword();
    expect(await early.inside(passkeysView)).toEqual({ page: "to-sign-in" });
    const answer = await early.send("passkey-options", {}, { token: "none" });
    expect(there(answer)).toBe("/passkeys");
  });

  it("and is removed by its PSU alone", async () => {
    const { ours, look, remove } = await atPasskeys();
    const { passkey } = await enrolled(ours.house, "mihai" as typeof ana);
    await remove(passkey.id);
    expect(ours.bank.passkeys.get(passkey.id)?.removed).toBeUndefined();
    expect((await look()).outcome).toBeUndefined();
  });
});
