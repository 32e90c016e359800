import { describe, expect, it } from "vitest";
import { there } from "../testing/at-summary";
import { browser } from "../testing/browser";
import { desk } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";

const COOKIE = "drawbridge-own";

describe("a session of the bank's own channel", () => {
  it("P1: is another one after each element: a cookie known before opens nothing after", async () => {
    const ours = await desk();
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
    const ours = await desk();
    const psu = ownBrowser(ours);
    await psu.signIn();
    const thief = ownBrowser(ours);
    thief.jar.cookies.set(COOKIE, String(psu.jar.cookies.get(COOKIE)));
    expect(await thief.list()).toMatchObject({ page: "permissions" });
    await psu.list();
    expect(there(await psu.send("sign-out"))).toBe("/sign-out");
    expect(psu.jar.cookies.has(COOKIE)).toBe(false);
    expect(await thief.list()).toEqual({ page: "to-sign-in" });
  });

  it("RTS 4(3)(d): 5:00 without activity lives, 5:01 dies; 60 minutes are the most", async () => {
    const ours = await desk();
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
    const ours = await desk();
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
    const ours = await desk();
    const psu = ownBrowser(ours);
    await psu.typePassword();
    await psu.look();
    const waiting = String(psu.jar.cookies.get(COOKIE));
    const to = "/permissions";
    expect(there(await psu.send("sign-out", { to }))).toBe("/sign-in?to=/permissions");
    expect(await psu.look()).toMatchObject({ page: "sign-in" });
    psu.jar.cookies.set(COOKIE, waiting);
    expect(await psu.look()).toMatchObject({ page: "sign-in-again" });
  });

  it("P13: one cookie never opens the other's pages", async () => {
    const ours = await desk();
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

  it("travels as HttpOnly, SameSite=Lax, and with https as __Host- and Secure", async () => {
    const cookieOf = async (webUrl: string) => {
      const response = await ownBrowser(await desk({ webUrl })).typePassword();
      return response.headers.getSetCookie().find((line) => line.includes("drawbridge-own="));
    };
    expect(await cookieOf("http://localhost:3000")).toMatch(
      /^drawbridge-own=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await cookieOf("https://bank.example")).toMatch(
      /^__Host-drawbridge-own=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });
});
