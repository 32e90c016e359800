import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CodeQuestion } from "@/app/(psu)/sign-in/sign-in-questions";
import type { ScaMeans } from "@/lib/domain/bank-profile";
import type { BankRefusal } from "@/lib/domain/core-bank";
import { ana } from "@/lib/domain/testing/samples";
import type { IsoDate } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { stepUpPath } from "./paths";
import {
  savings as another,
  atPayment,
  atSummary,
  bankWithConsent,
  bankWithFundsConsent,
  bankWithPayment,
  browser,
  locationOf,
  refusedAt,
  sampleUid,
  type TestBank,
  WEB_URL,
  withApp,
} from "./testing/authorisation";
import { ownBrowser } from "./testing/own-channel";
import { buttons, html, textOf, titleOf } from "./testing/rendered";
import type { Language } from "./texts/formats";
import { textsFor } from "./texts/texts-for";

describe("the PSU's journey", () => {
  it("goes login, accounts, summary, and on to the TPP's code", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    expect(await psu.look()).toMatchObject({ page: "login" });
    expect(await psu.signIn()).toMatchObject({ page: "accounts" });
    expect(await psu.choose("current")).toMatchObject({
      page: "summary",
      summary: { accounts: [{ account: { id: "current" } }] },
    });
    const answer = await psu.send("confirm", [
      ["code", ` ${psu.lastCode().replace(/^.../, "$& ")}`],
    ]);
    expect(answer.status).toBe(303);
    expect(locationOf(answer)).toBe(`${WEB_URL}/auth/${sampleUid}`);
    expect(ours.bank.consents.get(ours.consent.id)?.status).toBe("valid");
    expect(ours.calls).toEqual([`accept ${sampleUid}`]);
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it("Select all shares every account, ticked or not", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    await psu.send("accounts", [["all", "yes"]]);
    expect(ours.authorisation().selection).toEqual(["current", "second"]);
  });

  it("a consent whose last day has ended meanwhile is not asked about: the page says so, and leads back", async () => {
    const { ours, psu } = await atSummary();
    const { consent } = ours;
    ours.bank.consents.set(consent.id, { ...consent, validUntil: "2026-11-19" as IsoDate });
    for (const question of [undefined, "accounts"] as const) {
      expect(await psu.look(question)).toMatchObject({ page: "expired", decided: false });
    }
  });

  it("P9: an account of somebody else in the form is refused whole", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    expect(await psu.choose("current", "mihai-account")).toMatchObject({
      page: "accounts",
      outcome: { outcome: "not-offered" },
    });
    expect(ours.bank.texts).toHaveLength(0);
  });

  it("the accounts can be chosen again, and the earlier code is worth nothing", async () => {
    const { ours, psu } = await atSummary();
    const first = psu.lastCode();
    expect(await psu.look("accounts")).toMatchObject({ page: "accounts" });
    await psu.choose("second");
    await psu.enterCode(first);
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-code", attemptsLeft: 4 } });
    expect(ours.authorisation().scaStatus).toBe("started");
  });

  it("a PSU without payment accounts: the page says so, and leads back", async () => {
    const ours = await bankWithConsent();
    ours.bank.accountsOf.clear();
    expect(await browser(ours).signIn()).toMatchObject({ page: "nothing-to-share" });
  });

  it.each([
    ["a consent", bankWithConsent],
    ["a payment", bankWithPayment],
  ] as const)("RTS 9: no answer holds a code sent by text message: %s", async (_, bankWith) => {
    const ours = await bankWith();
    const psu = browser(ours);
    const told = [html(await psu.look())];
    const hear = async (answer: Response) => {
      told.push(JSON.stringify([...answer.headers]), await answer.text());
    };
    const asked = [
      () => psu.typePassword(),
      () => psu.send("accounts", [["account", "current"]]),
      () => psu.enterCode("000000"),
      () => psu.send("code"),
    ];
    for (const ask of asked) {
      await hear(await ask());
      told.push(html(await psu.look()));
    }
    await hear(await psu.enterCode());
    const sent = ["123456", "234567"];
    expect(ours.bank.texts.map(({ code }) => code)).toEqual(sent);
    const codes = told.flatMap((one) => one.match(/(?<!\d)\d{6}(?!\d)/g) ?? []);
    expect(sent.filter((code) => codes.includes(code))).toEqual([]);
  });
});

const kinds = [
  { kind: "a payment", page: "payment", bankWith: bankWithPayment },
  { kind: "a funds consent", page: "funds", bankWith: bankWithFundsConsent },
] as const;

describe.each(kinds)("the PSU's journey for $kind", ({ page, bankWith }) => {
  const signedIn = async (given: Parameters<typeof bankWith>[0] = {}) => {
    const ours = bankWith(given);
    const psu = browser(ours);
    return { ours, psu, view: await psu.signIn() };
  };

  it("goes login, then the page with the code, and on to the TPP's code", async () => {
    const ours = bankWith();
    const psu = browser(ours);
    expect(await psu.look()).toMatchObject({ page: "login" });
    expect(await psu.signIn()).toMatchObject({ page, code: { digits: 6, expired: false } });
    expect(ours.bank.texts).toHaveLength(1);
    const answer = await psu.enterCode();
    expect(locationOf(answer)).toBe(`${WEB_URL}/auth/${sampleUid}`);
    expect(ours.authorisation()).toMatchObject({
      scaStatus: "finalised",
      selection: ["current"],
    });
    expect(ours.calls).toEqual([`accept ${sampleUid}`]);
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it("who signs in again goes on with the code that was sent before", async () => {
    const { ours, psu } = await signedIn();
    ours.wait(1);
    expect(await psu.signIn()).toMatchObject({ page });
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("there is no question of accounts: neither its link nor its form changes anything", async () => {
    const { ours, psu } = await signedIn();
    expect(await psu.look("accounts")).toMatchObject({ page });
    expect(locationOf(await psu.send("accounts", [["account", "second"]]))).toBe(
      `/authorise/${sampleUid}`,
    );
    expect(ours.authorisation().selection).toEqual(["current"]);
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("without a code yet, one can be sent", async () => {
    const ours = bankWith();
    ours.change({ scaStatus: "psuAuthenticated", psuId: ana });
    const psu = browser(ours);
    const { startChallenge } = ours.services.authorisations;
    Object.assign(ours.services.authorisations, { startChallenge: async () => false });
    const view = await psu.signIn();
    expect(view).toMatchObject({ page });
    expect("code" in view && view.code.sentAt).toBeUndefined();
    Object.assign(ours.services.authorisations, { startChallenge });
    await psu.send("code");
    expect(await psu.look()).toMatchObject({ page, code: { sentAt: expect.any(Date) } });
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("an account that is none of the PSU's ends it: the page says so, and leads to the Nok URI", async () => {
    const ours = bankWith({ nok: "https://tpp.example/nok" });
    ours.bank.accountsOf.set(ana, [another]);
    const psu = browser(ours);
    expect(await psu.signIn()).toMatchObject({ page: "not-your-account", decided: true });
    expect(ours.authorisation()).toMatchObject({ failedBecause: "not-own-account" });
    expect(ours.bank.texts).toHaveLength(0);
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt("/nok"));
  });

  it("an account that is lost on the page: it says so, and Cancel still decides", async () => {
    const { ours, psu } = await signedIn();
    ours.bank.accountsOf.set(ana, [another]);
    expect(await psu.look()).toMatchObject({ page: "account-gone", decided: false });
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt());
    expect(ours.authorisation()).toMatchObject({ failedBecause: "cancelled" });
  });

  it("an account that is lost before the code is entered ends it", async () => {
    const { ours, psu } = await signedIn();
    ours.bank.accountsOf.set(ana, [another]);
    await psu.enterCode();
    expect(await psu.look()).toMatchObject({ page: "account-gone", decided: true });
    expect(ours.calls).toEqual([]);
  });

  it("P1: another browser with the same link and no session has to sign in", async () => {
    const { ours } = await signedIn();
    expect(await browser(ours).look()).toMatchObject({ page: "login-again" });
  });

  it("P6: a code works once: after another one was sent it is worth nothing", async () => {
    const { ours, psu } = await signedIn();
    const first = psu.lastCode();
    await psu.send("code");
    await psu.enterCode(first);
    expect(await psu.look()).toMatchObject({ page, outcome: { outcome: "wrong-code" } });
    expect(ours.authorisation().scaStatus).toBe("started");
  });

  it("P6: a code older than five minutes has expired, and costs no attempt", async () => {
    const { ours, psu } = await signedIn();
    ours.wait(4);
    await psu.look();
    ours.wait(1);
    await psu.enterCode();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "code-expired" } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it.each(["login", page])(
    "P10: Cancel at %s leads to the Nok URI, and nothing comes of it",
    async (at) => {
      const ours = bankWith({ nok: "https://tpp.example/nok" });
      const psu = browser(ours);
      expect(await (at === "login" ? psu.look() : psu.signIn())).toMatchObject({ page: at });
      expect(locationOf(await psu.send("cancel"))).toBe(refusedAt("/nok"));
      expect(ours.authorisation()).toMatchObject({
        scaStatus: "failed",
        failedBecause: "cancelled",
      });
      const status = "payment" in ours ? ours.payment().status : ours.consent().status;
      expect(status).toBe(page === "payment" ? "RJCT" : "rejected");
      expect(ours.calls).toEqual([`refuse ${sampleUid}`]);
    },
  );
});

describe("what a person can correct is asked again", () => {
  it.each([
    [["", ""], "credentials-missing"],
    [["", "x"], "user-id-missing"],
    [["ana", ""], "password-missing"],
    [["\u0000\u0007", "x"], "user-id-missing"],
  ] as const)("login with %j: %s, and no attempt is taken", async ([userId, password], outcome) => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.look();
    await psu.typePassword(userId, password);
    expect(await psu.look()).toMatchObject({ page: "login", outcome: { outcome } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it.each([
    ["", "code-missing"],
    ["12a456", "code-malformed"],
    ["12345", "code-malformed"],
    ["１２３４５６", "code-malformed"],
  ])("code %j: %s, and no attempt is taken", async (code, outcome) => {
    const { ours, psu } = await atSummary();
    await psu.enterCode(code);
    expect(await psu.look()).toMatchObject({ page: "summary", outcome: { outcome } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it("a new code takes the place of the old one, three times at most", async () => {
    const { ours, psu } = await atSummary();
    for (let time = 0; time < 3; time += 1) {
      await psu.send("code");
      expect(await psu.look()).toMatchObject({ outcome: { outcome: "new-code-sent" } });
    }
    await psu.send("code");
    expect(await psu.look()).toMatchObject({
      outcome: { outcome: "too-many-codes" },
      code: { newCodePossible: false },
    });
    expect(ours.bank.texts).toHaveLength(4);
  });

  it("nothing selected: the accounts again, also from the summary", async () => {
    const { psu } = await atSummary();
    await psu.look("accounts");
    const answer = await psu.send("accounts");
    expect(locationOf(answer)).toBe(`/authorise/${sampleUid}?question=accounts`);
    const view = await psu.look("accounts");
    expect(view).toMatchObject({ page: "accounts", outcome: { outcome: "nothing-selected" } });
  });
});

type Prepare = (ours: TestBank) => void | Promise<void>;

/** A PSU at the page with the code, at a bank that was prepared. */
const requests = {
  consent: async (prepare: Prepare) => {
    const ours = await bankWithConsent();
    await prepare(ours);
    const psu = browser(ours);
    await psu.signIn();
    return { ours, psu, shown: await psu.choose("current") };
  },
  payment: (prepare: Prepare) => signedInAt(bankWithPayment(), prepare),
  funds: (prepare: Prepare) => signedInAt(bankWithFundsConsent(), prepare),
};

async function signedInAt(ours: TestBank, prepare: Prepare) {
  await prepare(ours);
  const psu = browser(ours);
  return { ours, psu, shown: await psu.signIn() };
}

describe.each(Object.entries(requests))(
  "a text message that cannot be delivered: %s",
  (_kind, atCode) => {
    const at = () =>
      atCode(({ bank }) => {
        bank.delivers = false;
      });

    it("is said, with the buttons for another and for Cancel", async () => {
      const { shown } = await at();
      const page = html(shown);
      expect(shown).toMatchObject({ outcome: { outcome: "not-delivered" } });
      expect(textOf(page)).toContain("The text message could not be sent. This is our fault");
      expect(buttons(page)).toEqual(["Send code", "Cancel"]);
      expect(page).toContain('href="#code"');
      expect(page).toContain('id="code"');
    });

    it("is not spoken of as sent when the page is loaded again", async () => {
      const { psu } = await at();
      const page = textOf(html(await psu.look()));
      expect(page).not.toContain("sent by text message");
      expect(page).toContain("Confirm with a code");
    });

    it("once the gateway is back, a code comes and confirms", async () => {
      const { ours, psu } = await at();
      ours.bank.delivers = true;
      await psu.send("code");
      const page = html(await psu.look());
      expect(buttons(page)).toEqual(["Send a new code", "Confirm", "Cancel"]);
      await psu.enterCode();
      expect(ours.authorisation().scaStatus).toBe("finalised");
    });

    it("while the gateway stays down, in the end only Cancel is left", async () => {
      const { ours, psu } = await at();
      for (let tries = 0; tries < 12; tries += 1) await psu.send("code");
      const page = html(await psu.look());
      expect(buttons(page)).toEqual(["Cancel"]);
      expect(textOf(page)).toContain("No more codes can be sent");
      const left = await psu.send("cancel");
      expect(left.headers.get("location")).toContain("error=access_denied");
      expect(ours.authorisation().failedBecause).toBe("cancelled");
    });
  },
);

/** A PSU whose payment the bank has refused after the right code. */
async function refused(reason: BankRefusal = "day-limit") {
  const { ours, psu } = await atPayment({ nok: "https://tpp.example/nok" });
  ours.bank.paymentFinalisation = "rejected";
  const code = psu.lastCode();
  const answer = await psu.enterCode(code);
  ours.bank.payments.set(ours.payment().id, { ...ours.payment(), reason });
  return { ours, psu, code, answer };
}

describe("a payment that a rule of the bank refuses after the right code", () => {
  it.each([
    ["psu-limit", "above-your-limit", "above your limit"],
    ["day-limit", "above-day-limit", "above your limit for today"],
    ["account-blocked", "account-blocked", "Your account is blocked"],
  ] as const)("%s: a page says so, and that nothing was paid", async (reason, page, heading) => {
    const { psu, answer } = await refused(reason);
    expect(answer.status).toBe(303);
    expect(locationOf(answer)).toBe(`/authorise/${sampleUid}`);
    const view = await psu.look();
    expect(view).toMatchObject({ page, decided: true });
    expect(html(view)).toContain(heading);
    expect(html(view)).toContain("Nothing was paid.");
  });

  it("P10: its one button leads to the Nok URI with access_denied", async () => {
    const { ours, psu } = await refused();
    await psu.look();
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt("/nok"));
    expect(ours.calls).toEqual([`refuse ${sampleUid}`]);
    expect(ours.payment()).toMatchObject({ status: "RJCT", reason: "day-limit" });
  });

  it("a second click on that button leads there too, though the interaction is gone", async () => {
    const { psu } = await refused();
    await psu.look();
    await psu.send("cancel");
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt("/nok"));
  });

  it("P8: reload, second tab and double click lead to the same page, and never to a code", async () => {
    const { ours, psu, code } = await refused();
    for (let time = 0; time < 2; time += 1) {
      expect(await psu.look()).toMatchObject({ page: "above-day-limit" });
    }
    expect(locationOf(await psu.enterCode(code))).toBe(`/authorise/${sampleUid}`);
    await psu.send("code");
    expect(await psu.look()).toMatchObject({ page: "above-day-limit" });
    expect(ours.calls).toEqual([]);
  });

  it("P8: nor does a Confirm that another one has overtaken", async () => {
    const { ours, psu } = await atPayment();
    const { finalisePayment } = ours.services.authorisations;
    const overtaken = async (decision: Parameters<typeof finalisePayment>[0]) => {
      await finalisePayment(decision);
      return "too-late" as const;
    };
    ours.bank.paymentFinalisation = "rejected";
    Object.assign(ours.services.authorisations, { finalisePayment: overtaken });
    expect(locationOf(await psu.enterCode())).toBe(`/authorise/${sampleUid}`);
    expect(ours.calls).toEqual([]);
  });

  it("the page is there when the session has run out, too", async () => {
    const { ours, psu } = await refused();
    ours.wait(6);
    expect(await psu.look()).toMatchObject({ page: "above-day-limit" });
    expect(ours.calls).toEqual([]);
  });

  it("P1: another browser does not learn why", async () => {
    const { ours } = await refused();
    expect(await browser(ours).look()).toMatchObject({ page: "already-confirmed" });
  });
});

it("a payment that fails only when it is executed still hands out its code", async () => {
  const { ours, psu } = await atPayment();
  await psu.enterCode();
  const failed = { ...ours.payment(), status: "RJCT", reason: "no-funds" } as const;
  ours.bank.payments.set(failed.id, failed);
  expect(await psu.look()).toEqual({
    page: "continue",
    location: `${WEB_URL}/auth/${sampleUid}`,
  });
});

const max = aspspProfile.sca.textsPerHourMax;
const said = { outcome: { outcome: "too-many-texts" } };

/** As many as there may be have gone to ana's phone a moment ago. */
async function usedUp(ours: TestBank) {
  const now = await ours.services.clock.now();
  ours.bank.textsSent.set(
    ana,
    Array.from({ length: max }, () => now),
  );
}

it.each(Object.entries(requests))(
  "P6: when an hour's texts are used up, none is sent, and the page says so: %s",
  async (_kind, atCode) => {
    const { ours, psu, shown } = await atCode(usedUp);
    expect(shown).toMatchObject(said);
    expect(ours.bank.texts).toEqual([]);
    const page = html(shown);
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(textOf(page)).toContain("nothing more is sent for now");
    expect(buttons(page)).toContain("Cancel");
    const left = await psu.send("cancel");
    expect(left.headers.get("location")).toContain("error=access_denied");
  },
);

describe("P6: the texts of an hour", () => {
  it("are counted over authorisations and sign-ins together, and come back with time", async () => {
    const ours = bankWithPayment();
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
    const ours = await bankWithConsent();
    await usedUp(ours);
    await ownBrowser(ours).typePassword("mihai");
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("leave a code that was sent valid", async () => {
    const ours = bankWithPayment();
    const psu = browser(ours);
    await psu.signIn();
    await usedUp(ours);
    await psu.send("code");
    expect(await psu.look()).toMatchObject(said);
    expect(ours.authorisation().codesSent).toBe(1);
    await psu.enterCode();
    expect(ours.authorisation().scaStatus).toBe("finalised");
  });

  it.each<ScaMeans>(["ciba", "code"])("leave the other means open: after %s", async (first) => {
    const ours = withApp(await bankWithConsent(), [first, "oidc"]);
    await usedUp(ours);
    const psu = browser(ours);
    await psu.signIn();
    const view = await psu.choose("current");
    expect(view).toMatchObject({ page: "summary", ...said });
    expect(html(view)).toContain(stepUpPath(sampleUid, ""));
    // What it takes to go on there.
    expect(ours.authorisation()).toMatchObject({ scaStatus: "started", selection: ["current"] });
  });

  it.each<Language>(["en", "ro"])("are named at the sign-in too: %s", async (language) => {
    const ours = await bankWithConsent();
    await usedUp(ours);
    const psu = ownBrowser(ours, language);
    await psu.typePassword();
    const view = await psu.look();
    if (view.page !== "code") throw new Error(view.page);
    const texts = textsFor(language);
    const page = renderToStaticMarkup(createElement(CodeQuestion, { texts, view }));
    const words = texts.signIn.outcomes["too-many-texts"](undefined, view);
    expect(textOf(page)).toContain(words.slice(0, 40));
    expect(titleOf(page)).toMatch(new RegExp(`^${texts.frame.errorPrefix}`));
  });
});
