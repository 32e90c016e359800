import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { authorisationServer } from "./authorisation-server";
import { type TestBank, testBank, webUrl } from "./testing/bank";
import { testBrowser } from "./testing/browser";
import { accepted, authorisationRequest, authorise, open, uidOf } from "./testing/tpp-journey";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
let consent: AccountConsent;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567");
  consent = await bank.consent(example.tpp);
});
afterAll(() => bank.close());

describe("the browser host", () => {
  it("X13: writes its own name into every URL, whatever the Host header says", async () => {
    const url = authorisationRequest(example.tpp, consent);
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
    const request = new Request(`https://evil.example${url.pathname}${url.search}`, { headers });
    const answer = await bank.server.serve(request);
    expect(answer.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/authorise\//);
  });

  it("is never cached and never named in a Referer", async () => {
    const request = new Request(authorisationRequest(example.tpp, consent));
    const answer = await bank.server.serve(request);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await answer.text()).toBe("");
  });

  it.each(["POST", "HEAD", "PUT"])("offers no %s", async (method) => {
    const request = new Request(authorisationRequest(example.tpp, consent), { method });
    expect((await bank.server.serve(request)).status).toBe(405);
  });

  it("leads a browser without an interaction to the bank's page", async () => {
    const answer = await bank.server.serve(new Request(`${webUrl}/auth/V1StGXR8_Z5jdHi6B-myT`));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${webUrl}/authorise/ended?reason=gone`);
  });
});

describe("the browser", () => {
  it("P1: another browser, or a link with another uid, has no interaction", async () => {
    const consent = await bank.consent(example.tpp);
    const mine = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), mine);
    const theirs = testBrowser();
    const other = await open(bank, authorisationRequest(example.tpp, consent), theirs);
    const { read } = bank.server.interactions;
    const cookies = mine.cookiesFor(page.pathname);
    expect(await read(uidOf(page), cookies)).toBeDefined();
    expect(await read(uidOf(page), undefined)).toBeUndefined();
    expect(await read(uidOf(other), cookies)).toBeUndefined();
    expect(await read(uidOf(page), theirs.cookiesFor(other.pathname))).toBeUndefined();
    expect(await read(uidOf(page), `_interaction=${uidOf(page)}`)).toBeUndefined();
    const forged = cookies?.replaceAll(uidOf(page), uidOf(other));
    expect(await read(uidOf(other), forged)).toBeUndefined();
  });

  it("P13: a second authorisation in the same browser asks for the PSU again", async () => {
    const browser = testBrowser();
    const first = await bank.consent(example.tpp, { recurringIndicator: false });
    const back = await authorise(bank, example.tpp, first, browser);
    expect(back.searchParams.has("code")).toBe(true);
    const second = await bank.consent(example.tpp, { recurringIndicator: false });
    const page = await open(bank, authorisationRequest(example.tpp, second), browser);
    expect(page.pathname).toMatch(/^\/authorise\//);
    const secondBack = await authorise(bank, example.tpp, second, browser);
    expect(secondBack.searchParams.has("code")).toBe(true);
  });

  it("keeps its cookies to the one interaction, out of scripts and off other sites", async () => {
    const consent = await bank.consent(example.tpp);
    const url = authorisationRequest(example.tpp, consent);
    const cookies = (await bank.server.serve(new Request(url))).headers.getSetCookie();
    const names = cookies.map((cookie) => cookie.split("=")[0]);
    expect(names.sort()).toEqual([
      "_interaction",
      "_interaction.sig",
      "_interaction_resume",
      "_interaction_resume.sig",
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; path=\/(?:authorise|auth)\/[\w-]+;/);
      expect(cookie).toContain("; samesite=lax");
      expect(cookie).toContain("; httponly");
      expect(cookie).not.toContain("secure");
    }
  });

  it("gets cookies for https only where the browser host is on https", async () => {
    const server = authorisationServer({ ...bank.ports, webUrl: "https://bank.example" });
    const consent = await bank.consent(example.tpp);
    const answer = await server.serve(new Request(authorisationRequest(example.tpp, consent)));
    expect(answer.headers.get("location")).toMatch(/^https:\/\/bank\.example\/authorise\//);
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toHaveLength(4);
    for (const cookie of cookies) expect(cookie).toContain("; secure");
  });

  it("P13: gets no session cookie, and one it brings changes nothing", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    await bank.finalise(consent);
    const cookies = browser.cookiesFor(page.pathname);
    const onward = await accepted(bank, page, cookies, consent);
    const cookie = `${browser.cookiesFor(new URL(onward).pathname)}; _session=abc; _session.sig=x`;
    const answer = await bank.server.serve(new Request(onward, { headers: { cookie } }));
    expect(answer.headers.get("location")).toContain("code=");
    expect(answer.headers.getSetCookie().filter((set) => set.startsWith("_session"))).toEqual([]);
    const [{ sessions }] = await bank.sql<[{ sessions: string }]>`
      select count(*) as sessions from oidc_payload where model = 'Session'`;
    expect(sessions).toBe("0");
  });

  it("may come late, and is still known a window longer than the longest window", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    bank.passTime(179, "minute");
    const cookies = browser.cookiesFor(page.pathname);
    expect(await bank.server.interactions.read(uidOf(page), cookies)).toBeDefined();
    bank.passTime(2, "minute");
    expect(await bank.server.interactions.read(uidOf(page), cookies)).toBeUndefined();
  });

  it("forgets an interaction that the PSU refused, as often as it is told to", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    const cookies = browser.cookiesFor(page.pathname);
    const { read, refuse } = bank.server.interactions;
    await refuse(uidOf(page), undefined);
    expect(await read(uidOf(page), cookies)).toBeDefined();
    await refuse(uidOf(page), cookies);
    await refuse(uidOf(page), cookies);
    expect(await read(uidOf(page), cookies)).toBeUndefined();
  });
});
