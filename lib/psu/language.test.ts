import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action } from "./form-token";
import { chooseLanguage, requestLanguage } from "./language";
import { readDeparture } from "./leave";
import { HOME, listPath, NO_PAGE, ownPage } from "./paths";
import { takeAnswer } from "./request";
import {
  bankWithConsent,
  bankWithFundsConsent,
  bankWithPayment,
  browser,
  sampleUid,
  type TestBank,
  WEB_URL,
} from "./testing/authorisation";
import { type Language, languages } from "./texts/formats";
import { openVisit } from "./visit";

type FormFields = Readonly<Record<string, string>>;

const said = (ours: TestBank) => ours.bank.texts.at(-1)?.text;

function knownToRead(ours: TestBank, uiLocales: string) {
  const interaction = ours.open.get(sampleUid);
  if (interaction !== undefined) ours.open.set(sampleUid, { ...interaction, uiLocales });
  return ours;
}

describe("the text message with the code is in the language of the page", () => {
  it("accounts to share: how many, and until when", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours, sampleUid, "ro-RO");
    await psu.signIn();
    await psu.choose("current");
    expect(said(ours)).toBe(
      "123456 este codul cu care permiteți ca „Example TPP” să consulte 1 cont până la 1 februarie 2027. Nu îl spuneți nimănui.",
    );
    psu.jar.cookies.set("drawbridge-language", "en");
    await psu.look();
    await psu.send("code");
    expect(said(ours)).toBe(
      '234567 is your code to let "Example TPP" read 1 account until 1 February 2027. Never tell it to anybody.',
    );
  });

  it("access for one time: the message says so", async () => {
    const ours = await bankWithConsent();
    ours.bank.consents.set(ours.consent.id, { ...ours.consent, recurringIndicator: false });
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current", "second");
    expect(said(ours)).toContain("read 2 accounts once.");
  });

  it("P7: a payment: amount and payee in both", async () => {
    const ours = bankWithPayment();
    await browser(knownToRead(ours, "ro en"), sampleUid).signIn();
    expect(said(ours)).toBe(
      "123456 este codul pentru a plăti 1.234,50 RON către „Shop SRL”, RO49AAAA1B31007593840000, la cererea „Example TPP”. Nu îl spuneți nimănui.",
    );
    const english = bankWithPayment();
    await browser(english).signIn();
    expect(said(english)).toContain('pay 1234.50 RON to "Shop SRL", RO49AAAA1B31007593840000');
  });

  it("checks of funds: of which account", async () => {
    const ours = bankWithFundsConsent();
    await browser(ours, sampleUid, "ro").signIn();
    expect(said(ours)).toBe(
      "123456 este codul cu care permiteți ca „Example TPP” să verifice dacă în contul RO21 DRWB 0000 0000 0000 0001 sunt destui bani. Nu îl spuneți nimănui.",
    );
  });
});

describe("what the TPP knows of the PSU's language", () => {
  it("stands above what the browser says, on every page of the request", async () => {
    const ours = knownToRead(await bankWithConsent(), "ro");
    const headers = new Headers({ cookie: `_interaction=${sampleUid}`, "accept-language": "en" });
    expect(await openVisit(ours.services, sampleUid, headers)).toMatchObject({ language: "ro" });
  });

  it.each([
    ["ro-RO,ro;q=0.9,en;q=0.8", undefined, "ro"],
    ["de, ro;q=0.5, en;q=0.7", undefined, "en"],
    ["en;q=0, ro;q=0.1", undefined, "ro"],
    ["ro", "en", "en"],
    ["*, de;q=0.5", undefined, "en"],
  ])(
    "is PSU-Accept-Language %s where ui_locales (%s) says none",
    async (acceptLanguage, locales, language) => {
      const ours = await bankWithConsent();
      if (locales !== undefined) knownToRead(ours, locales);
      ours.change({ acceptLanguage });
      const headers = new Headers({ cookie: `_interaction=${sampleUid}`, "accept-language": "en" });
      expect(await openVisit(ours.services, sampleUid, headers)).toMatchObject({ language });
    },
  );

  const lastPage = async (ours: TestBank, cookie: string, action: Action, form: FormFields) => {
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    const sent = { method: "POST", body: new URLSearchParams(form), headers };
    const request = new Request(`${WEB_URL}/authorise/${sampleUid}/${action}`, sent);
    const answer = await takeAnswer(ours.services, { request, uid: sampleUid, action });
    const to = answer.headers.get("location")?.split("/authorise/leaving/")[1];
    return readDeparture(ours.services, to);
  };

  it("goes with the PSU to the last page, which Confirm leads to", async () => {
    const ours = knownToRead(bankWithPayment(), "ro");
    const psu = browser(ours);
    const view = await psu.signIn();
    if (!("tokens" in view)) throw new Error("no form");
    const form = { token: view.tokens.confirm, code: psu.lastCode() };
    const departure = await lastPage(ours, psu.jar.header(), "confirm", form);
    expect(departure).toMatchObject({ uiLocales: "ro", outcome: "confirmed" });
  });

  it.each(["while the request is open", "when it is over"])(
    "and to the one which Cancel leads to, %s",
    async (when) => {
      const ours = knownToRead(await bankWithConsent(), "ro");
      const psu = browser(ours);
      const view = await psu.look();
      if (!("tokens" in view)) throw new Error("no form");
      if (when === "when it is over") {
        ours.wait(16);
        await psu.look();
        ours.open.clear();
      }
      const form = { token: view.tokens.cancel, ticket: view.ticket };
      const departure = await lastPage(ours, psu.jar.header(), "cancel", form);
      expect(departure).toMatchObject({ uiLocales: "ro", outcome: "not-confirmed" });
    },
  );
});

const config = { WEB_URL: "https://bank.example" };
const profile = { defaultLanguage: "en", languages: ["ro", "en"] } as const;

type Asking = {
  readonly cookie?: string;
  readonly uiLocales?: string;
  readonly accept?: string;
};

function languageOf({ cookie, uiLocales, accept }: Asking, defaultLanguage: Language = "en") {
  const headers = new Map(Object.entries({ cookie, "accept-language": accept }));
  const get = (name: string) => headers.get(name) ?? null;
  return requestLanguage(
    { config, profile: { defaultLanguage, languages: ["ro", "en"] } },
    { get },
    uiLocales,
  );
}

/** Undefined where the request wants none of ours, so that the bank's own is taken. */
function wanted(asking: Asking): Language | undefined {
  const language = languageOf(asking, "en");
  return language === languageOf(asking, "ro") ? language : undefined;
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

describe("the choice of a language", () => {
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

it("the language can be switched on a list searched for as many letters as its field takes, of any script", () => {
  for (const letter of ["ț", "ш", "語"]) {
    const list = listPath({ text: letter.repeat(70), kind: "payments", state: "past" });
    expect(ownPage(list)).toBe(list);
  }
  expect(ownPage(`${HOME}?text=${"x".repeat(2_000)}`)).toBe(NO_PAGE);
});

describe("ui_locales: the first of our languages in the TPP's order", () => {
  it.each<readonly [string, Language | undefined]>([
    ["ro", "ro"],
    ["ro-RO", "ro"],
    ["ro_RO", "ro"],
    ["RO-md", "ro"],
    ["en-GB ro", "en"],
    ["de fr-CA ro en", "ro"],
    ["  en   ro ", "en"],
    ["rom", undefined],
    ["xro enx", undefined],
    ["de fr", undefined],
    ["x-ro", undefined],
    ["*", undefined],
    ["ro,en", undefined],
    ["", undefined],
    ["constructor __proto__", undefined],
    [`${"de ".repeat(400)}ro`, undefined],
  ])("%j: %s", (tags, language) => {
    expect(wanted({ uiLocales: tags })).toBe(language);
  });
});

describe("Accept-Language: the most wanted of our languages", () => {
  it.each<readonly [string, Language | undefined]>([
    ["ro-RO,ro;q=0.9,en-US;q=0.8,en;q=0.7", "ro"],
    ["en;q=0.4, ro;q=0.5", "ro"],
    ["ro, en", "ro"],
    ["en, ro", "en"],
    ["de, ro;q=0.1", "ro"],
    ["ro;q=0.5, en;q=0.50", "ro"],
    ["RO ; Q=1.000", "ro"],
    ["en-GB;q=0, en;q=0.3, ro;q=0.2", "en"],
    ["*", undefined],
    ["de, *;q=0.1", undefined],
    ["ro;q=0.2, *;q=0.3", "en"],
    ["en;q=0, *", "ro"],
    ["ro;q=0", undefined],
    ["ro;q=2", undefined],
    ["ro;q=0.1234", undefined],
    ["ro;q=", undefined],
    ["ro;q=x, en;q=0.1", "en"],
    ["de-DE, fr;q=0.9", undefined],
    ["", undefined],
    [";q=1", undefined],
    [",,,", undefined],
    [`${"de,".repeat(400)}ro`, undefined],
  ])("%j: %s", (header, language) => {
    expect(wanted({ accept: header })).toBe(language);
  });

  it("is the one of the higher quality, wherever the two stand", () => {
    const quality = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(quality, quality, fc.boolean(), (ro, en, first) => {
        fc.pre(ro !== en);
        const ranges = [`ro;q=${ro / 1000}`, `en-GB;q=${en / 1000}`];
        const header = (first ? ranges : ranges.toReversed()).join(", ");
        expect(wanted({ accept: header })).toBe(ro > en ? "ro" : "en");
      }),
    );
  });
});

it("whatever is sent, the language is one of ours", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3_000 }),
    fc.stringMatching(/^[roenROEN*;=q0-9., _-]{0,200}$/),
  );
  fc.assert(
    fc.property(anyText, anyText, (uiLocales, accept) => {
      expect(languages).toContain(languageOf({ uiLocales, accept }));
      expect(languages).toContain(languageOf({ accept }));
    }),
  );
});
