import { describe, expect, it } from "vitest";
import { endedPath, endedReasons } from "./ended-reason";
import { NO_PAGE, ownPage } from "./own-page";
import { switchLanguage } from "./switch-language";
import { browser } from "./testing/browser";
import { desk, uid, WEB_URL } from "./testing/desk";
import { htmlIn, textOf } from "./testing/rendered";
import { languages } from "./texts/language";
import { textsFor } from "./texts/texts-for";

const SAME = { "sec-fetch-site": "same-origin" };

async function posted(fields: Readonly<Record<string, string>>, headers: HeadersInit = SAME) {
  const { house } = await desk();
  const body = new URLSearchParams(fields);
  const request = new Request(`${WEB_URL}/language`, { method: "POST", body, headers });
  const answer = await switchLanguage(house, request);
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

describe("on a page", () => {
  it.each(languages)("%s: the other language is a button under its own name", async (language) => {
    const other = language === "ro" ? "en" : "ro";
    const page = htmlIn(textsFor(language), await browser(await desk()).look());
    const [, form = ""] = /<form[^>]* action="\/language"[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
    expect(textOf(form)).toBe("RomânăEnglish");
    const [button = ""] = /<button[^>]*>/.exec(form) ?? [];
    for (const attribute of [`lang="${other}"`, `value="${other}"`, 'name="language"']) {
      expect(button).toContain(` ${attribute}`);
    }
    expect(form).toMatch(new RegExp(`<span[^>]* lang="${language}"[^>]*aria-current="true"`));
    expect(form).toContain(`value="/authorise/${uid}"`);
  });

  it("it leads back to the very question, with all that was answered", async () => {
    const psu = browser(await desk());
    await psu.signIn();
    const first = htmlIn(textsFor("en"), await psu.choose("current"));
    expect(first).toContain(`value="/authorise/${uid}"`);
    const again = htmlIn(textsFor("ro"), await psu.look("accounts"));
    expect(again).toContain(`value="/authorise/${uid}?question=accounts"`);
    expect(again).toMatch(/<input[^>]*checked=""[^>]*value="current"/);
  });
});
