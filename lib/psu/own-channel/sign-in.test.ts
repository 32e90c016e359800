import { describe, expect, it } from "vitest";
import { there } from "../testing/at-summary";
import { browser } from "../testing/browser";
import { desk } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";

describe("signing in to the bank's own channel", () => {
  it("takes user ID and password, then the code, and leads on to what was asked for", async () => {
    const psu = ownBrowser(await desk());
    expect(await psu.look()).toMatchObject({ page: "sign-in", to: "/permissions" });
    expect(there(await psu.typePassword())).toBe("/sign-in?to=/permissions");
    expect(await psu.look()).toMatchObject({ page: "code", newCodePossible: true });
    expect(await psu.list()).toEqual({ page: "to-sign-in" });
    const done = await psu.send("code", { code: psu.lastCode(), to: "/passkeys" });
    expect(there(done)).toBe("/passkeys");
    expect(await psu.look("/passkeys")).toEqual({ page: "onward", location: "/passkeys" });
    expect(await psu.list()).toMatchObject({ page: "permissions" });
  });

  it("the text message says what the code is for, and bears the reference that the page shows", async () => {
    const ours = await desk();
    const psu = ownBrowser(ours);
    await psu.typePassword();
    const view = await psu.look();
    if (view.page !== "code") throw new Error(view.page);
    const text = ours.bank.texts.at(-1)?.text;
    expect(text).toMatch(/is your code to sign in to Drawbridge Bank and see your permissions/);
    expect(text).toContain(`Reference ${view.reference}.`);
  });

  it("the text message is in the PSU's language", async () => {
    const ours = await desk();
    await ownBrowser(ours, "ro").typePassword();
    expect(ours.bank.texts.at(-1)?.text).toMatch(/este codul dumneavoastră/);
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/permissions/../sandbox",
    "/authorise/x",
    "/permissions\r\nSet-Cookie: a=b",
    "permissions",
  ])("leads to no other place: %j", async (to) => {
    const psu = ownBrowser(await desk());
    await psu.typePassword();
    await psu.look();
    expect(there(await psu.send("code", { code: psu.lastCode(), to }))).toBe("/permissions");
    expect(await psu.look(to)).toEqual({ page: "onward", location: "/permissions" });
  });

  it("P11: a wrong user ID and a wrong password look the same", async () => {
    const psu = ownBrowser(await desk());
    const said = async (userId: string) => {
      await psu.typePassword(userId, "wrong");
      return psu.look();
    };
    const outcome = { outcome: "wrong-credentials", attemptsLeft: 4 };
    expect(await said("ana")).toMatchObject({ outcome: { ...outcome, userId: "ana" } });
    expect(await said("nobody")).toMatchObject({ outcome: { ...outcome, userId: "nobody" } });
  });

  it("RTS 4(3)(b): failures count together with those of authorisations", async () => {
    const ours = await desk();
    const tpps = browser(ours);
    for (let tries = 0; tries < 3; tries += 1) {
      await tpps.look();
      await tpps.send("login", [
        ["userId", "ana"],
        ["password", "wrong"],
      ]);
    }
    const psu = ownBrowser(ours);
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ outcome: { attemptsLeft: 1 } });
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ page: "sign-in", outcome: { outcome: "blocked" } });
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "sign-in", outcome: { outcome: "blocked" } });
  });

  it("the fifth wrong code ends the sign-in", async () => {
    const psu = ownBrowser(await desk());
    await psu.typePassword();
    for (let left = 4; left >= 0; left -= 1) {
      await psu.look();
      await psu.send("code", { code: "000000" });
      const outcome =
        left === 0 ? { outcome: "blocked" } : { outcome: "wrong-code", attemptsLeft: left };
      expect(await psu.look()).toMatchObject({
        page: left === 0 ? "sign-in-again" : "code",
        outcome,
      });
    }
  });

  it("what cannot be a code takes no attempt; blanks and dashes are no fault", async () => {
    const psu = ownBrowser(await desk());
    await psu.typePassword();
    for (const [code, outcome] of [
      ["", "code-missing"],
      ["12345", "code-malformed"],
      ["12345a", "code-malformed"],
    ] as const) {
      await psu.look();
      await psu.send("code", { code });
      expect(await psu.look()).toMatchObject({ page: "code", outcome: { outcome } });
    }
    const [first, rest] = [psu.lastCode().slice(0, 3), psu.lastCode().slice(3)];
    expect(there(await psu.send("code", { code: ` ${first}-${rest} ` }))).toBe("/permissions");
  });

  it("a new code can be sent, four in all; a code that has run out says so", async () => {
    const ours = await desk();
    const psu = ownBrowser(ours);
    await psu.typePassword();
    for (let sent = 2; sent <= 5; sent += 1) {
      await psu.look();
      await psu.send("new-code");
      const outcome = sent <= 4 ? "new-code-sent" : "too-many-codes";
      expect(await psu.look()).toMatchObject({ outcome: { outcome }, newCodePossible: sent < 4 });
    }
    expect(ours.bank.texts).toHaveLength(4);
    ours.wait(4);
    await psu.look();
    ours.wait(1);
    expect(await psu.look()).toMatchObject({ expired: true });
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "code-expired" } });
  });

  it("a text message that cannot be delivered is told on the page for the code", async () => {
    const ours = await desk();
    ours.bank.delivers = false;
    const psu = ownBrowser(ours);
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "code", outcome: { outcome: "not-delivered" } });
  });
});
