import { describe, expect, it } from "vitest";
import { browser } from "./testing/browser";
import { desk, interactionOf, uid } from "./testing/desk";

describe("a PSU's session", () => {
  it("RTS 4(3)(d): 4:59 without activity lives, 5:01 dies, and asks to sign in again", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    ours.wait(4 + 59 / 60);
    expect(await psu.look()).toMatchObject({ page: "accounts" });
    ours.wait(5 + 1 / 60);
    expect(await psu.look()).toMatchObject({ page: "login-again" });
  });

  it("activity keeps it, and the window ends all the same, unless more time is asked for", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    const pages = [];
    for (let minute = 4; minute <= 16; minute += 4) {
      ours.wait(4);
      pages.push((await psu.look()).page);
    }
    expect(pages).toEqual(["accounts", "accounts", "accounts", "expired"]);
  });

  it("who signs in again goes on where they were", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    ours.wait(6);
    expect(await psu.look()).toMatchObject({ page: "login-again" });
    expect(await psu.signIn()).toMatchObject({ page: "summary" });
  });

  it("dies at once for what is sent, too: a form after 5:01 does nothing", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    ours.wait(5 + 1 / 60);
    await psu.send("accounts", [["all", "yes"]]);
    expect(ours.authorisation().scaStatus).toBe("psuAuthenticated");
    expect(ours.bank.texts).toHaveLength(0);
  });

  it.each(["code", "confirm"] as const)("without it, the form %s does nothing", async (action) => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    for (const row of ours.sessions.values()) row.revoked = true;
    await psu.send(action, [["code", psu.lastCode()]]);
    expect(ours.authorisation()).toMatchObject({ scaStatus: "started", codesSent: 1 });
  });

  it("P1: another browser with the same link and no session has to sign in", async () => {
    const ours = await desk();
    await browser(ours).signIn();
    expect(await browser(ours).look()).toMatchObject({ page: "login-again" });
  });

  it("P1: another PSU's session does not open the page", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    for (const row of ours.sessions.values()) row.psuId = "mihai" as typeof row.psuId;
    expect(await psu.look()).toMatchObject({ page: "not-yours" });
    await psu.send("accounts", [["all", "yes"]]);
    expect(ours.bank.texts).toHaveLength(0);
  });

  it("P1: the first PSU who signs in keeps the authorisation; another one is told so", async () => {
    const ours = await desk();
    await browser(ours).signIn("ana");
    const other = browser(ours);
    expect(await other.signIn("mihai")).toMatchObject({
      page: "login-again",
      outcome: { outcome: "another-psu" },
    });
    expect(ours.authorisation().psuId).toBe("ana");
    expect(ours.sessions.size).toBe(1);
  });

  it("P12: a cookie copied before the end opens nothing after it", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    await psu.send("cancel");
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
    ours.change({ scaStatus: "psuAuthenticated" });
    const thief = browser(ours);
    ours.open.set(uid, interactionOf(ours.consent, uid));
    for (const [name, value] of psu.jar.cookies) thief.jar.cookies.set(name, value);
    expect(await thief.look()).toMatchObject({ page: "login-again" });
  });

  it("P12: so does one that was copied before the PSU confirmed", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    const thief = browser(ours);
    for (const [name, value] of psu.jar.cookies) thief.jar.cookies.set(name, value);
    expect(await thief.look()).toMatchObject({ page: "summary" });
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
    ours.change({ scaStatus: "started" });
    expect(await thief.look()).toMatchObject({ page: "login-again" });
  });

  it("is a new one at each login, and the earlier one is dead", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    const first = psu.jar.cookies.get("drawbridge-psu");
    await psu.send("login", [
      ["userId", "ana"],
      ["password", "ana-sandbox"],
    ]);
    expect(psu.jar.cookies.get("drawbridge-psu")).not.toBe(first);
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true, false]);
  });

  it("travels as HttpOnly, SameSite=Lax, and with https as __Host- and Secure", async () => {
    const cookieOf = async (webUrl: string) => {
      const psu = browser(await desk({ webUrl }));
      await psu.look();
      const response = await psu.send("login", [
        ["userId", "ana"],
        ["password", "ana-sandbox"],
      ]);
      return response.headers.getSetCookie().find((line) => line.includes("drawbridge-psu"));
    };
    expect(await cookieOf("http://localhost:3000")).toMatch(
      /^drawbridge-psu=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await cookieOf("https://bank.example")).toMatch(
      /^__Host-drawbridge-psu=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it("tells the browser neither its id nor the PSU: the cookie is sealed", async () => {
    const psu = browser(await desk());
    await psu.signIn();
    const sealed = psu.jar.cookies.get("drawbridge-psu");
    expect(sealed?.split(".")).toHaveLength(5);
    psu.jar.cookies.set("drawbridge-psu", `${sealed}x`);
    expect(await psu.look()).toMatchObject({ page: "login-again" });
  });
});
