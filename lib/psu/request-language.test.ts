import { describe, expect, it } from "vitest";
import { chooseLanguage, requestLanguage } from "./request-language";
import type { Language } from "./texts/language";

const config = { WEB_URL: "https://bank.example" };
const profile = { defaultLanguage: "en" } as const;

type Asking = {
  readonly cookie?: string;
  readonly uiLocales?: string;
  readonly accept?: string;
};

function languageOf({ cookie, uiLocales, accept }: Asking, defaultLanguage: Language = "en") {
  const headers = new Headers();
  if (cookie !== undefined) headers.set("cookie", cookie);
  if (accept !== undefined) headers.set("accept-language", accept);
  return requestLanguage({ config, profile: { defaultLanguage } }, headers, uiLocales);
}

const chosen = (value: string) => `other=1; __Host-drawbridge-language=${value}; more=2`;

describe("a PSU is spoken to in", () => {
  it.each<readonly [string, Asking, Language]>([
    ["the PSU's own choice", { cookie: chosen("ro"), uiLocales: "en", accept: "en" }, "ro"],
    ["it also when it is the default", { cookie: chosen("en"), uiLocales: "ro" }, "en"],
    ["what the TPP knows, before what the browser says", { uiLocales: "ro", accept: "en" }, "ro"],
    ["what the browser says", { accept: "ro-RO,ro;q=0.9,en;q=0.8" }, "ro"],
    [
      "what the browser says, where the TPP knows none of ours",
      { uiLocales: "de", accept: "ro" },
      "ro",
    ],
    ["the bank's own language, where nobody says anything", {}, "en"],
    ["the bank's own language, where all want another", { uiLocales: "de", accept: "fr" }, "en"],
    ["no language that a cookie makes up", { cookie: chosen("de"), accept: "ro" }, "ro"],
    ["no language of an empty cookie", { cookie: chosen(""), accept: "ro" }, "ro"],
    ["nothing that is no language", { cookie: chosen("constructor"), accept: "ro" }, "ro"],
    ["nothing of a cookie of http", { cookie: "drawbridge-language=en", accept: "ro" }, "ro"],
  ])("%s", (_what, asking, language) => {
    expect(languageOf(asking)).toBe(language);
  });

  it("the bank's own language, whichever that is", () => {
    expect(languageOf({}, "ro")).toBe("ro");
    expect(languageOf({ accept: "*" }, "ro")).toBe("ro");
  });
});

describe("the choice", () => {
  it("is kept by a cookie of this host alone, which no script reads", () => {
    expect(chooseLanguage(config, "ro")).toBe(
      "__Host-drawbridge-language=ro; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=31536000",
    );
    const local = { WEB_URL: "http://localhost:3000" };
    expect(chooseLanguage(local, "en")).toMatch(/^drawbridge-language=en; (?!.*Secure)/);
    const headers = new Headers({ cookie: "drawbridge-language=ro" });
    expect(requestLanguage({ config: local, profile }, headers)).toBe("ro");
  });
});
