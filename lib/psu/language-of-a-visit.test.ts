import { describe, expect, it } from "vitest";
import { readDeparture } from "./departure";
import type { Action } from "./form-token";
import { takeAnswer } from "./take-answer";
import { browser } from "./testing/browser";
import { type Desk, desk, fundsDesk, paymentDesk, uid, WEB_URL } from "./testing/desk";
import { openVisit } from "./visit";

type FormFields = Readonly<Record<string, string>>;

const said = (ours: Desk) => ours.bank.texts.at(-1)?.text;

function knownToRead(ours: Desk, uiLocales: string) {
  const interaction = ours.open.get(uid);
  if (interaction !== undefined) ours.open.set(uid, { ...interaction, uiLocales });
  return ours;
}

describe("the text message with the code is in the language of the page", () => {
  it("accounts to share: how many, and until when", async () => {
    const ours = await desk();
    const psu = browser(ours, uid, "ro-RO");
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

  it("access for one time is told as such", async () => {
    const ours = await desk();
    ours.bank.consents.set(ours.consent.id, { ...ours.consent, recurringIndicator: false });
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current", "second");
    expect(said(ours)).toContain("read 2 accounts once.");
  });

  it("P7: a payment: amount and payee in both", async () => {
    const ours = paymentDesk();
    await browser(knownToRead(ours, "ro en"), uid).signIn();
    expect(said(ours)).toBe(
      "123456 este codul pentru a plăti 1.234,50 RON către „Shop SRL”, RO49AAAA1B31007593840000, la cererea „Example TPP”. Nu îl spuneți nimănui.",
    );
    const english = paymentDesk();
    await browser(english).signIn();
    expect(said(english)).toContain('pay 1234.50 RON to "Shop SRL", RO49AAAA1B31007593840000');
  });

  it("checks of funds: of which account", async () => {
    const ours = fundsDesk();
    await browser(ours, uid, "ro").signIn();
    expect(said(ours)).toBe(
      "123456 este codul cu care permiteți ca „Example TPP” să verifice dacă în contul RO21 DRWB 0000 0000 0000 0001 sunt destui bani. Nu îl spuneți nimănui.",
    );
  });
});

describe("what the TPP knows of the PSU's language", () => {
  it("stands above what the browser says, on every page of the request", async () => {
    const ours = knownToRead(await desk(), "ro");
    const headers = new Headers({ cookie: `_interaction=${uid}`, "accept-language": "en" });
    expect(await openVisit(ours.house, uid, headers)).toMatchObject({ language: "ro" });
  });

  const lastPage = async (ours: Desk, cookie: string, action: Action, form: FormFields) => {
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    const sent = { method: "POST", body: new URLSearchParams(form), headers };
    const request = new Request(`${WEB_URL}/authorise/${uid}/${action}`, sent);
    const answer = await takeAnswer(ours.house, { request, uid, action });
    const to = answer.headers.get("location")?.split("/authorise/leaving/")[1];
    return readDeparture(ours.house, to);
  };

  it("goes with the PSU to the last page, which Confirm leads to", async () => {
    const ours = knownToRead(paymentDesk(), "ro");
    const psu = browser(ours);
    const view = await psu.signIn();
    if (!("tokens" in view)) throw new Error("no form");
    const form = { token: view.tokens.confirm, code: psu.lastCode() };
    const departure = await lastPage(ours, psu.jar.header(), "confirm", form);
    expect(departure).toMatchObject({ uiLocales: "ro" });
  });

  it.each(["while the request is open", "when it is over"])(
    "and to the one which Cancel leads to, %s",
    async (when) => {
      const ours = knownToRead(await desk(), "ro");
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
      expect(departure).toMatchObject({ uiLocales: "ro" });
    },
  );
});
