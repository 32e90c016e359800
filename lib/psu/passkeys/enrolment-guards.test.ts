import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PasskeyList } from "@/app/(psu)/passkeys/passkey-list";
import { authenticator } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { atPasskeys } from "../testing/at-passkeys";
import { there } from "../testing/at-summary";
import { buttons } from "../testing/rendered";
import { asBrowsersWrite } from "../testing/with-passkey";
import { textsFor } from "../texts/texts-for";

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
    expect([refused.status, there(refused)]).toEqual([303, "/passkeys"]);
    expect(await refused.text()).toBe("");
    const props = { texts: textsFor("en"), view: late };
    const page = renderToStaticMarkup(createElement(PasskeyList, props));
    expect(buttons(page)).toContain("Sign in again");
    expect(buttons(page)).not.toContain("Add a passkey");

    expect(there(await psu.send("sign-out", { to: "/passkeys" }))).toBe("/sign-in?to=/passkeys");
    await psu.signIn();
    const assertion = asBrowsersWrite(authenticator().make(options.challenge));
    const { addToken: token } = await look();
    await psu.send("add-passkey", { name: "Phone", sealed, assertion }, { token });
    expect(await look()).toMatchObject({ passkeys: [], outcome: { outcome: "not-understood" } });
    await enrol();
    expect((await look()).passkeys).toHaveLength(1);
  });

  it("and removed, of which the phone is told as well; both leave an event", async () => {
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
    const of = { psuId: ana, passkeyId: added?.id };
    expect(ours.bank.audited).toMatchObject([
      { kind: "passkey-added", ...of },
      { kind: "passkey-removed", ...of },
    ]);
  });

  it("P6: and the phone is told even if it gets no more codes: its silence would be a thief's", async () => {
    const { ours, enrol } = await atPasskeys();
    const now = await ours.house.clock.now();
    ours.bank.textsSent.set(
      ana,
      Array.from({ length: 99 }, () => now),
    );
    const texts = ours.bank.texts.length;
    await enrol();
    expect(ours.bank.texts).toHaveLength(texts + 1);
  });
});
