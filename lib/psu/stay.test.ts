import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PermissionList } from "@/app/(psu)/permissions/permissions";
import { later } from "@/lib/domain/testing/samples";
import { ownLimitsOf } from "./frame";
import { bankWithConsent, browser, locationOf, sampleUid } from "./testing/authorisation";
import { ownBrowser } from "./testing/own-channel";
import { html } from "./testing/rendered";
import { english } from "./texts/en";
import { isSignedIn } from "./visit";

const limitsOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/data-(signed-in-seconds|open-seconds|extendable)="(\w+)"/g)].map(
      ([, name, value]) => [name, value],
    ),
  );

describe("time limits of an authorisation", () => {
  async function signedIn() {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    return { ours, psu };
  }
  const json = [["answer", "json"]] as const;

  describe("more time on the pages of an authorisation", () => {
    it("before signing in, the window is extended, and the page says so", async () => {
      const ours = await bankWithConsent();
      const psu = browser(ours);
      await psu.look();
      ours.wait(14);
      await psu.send("stay");
      expect(ours.authorisation().expiresAt).toEqual(later(29));
      expect(await psu.look()).toMatchObject({ page: "login", outcome: { outcome: "more-time" } });
      ours.wait(14);
      expect(await psu.look()).toMatchObject({ page: "login" });
    });

    it("RTS 4(3)(d): asking is activity of the session; without it five minutes end it", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(4);
      await psu.send("stay");
      ours.wait(4);
      expect(await psu.look()).toMatchObject({ page: "accounts" });
      ours.wait(5.1);
      await psu.send("stay");
      expect(await psu.look()).toMatchObject({ page: "login-again" });
    });

    it("so a PSU who asks again and again may take longer than one window", async () => {
      const { ours, psu } = await signedIn();
      for (let times = 0; times < 10; times += 1) {
        ours.wait(4.5);
        await psu.send("stay");
      }
      expect(await psu.look()).toMatchObject({ page: "accounts" });
      await psu.choose("current");
      const confirmed = await psu.enterCode();
      expect(confirmed.headers.get("location")).toContain("/auth/");
      expect(ours.authorisation().scaStatus).toBe("finalised");
    });

    it("without a script the PSU comes back to the very question", async () => {
      const { psu } = await signedIn();
      await psu.choose("current");
      await psu.look("accounts");
      const back = await psu.send("stay", [["again", "accounts"]]);
      expect(back.headers.get("location")).toBe(`/authorise/${sampleUid}?question=accounts`);
      const elsewhere = await psu.send("stay", [["again", "https://evil.example"]]);
      expect(elsewhere.headers.get("location")).toBe(`/authorise/${sampleUid}`);
    });

    it("the page's script gets the seconds left, and until when in words", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(4);
      const answer = await psu.send("stay", json);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.json()).toEqual({
        signedInSeconds: 300,
        openSeconds: 900,
        extendable: true,
        text: "You can finish this request until 12:19 (bank time).",
      });
    });

    it("once it is decided or over, the script is led to the page", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(15);
      const answer = await psu.send("stay", json);
      expect([answer.status, answer.headers.get("location")]).toEqual([
        303,
        `/authorise/${sampleUid}`,
      ]);
      expect(ours.authorisation()).toMatchObject({ scaStatus: "failed", expiresAt: later(15) });
      expect(await psu.look()).toMatchObject({ page: "expired" });
    });

    it("P12: once somebody has signed in, it takes that session: the interaction's cookie keeps nothing open", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(6);
      for (const fields of [json, []]) {
        const answer = await psu.send("stay", fields);
        expect(answer.headers.get("location")).toBe(`/authorise/${sampleUid}`);
      }
      const outcome = { outcome: "time-after-sign-in" };
      expect(await psu.look()).toMatchObject({ page: "login-again", outcome });
      expect(ours.authorisation().expiresAt).toEqual(later(15));
      const other = browser(ours);
      await other.look();
      await other.send("stay");
      expect(ours.authorisation().expiresAt).toEqual(later(15));
      await psu.signIn();
      await psu.send("stay");
      expect(ours.authorisation().expiresAt).toEqual(later(21));
    });

    it("P2: nobody extends it from elsewhere", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(4);
      const cookie = psu.jar.header();
      await psu.send("stay", [], { headers: { "sec-fetch-site": "cross-site", cookie } });
      await psu.send("stay", [], { token: "made-up" });
      expect(ours.authorisation().expiresAt).toEqual(later(15));
    });
  });

  describe("what a page says of its limits", () => {
    it("signed in: both; before: the window alone; afterwards none, and no button", async () => {
      const ours = await bankWithConsent();
      const psu = browser(ours);
      ours.wait(1);
      expect(limitsOf(html(await psu.look()))).toEqual({
        "open-seconds": "840",
        extendable: "true",
      });
      expect(limitsOf(html(await psu.signIn()))).toMatchObject({ "signed-in-seconds": "300" });
      ours.wait(15);
      const ended = html(await psu.look());
      expect(limitsOf(ended)).toEqual({});
      expect(ended).not.toContain("more time");
    });

    it("at the last end no more time is offered", async () => {
      const ours = await bankWithConsent();
      const psu = browser(ours);
      await psu.look();
      for (let minutes = 0; minutes < 160; minutes += 10) {
        ours.wait(10);
        await psu.send("stay");
      }
      const page = html(await psu.look());
      expect(limitsOf(page)).toEqual({ "open-seconds": "300", extendable: "false" });
      expect(page).not.toContain(`/authorise/${sampleUid}/stay`);
    });
  });
});

describe("time limits of the bank's own channel", () => {
  async function signedIn() {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.signIn();
    await psu.list();
    return { ours, psu };
  }

  describe("more time in the bank's own channel", () => {
    it("is activity: the session has its five minutes again", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(4);
      await psu.send("stay", { back: "/permissions" });
      ours.wait(4);
      expect(await psu.list()).toMatchObject({ page: "permissions" });
    });

    it("the page's script gets the seconds left", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(4);
      const answer = await psu.send("stay", { answer: "json" });
      expect(await answer.json()).toMatchObject({ signedInSeconds: 300, extendable: false });
    });

    it("WCAG 2.2.1: near the end of the hour it gets what is left of that, as an end that nothing moves", async () => {
      const { ours, psu } = await signedIn();
      for (let minute = 4; minute <= 56; minute += 4) {
        ours.wait(4);
        await psu.send("stay", { back: "/permissions" });
      }
      ours.wait(2);
      const answer = await psu.send("stay", { answer: "json" });
      const left = { signedInSeconds: 300, openSeconds: 120, extendable: false };
      expect(await answer.json()).toMatchObject(left);
      const view = await psu.list();
      if (view.page !== "permissions") throw new Error(view.page);
      const texts = english;
      const page = renderToStaticMarkup(createElement(PermissionList, { texts, view }));
      expect(limitsOf(page)).toMatchObject({ "open-seconds": "120", extendable: "false" });
      expect(page).toContain('data-say="open-60">In less than a minute you will be signed out.<');
      expect(page).toContain('data-say="open-0">You are signed out. What you');
    });

    it("has its hour also where SCA was done at the provider before", async () => {
      const visit = await (await signedIn()).psu.visit();
      if (!isSignedIn(visit)) throw new Error(visit.session.state);
      const signIn = { ...visit.session.signIn, scaDoneAt: later(-60, visit.now) };
      const limits = ownLimitsOf({ ...visit, session: { ...visit.session, signIn } });
      expect(limits).toMatchObject({ signedInSeconds: 300 });
    });

    it("without a script the PSU comes back to the page, and nowhere else", async () => {
      const { psu } = await signedIn();
      expect(
        locationOf(await psu.send("stay", { back: "/permissions?kind=funds&after=1_a" })),
      ).toBe("/permissions?kind=funds&after=1_a");
      for (const back of ["https://evil.example", "//evil.example", "/auth/x"]) {
        expect(locationOf(await psu.send("stay", { back }))).toBe("/not-found");
      }
    });

    it("a session that has ended is not brought back: the script is led to the page", async () => {
      const { ours, psu } = await signedIn();
      ours.wait(5.1);
      const answer = await psu.send("stay", { answer: "json", back: "/permissions" });
      expect(answer.status).toBe(303);
      expect(await psu.list()).toEqual({ page: "to-sign-in" });
    });

    it("who is not signed in has nothing to extend", async () => {
      const psu = ownBrowser(await bankWithConsent());
      await psu.look();
      const answer = await psu.send("stay", { answer: "json", back: "/sign-out" });
      expect([answer.status, locationOf(answer)]).toEqual([303, "/sign-out"]);
    });

    it("who is not signed in has no limit, and whose password is right has", async () => {
      const psu = ownBrowser(await bankWithConsent());
      expect(await psu.look()).toMatchObject({ limits: undefined });
      await psu.typePassword();
      const limits = { signedInSeconds: 300, openSeconds: 3_600 };
      expect(await psu.look()).toMatchObject({ page: "code", limits });
    });
  });

  it("a code that was not delivered is not spoken of as sent; another one is", async () => {
    const ours = await bankWithConsent();
    ours.bank.delivers = false;
    const psu = ownBrowser(ours);
    await psu.typePassword();
    const first = { page: "code", sentAt: undefined, newCodePossible: true };
    expect(await psu.look()).toMatchObject({ ...first, outcome: { outcome: "not-delivered" } });
    ours.bank.delivers = true;
    await psu.send("new-code");
    const shown = await psu.look();
    expect(shown).toMatchObject({ page: "code", sentAt: expect.any(Date) });
  });
});
