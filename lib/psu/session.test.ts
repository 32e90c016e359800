import { describe, expect, it } from "vitest";
import {
  bankWithConsent,
  browser,
  interactionOf,
  locationOf,
  sampleUid,
  type TestBank,
  withApp,
} from "./testing/authorisation";
import { ownBrowser } from "./testing/own-channel";

describe("a PSU's session", () => {
  it("RTS 4(3)(d): 4:59 without activity lives, 5:01 dies, and asks to sign in again", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    ours.wait(4 + 59 / 60);
    expect(await psu.look()).toMatchObject({ page: "accounts" });
    ours.wait(5 + 1 / 60);
    expect(await psu.look()).toMatchObject({ page: "login-again" });
  });

  it("RTS 4(3)(d): the page that waits for the app and asks by itself keeps it no longer", async () => {
    const ours = withApp(await bankWithConsent());
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    const byScript = [["answer", "json"]] as const;
    for (let minute = 1; minute <= 4; minute += 1) {
      ours.wait(1);
      expect(await (await psu.send("approval", byScript)).json()).toEqual({ waits: true });
    }
    ours.wait(1.1);
    expect((await psu.send("approval", byScript)).status).toBe(303);
    expect(await psu.look()).toMatchObject({ page: "login-again" });
  });

  it("a code that is being typed stays on its page when the app's request has run out", async () => {
    const ours = withApp(await bankWithConsent());
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    ours.wait(3);
    await psu.send("code");
    ours.wait(3);
    const answer = await psu.send("approval", [["answer", "json"]]);
    expect(await answer.json()).toEqual({ waits: false });
    expect(await psu.look()).toMatchObject({ page: "summary" });
  });

  it("activity keeps it, and the window ends all the same, unless more time is asked for", async () => {
    const ours = await bankWithConsent();
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
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    ours.wait(6);
    // WCAG 3.3.7: the user ID need not be typed again.
    expect(await psu.look()).toMatchObject({ page: "login-again", userId: "ana" });
    expect(await psu.signIn()).toMatchObject({ page: "summary" });
  });

  it("dies at once for what is sent, too: a form after 5:01 does nothing", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    ours.wait(5 + 1 / 60);
    await psu.send("accounts", [["all", "yes"]]);
    expect(ours.authorisation().scaStatus).toBe("psuAuthenticated");
    expect(ours.bank.texts).toHaveLength(0);
  });

  it.each(["code", "confirm"] as const)("without it, the form %s does nothing", async (action) => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    for (const row of ours.sessions.values()) row.revoked = true;
    await psu.send(action, [["code", psu.lastCode()]]);
    expect(ours.authorisation()).toMatchObject({ scaStatus: "started", codesSent: 1 });
  });

  it("P1: another PSU's session does not open the page", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    for (const row of ours.sessions.values()) row.psuId = "mihai" as typeof row.psuId;
    expect(await psu.look()).toMatchObject({ page: "not-yours" });
    await psu.send("accounts", [["all", "yes"]]);
    expect(ours.bank.texts).toHaveLength(0);
  });

  it("P1: the first PSU who signs in keeps the authorisation; another one is refused", async () => {
    const ours = await bankWithConsent();
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
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    await psu.send("cancel");
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
    ours.change({ scaStatus: "psuAuthenticated" });
    const thief = browser(ours);
    ours.open.set(sampleUid, interactionOf(ours.consent, sampleUid));
    for (const [name, value] of psu.jar.cookies) thief.jar.cookies.set(name, value);
    expect(await thief.look()).toMatchObject({ page: "login-again" });
  });

  it("P12: so does one that was copied before the PSU confirmed", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    const thief = browser(ours);
    for (const [name, value] of psu.jar.cookies) thief.jar.cookies.set(name, value);
    expect(await thief.look()).toMatchObject({ page: "summary" });
    await psu.enterCode();
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
    ours.change({ scaStatus: "started" });
    expect(await thief.look()).toMatchObject({ page: "login-again" });
  });

  it("is a new one at each login, and the earlier one is dead", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    const first = psu.jar.cookies.get("drawbridge-psu");
    await psu.typePassword();
    expect(psu.jar.cookies.get("drawbridge-psu")).not.toBe(first);
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true, false]);
  });

  it("tells the browser neither its id nor the PSU: the cookie is sealed", async () => {
    const psu = browser(await bankWithConsent());
    await psu.signIn();
    const sealed = psu.jar.cookies.get("drawbridge-psu");
    expect(sealed?.split(".")).toHaveLength(5);
    psu.jar.cookies.set("drawbridge-psu", `${sealed}x`);
    expect(await psu.look()).toMatchObject({ page: "login-again" });
  });
});

const COOKIE = "drawbridge-own";

describe("a session of the bank's own channel", () => {
  it("P1: is another one after each element: a cookie known before opens nothing after", async () => {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.typePassword();
    const before = psu.jar.cookies.get(COOKIE);
    await psu.look();
    await psu.send("code", { code: psu.lastCode() });
    expect(psu.jar.cookies.get(COOKIE)).not.toBe(before);
    const thief = ownBrowser(ours);
    thief.jar.cookies.set(COOKIE, String(before));
    expect(await thief.list()).toEqual({ page: "to-sign-in" });
    expect(await thief.look()).toMatchObject({ page: "sign-in-again" });
  });

  it("P12: sign-out kills a copied cookie, and the browser forgets its own", async () => {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.signIn();
    const thief = ownBrowser(ours);
    thief.jar.cookies.set(COOKIE, String(psu.jar.cookies.get(COOKIE)));
    expect(await thief.list()).toMatchObject({ page: "permissions" });
    await psu.list();
    expect(locationOf(await psu.send("sign-out"))).toBe("/sign-out");
    expect(psu.jar.cookies.has(COOKIE)).toBe(false);
    expect(await thief.list()).toEqual({ page: "to-sign-in" });
  });

  it("RTS 4(3)(d): 5:00 without activity lives, 5:01 dies; 60 minutes are the most", async () => {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.signIn();
    ours.wait(5);
    expect(await psu.list()).toMatchObject({ page: "permissions" });
    ours.wait(5 + 1 / 60);
    expect(await psu.list()).toEqual({ page: "to-sign-in" });
    await psu.signIn();
    for (let minute = 4; minute <= 60; minute += 4) {
      ours.wait(4);
      expect(await psu.list()).toMatchObject({ page: "permissions" });
    }
    ours.wait(1);
    expect(await psu.list()).toEqual({ page: "to-sign-in" });
  });

  it("a form that was open before another tab signed in is out of date", async () => {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.look();
    const token = psu.tokens.get("password") ?? null;
    await psu.signIn();
    const cookie = psu.jar.cookies.get(COOKIE);
    await psu.send("password", { userId: "mihai", password: "mihai-sandbox" }, { token });
    expect(psu.jar.cookies.get(COOKIE)).toBe(cookie);
    expect(await psu.look()).toMatchObject({ page: "onward" });
  });

  it("who starts again gives up the sign-in that waits for its code", async () => {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.typePassword();
    await psu.look();
    const waiting = String(psu.jar.cookies.get(COOKIE));
    const to = "/permissions";
    expect(locationOf(await psu.send("sign-out", { to }))).toBe("/sign-in?to=/permissions");
    expect(await psu.look()).toMatchObject({ page: "sign-in" });
    psu.jar.cookies.set(COOKIE, waiting);
    expect(await psu.look()).toMatchObject({ page: "sign-in-again" });
  });

  it("P13: one cookie never opens the other's pages", async () => {
    const ours = await bankWithConsent();
    const [tpps, psu] = [browser(ours), ownBrowser(ours)];
    await tpps.signIn();
    await psu.signIn();
    const [flow, own] = [tpps.jar.cookies.get("drawbridge-psu"), psu.jar.cookies.get(COOKIE)];
    const crossed = ownBrowser(ours);
    crossed.jar.cookies.set(COOKIE, String(flow));
    expect(await crossed.list()).toEqual({ page: "to-sign-in" });
    tpps.jar.cookies.set("drawbridge-psu", String(own));
    expect(await tpps.look()).toMatchObject({ page: "login-again" });
  });
});

describe("a session's cookie", () => {
  const logins = {
    "drawbridge-psu": async (bank: TestBank) => {
      const psu = browser(bank);
      await psu.look();
      return psu.typePassword();
    },
    "drawbridge-own": (bank: TestBank) => ownBrowser(bank).typePassword(),
  };

  it.each(Object.entries(logins))(
    "%s travels as HttpOnly, SameSite=Lax, and with https as __Host- and Secure",
    async (name, login) => {
      const cookieAt = async (webUrl: string) => {
        const response = await login(await bankWithConsent({ webUrl }));
        return response.headers.getSetCookie().find((line) => line.includes(`${name}=`));
      };
      const value = "=[\\w.-]+; Path=/; HttpOnly; SameSite=Lax";
      expect(await cookieAt("http://localhost:3000")).toMatch(new RegExp(`^${name}${value}$`));
      expect(await cookieAt("https://bank.example")).toMatch(
        new RegExp(`^__Host-${name}${value}; Secure$`),
      );
    },
  );
});
