import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CodeQuestion } from "@/app/(psu)/sign-in/code-question";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { ana } from "@/lib/domain/testing/samples";
import { browser } from "./testing/browser";
import { type Desk, desk, fundsDesk, paymentDesk } from "./testing/desk";
import { ownBrowser } from "./testing/own-browser";
import { buttons, html, textOf, titleOf } from "./testing/rendered";
import type { Language } from "./texts/language";
import { textsFor } from "./texts/texts-for";

const max = aspspProfile.sca.textsPerHourMax;
const said = { outcome: { outcome: "too-many-texts" } };

/** As many as there may be have gone to ana's phone a moment ago. */
async function usedUp(ours: Desk) {
  const now = await ours.house.clock.now();
  ours.bank.textsSent.set(
    ana,
    Array.from({ length: max }, () => now),
  );
}

const desks = {
  consent: async () => {
    const ours = await desk();
    await usedUp(ours);
    const psu = browser(ours);
    await psu.signIn();
    return { ours, psu, shown: await psu.choose("current") };
  },
  payment: async () => signedIn(paymentDesk()),
  funds: async () => signedIn(fundsDesk()),
};

async function signedIn(ours: ReturnType<typeof paymentDesk> | ReturnType<typeof fundsDesk>) {
  await usedUp(ours);
  const psu = browser(ours);
  return { ours, psu, shown: await psu.signIn() };
}

describe.each(Object.entries(desks))("P6: when an hour's texts are used up: %s", (_kind, at) => {
  it("none is sent, and the page says so with the way back", async () => {
    const { ours, psu, shown } = await at();
    expect(shown).toMatchObject(said);
    expect(ours.bank.texts).toEqual([]);
    const page = html(shown);
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(textOf(page)).toContain("no more are sent for now");
    expect(buttons(page)).toContain("Cancel");
    const left = await psu.send("cancel");
    expect(left.headers.get("location")).toContain("error=access_denied");
  });
});

describe("P6: the texts of an hour", () => {
  it("are counted over authorisations and sign-ins together, and come back with time", async () => {
    const ours = paymentDesk();
    await browser(ours).signIn();
    for (let sent = 1; sent < max; sent += 1) await ownBrowser(ours).typePassword();
    expect(ours.bank.texts).toHaveLength(max);
    const psu = ownBrowser(ours);
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "code", sentAt: undefined, ...said });
    await psu.send("new-code");
    expect(await psu.look()).toMatchObject(said);
    expect(ours.bank.texts).toHaveLength(max);
    ours.wait(60);
    await psu.typePassword();
    expect(ours.bank.texts).toHaveLength(max + 1);
  });

  it("are each PSU's own", async () => {
    const ours = await desk();
    await usedUp(ours);
    await ownBrowser(ours).typePassword("mihai");
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("leave a code that is under way as it is", async () => {
    const ours = paymentDesk();
    const psu = browser(ours);
    await psu.signIn();
    await usedUp(ours);
    await psu.send("code");
    expect(await psu.look()).toMatchObject(said);
    expect(ours.authorisation().codesSent).toBe(1);
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(ours.authorisation().scaStatus).toBe("finalised");
  });

  it.each<Language>(["en", "ro"])("are spoken of at the sign-in too: %s", async (language) => {
    const ours = await desk();
    await usedUp(ours);
    const psu = ownBrowser(ours, language);
    await psu.typePassword();
    const view = await psu.look();
    if (view.page !== "code") throw new Error(view.page);
    const texts = textsFor(language);
    const page = renderToStaticMarkup(createElement(CodeQuestion, { texts, view }));
    const words = texts.signIn.outcomes["too-many-texts"].text(undefined);
    expect(textOf(page)).toContain(words.slice(0, 40));
    expect(titleOf(page)).toMatch(new RegExp(`^${texts.frame.errorPrefix}`));
  });
});
