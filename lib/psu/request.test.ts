import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { actions, formTokens } from "./form-token";
import { endedPath, endedReasons } from "./pages";
import { NO_PAGE, ownPage } from "./paths";
import { switchLanguage, takeAnswer } from "./request";
import { bankWithConsent, browser, sampleUid, WEB_URL } from "./testing/authorisation";
import { htmlIn, textOf } from "./testing/rendered";
import { languages } from "./texts/formats";
import { textsFor } from "./texts/texts-for";

const credentials = [
  ["userId", "ana"],
  ["password", "ana-sandbox"],
] as const;

/** A PSU who has the page open. */
async function waiting() {
  const ours = await bankWithConsent();
  const psu = browser(ours);
  await psu.look();
  return { ours, psu };
}

describe("during an upgrade", () => {
  it("servers of two releases accept each other's forms: a token signs the same text in both", async () => {
    const secret = "x".repeat(32);
    const signed = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");
    const asked = { secret, uid: sampleUid, session: { state: "own", id: "session-1" } } as const;
    expect(await formTokens(asked)).toMatchObject({
      login: signed(`psu-form\n${sampleUid}\nlogin\ninteraction`),
      confirm: signed(`psu-form\n${sampleUid}\nconfirm\nsession session-1`),
    });
  });
});

describe("P2: a form changes nothing", () => {
  const origins: readonly Readonly<Record<string, string>>[] = [
    { "sec-fetch-site": "cross-site", origin: WEB_URL },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `${WEB_URL}.evil.example` },
    {},
  ];

  it.each(origins)("when it comes from elsewhere: %j", async (headers) => {
    const { ours, psu } = await waiting();
    const cookie = psu.jar.header();
    for (const action of actions) {
      const response = await psu.send(action, credentials, { headers: { ...headers, cookie } });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`/authorise/${sampleUid}`);
    }
    expect(ours.authorisation()).toMatchObject({ scaStatus: "received", failedAttempts: 0 });
    expect(ours.calls).toEqual([]);
  });

  it("when its token is missing, made up, or another form's", async () => {
    const { ours, psu } = await waiting();
    const other = browser(await bankWithConsent());
    const view = await other.look();
    const cancelToken = "tokens" in view ? view.tokens.cancel : "none";
    for (const token of ["", "made-up", cancelToken]) {
      await psu.send("login", credentials, { token });
    }
    expect(ours.authorisation()).toMatchObject({ scaStatus: "received", failedAttempts: 0 });
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "stale-form" } });
  });

  it("when its token is that of another interaction", async () => {
    const { ours, psu } = await waiting();
    const first = ours.open.get(sampleUid);
    if (first === undefined) throw new Error("no interaction");
    ours.open.set("other", { ...first, uid: "other" });
    const view = await browser(ours, "other").look();
    const token = "tokens" in view ? view.tokens.login : "none";
    await psu.send("login", credentials, { token });
    expect(ours.authorisation().scaStatus).toBe("received");
  });

  it("when its token was shown to another session", async () => {
    const { ours, psu } = await waiting();
    const before = await psu.look();
    const token = "tokens" in before ? before.tokens.accounts : "none";
    await psu.signIn();
    await psu.send("accounts", [["all", "yes"]], { token });
    expect(ours.authorisation().scaStatus).toBe("psuAuthenticated");
  });

  it("when the browser has no cookie of the interaction", async () => {
    const { ours, psu } = await waiting();
    psu.jar.cookies.clear();
    await psu.send("login", credentials);
    await psu.send("cancel");
    expect(ours.authorisation().scaStatus).toBe("received");
  });

  it("when it is no form, or larger than 64 KiB", async () => {
    const { ours, psu } = await waiting();
    const headers = { cookie: psu.jar.header(), "sec-fetch-site": "same-origin" };
    const post = (body: string, type: string) =>
      takeAnswer(ours.services, {
        request: new Request(`${WEB_URL}/authorise/${sampleUid}/cancel`, {
          method: "POST",
          body,
          headers: { ...headers, "content-type": type },
        }),
        uid: sampleUid,
        action: "cancel",
      });
    const form = "application/x-www-form-urlencoded";
    expect((await post("{}", "application/json")).status).toBe(303);
    expect((await post(`a=${"x".repeat(65_536)}`, form)).headers.getSetCookie()).toEqual([]);
    expect(ours.authorisation().scaStatus).toBe("received");
  });
});

it("P2: a browser without Sec-Fetch-Site is believed when Origin is ours", async () => {
  const { ours, psu } = await waiting();
  const headers = { cookie: psu.jar.header(), origin: WEB_URL };
  await psu.send("login", credentials, { headers });
  expect(ours.authorisation().scaStatus).toBe("psuAuthenticated");
});

const SAME = { "sec-fetch-site": "same-origin" };

async function posted(fields: Readonly<Record<string, string>>, headers: HeadersInit = SAME) {
  const { services } = await bankWithConsent();
  const body = new URLSearchParams(fields);
  const request = new Request(`${WEB_URL}/language`, { method: "POST", body, headers });
  const answer = await switchLanguage(services, request);
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    cookie: answer.headers.getSetCookie().join(),
  };
}

describe("the switch of languages", () => {
  it("keeps the choice and leads back to the page on which it was made", async () => {
    expect(await posted({ language: "ro", back: "/authorise/abc?question=accounts" })).toEqual({
      status: 303,
      location: "/authorise/abc?question=accounts",
      cookie: expect.stringMatching(/^drawbridge-language=ro; Path=\/; HttpOnly; SameSite=Lax/),
    });
  });

  it.each(["de", "", "constructor", "ro; Domain=.example", "ro\r\nx: y"])(
    "keeps no language %j",
    async (language) => {
      const answer = await posted({ language, back: "/authorise/abc" });
      expect(answer).toEqual({ status: 303, location: "/authorise/abc", cookie: "" });
    },
  );

  it.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
    {},
  ])("P2: takes nothing from a page that is not the bank's: %j", async (headers) => {
    const answer = await posted({ language: "ro", back: "/authorise/abc" }, headers);
    expect(answer).toEqual({ status: 303, location: NO_PAGE, cookie: "" });
  });

  it.each([{ back: "https://evil.example/" }, { back: "//evil.example" }, {}])(
    "O12: leads to no address but the bank's own: %j",
    async (fields) => {
      const answer = await posted({ language: "ro", ...fields });
      expect(answer).toMatchObject({ status: 303, location: NO_PAGE });
    },
  );

  it("takes no form of another kind, and none that is too large", async () => {
    const large = await posted({ language: "ro", back: "x".repeat(70_000) });
    const other = await posted({ language: "ro" }, { ...SAME, "content-type": "text/plain" });
    for (const answer of [large, other]) {
      expect(answer).toEqual({ status: 303, location: NO_PAGE, cookie: "" });
    }
  });
});

describe("the pages it leads back to", () => {
  it.each([
    "/",
    "/authorise/V1StGXR8_Z5jdHi6B-myT",
    "/authorise/V1StGXR8_Z5jdHi6B-myT?question=accounts",
    ...endedReasons.map(endedPath),
    "/authorise/leaving/eyJhbGciOiJkaXIi..x_y.z-1.w",
    "/permissions",
    "/permissions/4f9c1d0e-1111-4222-8333-444455556666",
    "/passkeys",
  ])("%s", (path) => {
    expect(ownPage(path)).toBe(path);
  });

  it.each([
    null,
    "",
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/authorise/abc@evil.example",
    "/authorise/abc\r\nSet-Cookie: x=y",
    "/authorise/abc\n",
    "/authorise/abc/cancel",
    "/authorise/abc?question=accounts&x=//evil.example",
    "/authorise/leaving/x?to=https://evil.example",
    "/permissions//evil.example",
    "/language",
    "/auth?client_id=x",
    "javascript:alert(1)",
  ])("O12: and never to %j", (path) => {
    expect(ownPage(path)).toBe(NO_PAGE);
  });
});

describe("the languages on a page", () => {
  it.each(languages)("%s: the other language is a button under its own name", async (language) => {
    const other = language === "ro" ? "en" : "ro";
    const page = htmlIn(textsFor(language), await browser(await bankWithConsent()).look());
    const [, form = ""] = /<form[^>]* action="\/language"[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
    expect(textOf(form)).toBe("RomânăEnglish");
    const [button = ""] = /<button[^>]*>/.exec(form) ?? [];
    for (const attribute of [`lang="${other}"`, `value="${other}"`, 'name="language"']) {
      expect(button).toContain(` ${attribute}`);
    }
    expect(form).toMatch(new RegExp(`<span[^>]* lang="${language}"[^>]*aria-current="true"`));
    expect(form).toContain(`value="/authorise/${sampleUid}"`);
  });

  it("it leads back to the very question, with all that was answered", async () => {
    const psu = browser(await bankWithConsent());
    await psu.signIn();
    const first = htmlIn(textsFor("en"), await psu.choose("current"));
    expect(first).toContain(`value="/authorise/${sampleUid}"`);
    const again = htmlIn(textsFor("ro"), await psu.look("accounts"));
    expect(again).toContain(`value="/authorise/${sampleUid}?question=accounts"`);
    expect(again).toMatch(/<input[^>]*checked=""[^>]*value="current"/);
  });
});
