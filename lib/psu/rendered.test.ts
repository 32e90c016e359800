import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import {
  PermissionDetails,
  PermissionList,
  RevokeQuestion,
} from "@/app/(psu)/permissions/permissions";
import { CodeQuestion, PasswordQuestion } from "@/app/(psu)/sign-in/sign-in-questions";
import { money } from "@/lib/domain/bank-profile";
import type { Bic } from "@/lib/domain/payment-order";
import { account, ana, current, tpp } from "@/lib/domain/testing/samples";
import { type Iban, type IsoDate, newConsentId, newResourceId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import type { View } from "./authorisation-view";
import { type Outcome, type OwnOutcomeName, outcomes } from "./outcome";
import { endPages } from "./pages";
import {
  atFunds,
  atPayment,
  atPaymentWithPasskey,
  bankWithConsent,
  bankWithFundsConsent,
  bankWithPayment,
  browser,
  sampleUid,
  withApp,
} from "./testing/authorisation";
import { atPermissions, ownBrowser } from "./testing/own-channel";
import { buttons, html, labels, term, textOf, titleOf } from "./testing/rendered";
import { english } from "./texts/en";
import type { Language } from "./texts/formats";
import { textsFor } from "./texts/texts-for";

async function views() {
  const ours = await bankWithConsent();
  const psu = browser(ours);
  const login = await psu.look();
  const accounts = await psu.signIn();
  const summary = await psu.choose("current");
  return { ours, psu, login, accounts, summary };
}

describe("the accessible names that people and scripts rely on", () => {
  it("login: User ID, Password, Continue, Cancel", async () => {
    const page = html((await views()).login);
    expect(labels(page)).toEqual(["User ID", "Password"]);
    expect(buttons(page)).toEqual(["Continue", "Cancel"]);
  });

  it("accounts: name, IBAN in one word and currency of each, Select all, Continue, Cancel", async () => {
    const page = html((await views()).accounts);
    expect(labels(page)).toEqual([
      "Select all",
      "Account current RO21DRWB0000000000000001 RON",
      "Account second RO75DRWB0000000000000009 RON",
    ]);
    expect(buttons(page)).toEqual(["Continue", "Cancel"]);
  });

  it("summary: Code, Send a new code, Confirm, Cancel", async () => {
    const page = html((await views()).summary);
    expect(labels(page)).toEqual(["Code"]);
    expect(buttons(page)).toEqual(["Send a new code", "Confirm", "Cancel"]);
    expect(page).toMatch(/<input[^>]*inputMode="numeric"[^>]*autoComplete="one-time-code"/);
  });

  it("every ended page has one button, and it leads back", async () => {
    const { summary } = await views();
    if (!("tokens" in summary)) throw new Error("no frame");
    for (const page of endPages) {
      const at = (decided: boolean) => buttons(html({ ...summary, page, decided } as View));
      expect(at(true)).toEqual(["Back to “Example TPP”"]);
      // Where nothing is decided yet, going back still decides it.
      expect(at(false)).toEqual(["Cancel"]);
    }
  });
});

describe("a PSU who was asked in the bank's app, and takes a code instead", () => {
  const field = "Code";
  const inApp = "I have confirmed";

  it("gets the code's field, and the app's answer still counts", async () => {
    const psu = browser(withApp(await bankWithConsent()));
    await psu.signIn();
    const asked = html(await psu.choose("current"));
    expect([labels(asked), buttons(asked).includes(inApp)]).toEqual([[], true]);
    await psu.send("code");
    const view = await psu.look();
    // It is the first: no earlier one is worth nothing now.
    expect("outcome" in view && view.outcome).toBeUndefined();
    const both = html(view);
    expect([labels(both), buttons(both).includes(inApp)]).toEqual([[field], true]);
    expect(textOf(both)).toContain(`reference ${"appReference" in view && view.appReference}`);
    expect(both.match(/data-waits/g)).toHaveLength(1);
  });

  it("is told of no codes where there is only the app, which can be asked no more", async () => {
    const ours = withApp(await bankWithConsent(), ["ciba"]);
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    ours.wait(5);
    await psu.look();
    ours.change({ codesSent: ours.services.profile.sca.codesSentMax });
    await psu.send("app");
    const [, asked] = /<main[^>]*>(.*)<\/main>/s.exec(html(await psu.look())) ?? [];
    expect(textOf(asked)).toContain(english.approval.noMore);
    expect(textOf(asked)).toContain(english.outcomes["too-many-codes"]());
    expect(textOf(asked)).not.toMatch(/code/i);
  });

  it("waits for the app alone when the code has run out", async () => {
    const ours = withApp(await bankWithConsent());
    const psu = browser(ours);
    await psu.signIn();
    await psu.choose("current");
    await psu.send("code");
    ours.wait(3);
    await psu.send("app");
    ours.wait(3);
    const page = html(await psu.look());
    expect([labels(page), buttons(page).includes(inApp)]).toEqual([[], true]);
  });
});

it("P4: a TPP's name stands in quotation marks, in every sentence of every page", async () => {
  const { login, accounts, summary } = await views();
  if (!("tokens" in summary)) throw new Error("no frame");
  const ends = endPages.map((page): View => ({ ...summary, page, decided: true }) as View);
  for (const page of [login, accounts, summary, ...ends].map(html)) {
    expect(page).toContain("“Example TPP”");
    expect(page.replaceAll("“Example TPP”", "")).not.toContain("Example TPP");
  }
});

describe("what the summary says", () => {
  it("who, by name, registration and authority; what; which accounts; until when; how often", async () => {
    const said = textOf(html((await views()).summary));
    for (const part of [
      "Share 1 account with “Example TPP”",
      "Registration number PSDRO-NBR-1234567",
      "Supervised by National Bank of Romania (RO-NBR)",
      "Account details, balances and transactions",
      "RO21DRWB0000000000000001",
      "1 February 2027",
      "up to 4 times in 24 hours without you",
    ]) {
      expect(said).toContain(part);
    }
    expect(said).not.toContain("RO75DRWB0000000000000009");
  });

  it("a one-off consent: the page says when it ends", async () => {
    const { ours, psu } = await views();
    ours.bank.consents.set(ours.consent.id, { ...ours.consent, recurringIndicator: false });
    expect(textOf(html(await psu.look()))).toContain("Ends 10 minutes after you confirm");
  });

  it.each([false, true])(
    "that it takes the place of earlier repeated access, unless the bank keeps several: %s",
    async (severalRecurringConsents) => {
      const { ours, psu } = await views();
      const features = { ...aspspProfile.features, severalRecurringConsents };
      Object.assign(ours.services, { profile: { ...aspspProfile, features } });
      const said = textOf(html(await psu.look()));
      expect(said.includes("takes the place of earlier")).toBe(!severalRecurringConsents);
    },
  );

  it("an account with fewer rights than the others: the page says which", async () => {
    const { ours, psu } = await views();
    ours.bank.consents.set(ours.consent.id, {
      ...ours.consent,
      access: {
        ...ours.consent.access,
        named: [
          {
            reference: { iban: current.iban },
            rights: { balances: true, transactions: false, ownerName: false },
          },
        ],
      },
    });
    await psu.look("accounts");
    await psu.choose("current", "second");
    const said = textOf(html(await psu.look()));
    expect(said.match(/Only account details and balances/g)).toHaveLength(1);
  });
});

describe("an outcome that is an error", () => {
  const errors = Object.keys(english.outcomes).filter(
    (name) => outcomes[name as Outcome["outcome"]].place !== "good-news",
  );

  it.each(errors)("%s: in the title, first on the page, and at its field", async (name) => {
    const { login, accounts, summary } = await views();
    const outcome = { outcome: name as Outcome["outcome"], attemptsLeft: 1 };
    const { place, pages } = outcomes[outcome.outcome];
    const [shownOn] = pages;
    const view = [login, accounts, summary].find(({ page }) => page === shownOn);
    const page = html({ ...view, outcome } as View);
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(page.indexOf('role="alert"')).toBeLessThan(page.indexOf("<h1>"));
    const said = textOf(page).split(english.outcomes[outcome.outcome](1)).length - 1;
    expect(said).toBe(place === "page" ? 1 : 2);
    if (place !== "page") {
      expect(page).toContain(`href="#${place}"`);
      expect(page).toContain(`id="${place}"`);
    }
  });

  it.each([
    ["that waits for the app", "ciba", "7KQ4"],
    ["that asks in the app", "ciba", undefined],
    ["of the bank's provider", "oidc", undefined],
    ["of the first code", "code", undefined],
    ["of a passkey", "passkey", undefined],
  ] as const)(
    "that no more codes are sent, at its place on a panel %s",
    async (_panel, means, appReference) => {
      const { summary } = await views();
      if (summary.page !== "summary") throw new Error(summary.page);
      const code = { ...summary.code, sentAt: undefined, newCodePossible: false };
      const outcome = { outcome: "too-many-codes" } as const;
      const page = html({ ...summary, code, means: [means, "code"], appReference, outcome });
      expect(textOf(page).split(english.outcomes["too-many-codes"]())).toHaveLength(3);
      expect(page).toContain('href="#code"');
      expect(page.match(/id="code"/g)).toHaveLength(1);
    },
  );

  it("keeps what was typed, but no password and no code", async () => {
    const psu = browser(await bankWithConsent());
    await psu.look();
    await psu.typePassword("anna", "my-password");
    const page = html(await psu.look());
    expect(page).toContain('value="anna"');
    expect(page).not.toContain("my-password");
  });

  it("no error: the title has none, and good news is no error", async () => {
    const { login, summary } = await views();
    expect(titleOf(html(login))).toBe("Sign in to Drawbridge Bank - Drawbridge Bank");
    const page = html({ ...summary, outcome: { outcome: "new-code-sent" } } as View);
    expect(page).toContain('role="status"');
    expect(titleOf(page)).not.toMatch(/^Error/);
  });
});

describe("P4: what others have written is shown as text", () => {
  it.each([
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title><script>alert(1)</script>",
    "javascript:alert(1)",
  ])("%s", async (payload) => {
    const ours = await bankWithConsent();
    const tpp = { ...(await ours.services.tppRegister.find(ours.consent.tppId)), name: payload };
    const services = {
      ...ours.services,
      tppRegister: { ...ours.services.tppRegister, find: async () => tpp },
    };
    ours.bank.accountsOf.set(ana, [{ ...account("x", current.iban), name: payload }]);
    ours.change({ loginHint: payload });
    const psu = browser({ ...ours, services: services as typeof ours.services });
    const pages = [html(await psu.look()), html(await psu.signIn())];
    pages.push(html(await psu.choose("x")));
    for (const page of pages) {
      expect(page).not.toMatch(/<script|<img|href="javascript:/);
      expect(page).toContain(
        payload.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
      );
    }
  });
});

it("no page has inline style or script, and every form is posted to our own address", async () => {
  const { login, accounts, summary } = await views();
  for (const page of [login, accounts, summary].map(html)) {
    expect(page).not.toMatch(/ style=|<script| on\w+=/);
    const forms = page.match(/<form[^>]*>/g) ?? [];
    expect(forms.length).toBeGreaterThan(1);
    for (const form of forms) {
      expect(form).toContain('method="post"');
      expect(form).toMatch(new RegExp(`action="(/language|/authorise/${sampleUid}/\\w+)"`));
    }
  }
});

const creditor = {
  name: "Boulangerie <b>Dupont</b>",
  iban: "FR1420041010050500013M02606" as Iban,
  agent: "PSSTFRPP" as Bic,
  address: { streetName: "Rue Haute", buildingNumber: "1", townName: "Lyon", country: "FR" },
};

describe("what the page of a payment says", () => {
  it("amount and payee in heading and title; every term once; nothing that is absent", async () => {
    const page = html((await atPayment()).view);
    expect(titleOf(page)).toBe("Pay 1,234.50 RON to “Shop SRL” - Drawbridge Bank");
    expect(textOf(page)).toContain("“Example TPP” asks for a payment");
    expect(textOf(page)).toContain("Step 2 of 2");
    expect([...page.matchAll(/<dt[^>]*>(.*?)<\/dt>/g)].map(([, label]) => label)).toEqual([
      "Who",
      "Amount",
      "To",
      "From",
      "Fee",
      "When",
    ]);
    expect(term(page, "Amount")).toBe("1,234.50 RON");
    expect(term(page, "To")).toBe("“Shop SRL”|RO49AAAA1B31007593840000");
    expect(term(page, "From")).toBe("Account current RO21DRWB0000000000000001 RON");
    expect(term(page, "Fee")).toBe("None");
    expect(term(page, "When")).toBe("At once, as an instant payment");
    expect(textOf(page)).toContain(
      "the money leaves your account. A payment cannot be cancelled once it is confirmed.",
    );
    expect(textOf(page)).not.toContain("not enough money");
  });

  it("a payment abroad: BIC, address, texts, debit and fee in both currencies, charges", async () => {
    const asked = {
      product: "cross-border-credit-transfers",
      amount: money("USD", 10_000_000_00n),
      creditor,
      chargeBearer: "SHAR",
      remittance: "Invoice 7 <script>",
      endToEndId: "E2E-7",
    } as const;
    const page = html((await atPayment({ order: asked })).view);
    expect(term(page, "Amount")).toBe("10,000,000.00 USD");
    expect(term(page, "To")).toBe(
      "“Boulangerie &lt;b&gt;Dupont&lt;/b&gt;”|FR1420041010050500013M02606|BIC PSSTFRPP|Rue Haute 1, Lyon, France",
    );
    expect(term(page, "Message to the payee")).toBe("Invoice 7 &lt;script&gt;");
    expect(term(page, "End-to-end ID")).toBe("E2E-7");
    expect(term(page, "Leaves your account")).toBe(
      "43,879,310.34 RON, at the rate of Drawbridge Bank: 1 USD = 5.09 RON",
    );
    expect(term(page, "Fee")).toBe(
      "10.00 EUR, debited as 50.90 RON|You and the payee each pay the charges of your own bank.",
    );
  });

  it("why the bank would refuse it now, with the limits of the bank's own channels", async () => {
    const ours = bankWithPayment();
    ours.bank.paymentFinalisation = "rejected";
    const view = await browser(ours).signIn();
    const page = view.page === "payment" ? html(view) : "another page";
    expect(page).toContain("The bank would refuse this payment now");
    expect(page).toContain(
      "With what you have paid today, 9,990.00 EUR, it would be above your limit for a day: 10,000.00 EUR.",
    );
    expect(html((await atPayment()).view)).not.toContain("would refuse");
  });

  it("the bank's address, where it is https", async () => {
    const webUrl = "https://bank.example";
    const page = html(await browser(await bankWithConsent({ webUrl })).look());
    expect(textOf(page)).toContain("The address of our pages begins with https://bank.example/,");
    expect(html(await browser(await bankWithConsent()).look())).not.toContain("The address of our");
  });

  it("which accounts the TPP has had before, which are ticked", async () => {
    const ours = await bankWithConsent();
    expect(textOf(html(await browser(ours).signIn()))).not.toContain("are ticked");
    const renewed = await bankWithConsent();
    const { id: accountId, iban, currency } = current;
    const rights = { balances: true, transactions: true, ownerName: false };
    const grantedAccounts = [{ resourceId: newResourceId(), accountId, iban, currency, rights }];
    const id = newConsentId();
    const earlier = {
      ...renewed.consent,
      id,
      psuId: ana,
      status: "expired",
      grantedAccounts,
    } as const;
    renewed.bank.consents.set(id, earlier);
    const psu = browser(renewed);
    const page = html(await psu.signIn());
    expect(textOf(page)).toContain(
      "The accounts of the last access that you gave “Example TPP” are ticked. You can change that.",
    );
    expect(page.match(/type="checkbox"[^>]* checked=""/g)).toHaveLength(1);
    const again = html(await psu.choose());
    expect(again.match(/type="checkbox"[^>]* checked=""/g)).toBeNull();
    expect(textOf(again)).not.toContain("are ticked");
  });

  it("its execution date, where the core bank names one and the money is there", async () => {
    const { ours, psu, view } = await atPayment();
    expect(html(view)).not.toContain("Execution date");
    const { coreBank } = ours.services;
    const quotePayment: typeof coreBank.quotePayment = async (question) => {
      const quote = await coreBank.quotePayment(question);
      return quote && { ...quote, executionDate: "2026-11-23" as IsoDate };
    };
    Object.assign(ours.services, { coreBank: { ...coreBank, quotePayment } });
    const said = "Execution date, if you confirm now: 23 November 2026";
    expect(textOf(html(await psu.look()))).toContain(said);
    const lacking: typeof coreBank.quotePayment = async (question) => {
      const quote = await quotePayment(question);
      return quote && { ...quote, fundsAvailable: false };
    };
    Object.assign(ours.services, { coreBank: { ...coreBank, quotePayment: lacking } });
    expect(textOf(html(await psu.look()))).not.toContain("Execution date");
  });

  it.each([
    [false, "When you confirm, the payment waits until there is enough."],
    [true, "the bank refuses the payment at once."],
  ])(
    "that the money is not there, and does not say that it leaves; refused at once: %s",
    async (rejectWithoutFunds, said) => {
      const { ours, psu } = await atPayment({ order: { rejectWithoutFunds } });
      const { coreBank } = ours.services;
      const quotePayment: typeof coreBank.quotePayment = async (question) => {
        const quote = await coreBank.quotePayment(question);
        return quote && { ...quote, fundsAvailable: false };
      };
      Object.assign(ours.services, { coreBank: { ...coreBank, quotePayment } });
      const page = textOf(html(await psu.look()));
      expect(page).toContain("There is not enough money on your account now");
      expect(page).toContain(said);
      expect(page).not.toContain("the money leaves your account");
      expect(page).toContain("A payment cannot be cancelled once it is confirmed.");
    },
  );

  it("the fee is none where the payee bears it, and said once where the account has its currency", async () => {
    const product = "cross-border-credit-transfers" as const;
    const credited = await atPayment({ order: { product, chargeBearer: "CRED" } });
    expect(term(html(credited.view), "Fee")).toBe("None|The payee pays the charges of all banks.");
    const debtor = { iban: "RO91DRWB0000000000000002" as Iban };
    const amount = money("EUR", 1n);
    const target = { product: "target-2-payments", amount, debtor } as const;
    const { view } = await atPayment({ order: { ...target, chargeBearer: "DEBT" } });
    expect(term(html(view), "Fee")).toBe("6.00 EUR|You pay the charges of all banks.");
  });
});

it.each([
  ["passkey", "code"],
  ["passkey", "oidc"],
] as const)(
  "a page that asks for a passkey speaks of a code where there is one: %s, %s",
  async (...means) => {
    const { ours, psu } = await atPaymentWithPasskey();
    const sca = { ...aspspProfile.sca, means };
    Object.assign(ours.services, { profile: { ...aspspProfile, sca } });
    const page = html(await psu.look());
    const offersCode = means.some((one) => one === "code");
    expect(textOf(page).includes(english.passkey.codeHint)).toBe(offersCode);
    expect(buttons(page).includes("Send me a code")).toBe(offersCode);
  },
);

describe("what the page of a confirmation of funds says", () => {
  it("account, issuer, card by its last digits, until when, and what the issuer learns", async () => {
    const funds = {
      cardNumber: "5409 0500 0000 1234",
      cardInformation: "Gold card",
      registrationInformation: "Wallet",
      cardExpiryDate: "2027-03-31" as IsoDate,
    };
    const page = html((await atFunds({ funds })).view);
    expect(titleOf(page)).toBe("Let “Example TPP” check your funds - Drawbridge Bank");
    expect(term(page, "Account")).toBe("Account current RO21DRWB0000000000000001 RON");
    expect(term(page, "Card issuer")).toContain(
      "“Example TPP”|Registration number PSDRO-NBR-1234567",
    );
    expect(term(page, "Card")).toBe("Card number ending in 1234|Gold card|Wallet");
    expect(term(page, "Until")).toBe("31 March 2027");
    expect(textOf(page)).toContain(
      "It learns yes or no, never your balance, and nothing is reserved",
    );
    expect(page).not.toContain("5409");
  });

  it("a card that is not named, and no end", async () => {
    const page = html((await atFunds()).view);
    expect(term(page, "Card")).toBe("Not named");
    expect(term(page, "Until")).toBe("You or the card issuer end it");
  });

  it("a card that does not expire has no end, on the page and on the phone", async () => {
    const { ours, view } = await atFunds({ funds: { cardExpiryDate: "9999-12-31" as IsoDate } });
    expect(term(html(view), "Until")).toBe("You or the card issuer end it");
    expect(ours.bank.texts.at(-1)?.text).not.toContain("9999");
  });

  it.each(["12", "gold", ""])("nothing of a card number like %j is shown", async (cardNumber) => {
    expect(term(html((await atFunds({ funds: { cardNumber } })).view), "Card")).toBe("Not named");
  });
});

describe.each([
  ["PIS", atPayment, bankWithPayment, "Nothing was paid."],
  ["PIIS", atFunds, bankWithFundsConsent, "Nothing is shared with “Example TPP”."],
] as const)("the pages of %s", (_kind, at, bankWith, nothing) => {
  it("begin with a login that says what comes, in two steps", async () => {
    const said = textOf(html(await browser(bankWith()).look()));
    expect(said).toMatch(/Then you see .* and confirm it\./);
    expect(said).toContain("Step 1 of 2");
  });

  it("end with what did not happen", async () => {
    const { view } = await at();
    const paid = ["nothing-to-share", "already-confirmed", "no-longer-valid"];
    for (const page of endPages.filter((one) => !paid.includes(one))) {
      const end = { ...view, page, decided: true, blockMinutes: 15 } as View;
      expect(textOf(html(end))).toContain(nothing);
    }
  });

  it("the blocked page tells no user ID apart from another, and what to do", async () => {
    const { view } = await at();
    const end = { ...view, page: "blocked", decided: true, blockMinutes: 15 } as const;
    const said = textOf(html(end));
    expect(said).toContain("at least 15 minutes");
    expect(said).toContain("call Drawbridge Bank");
  });
});

describe("pages of the bank's own channel", () => {
  const html = (element: ReactElement) => renderToStaticMarkup(element);

  async function signInPages(language: Language) {
    const texts = textsFor(language);
    const psu = ownBrowser(await bankWithConsent(), language);
    const password = await psu.look();
    await psu.typePassword();
    const code = await psu.look();
    if (password.page === "onward" || password.page === "code") throw new Error(password.page);
    if (code.page !== "code") throw new Error(code.page);
    return { texts, password, code };
  }

  async function permissionPages(language: Language) {
    const texts = textsFor(language);
    const { ours, psu, accounts, payment, read } = await atPermissions(language);
    read("accounts", true);
    read("balances", false);
    const pages = async () => {
      const [list, details, paid, revoking] = [
        await psu.list({ state: "all" }),
        await psu.details(accounts),
        await psu.details(payment),
        await psu.revoking(accounts),
      ];
      if (list.page !== "permissions") throw new Error(list.page);
      if (details?.page !== "permission" || paid?.page !== "permission")
        throw new Error("no details");
      if (revoking?.page !== "revoke") throw new Error("nothing to revoke");
      return [
        html(createElement(PermissionList, { texts, view: list })),
        html(createElement(PermissionDetails, { texts, view: details })),
        html(createElement(PermissionDetails, { texts, view: paid })),
        html(createElement(RevokeQuestion, { texts, view: revoking })),
      ] as const;
    };
    return { ours, pages };
  }

  describe.each<Language>(["en", "ro"])("in %s", (language) => {
    it("P5, P11: the page of a blocked user ID offers a passkey, the same for every user ID, and says what to do without JavaScript", async () => {
      const texts = textsFor(language);
      const ours = await bankWithConsent();
      const offered = async (userId: string) => {
        const psu = ownBrowser(ours, language);
        for (let tries = 0; tries < 5; tries += 1) await psu.typePassword(userId, "wrong");
        const view = await psu.look();
        if (view.page === "onward" || view.page === "code") throw new Error(view.page);
        const page = html(createElement(PasswordQuestion, { texts, view }));
        return page.replaceAll(`value="${userId}"`, 'value="as typed"');
      };
      const page = await offered("ana");
      expect(page).toBe(await offered("nobody"));
      expect(page).toMatch(/<button[^>]* hidden=""[^>]* data-with-passkey=""/);
      expect(textOf(page)).toContain(texts.signIn.unlock.hint);
    });

    it("every outcome of a sign-in is said in the title, first on the page, and at its field", async () => {
      const { texts, password, code } = await signInPages(language);
      for (const name of Object.keys(texts.signIn.outcomes) as OwnOutcomeName[]) {
        const outcome = { outcome: name, attemptsLeft: 1 };
        const { place } = outcomes[name];
        const shownOn: readonly string[] = outcomes[name].pages;
        if (!shownOn.includes("sign-in") && !shownOn.includes("code")) continue;
        const page = shownOn.includes("sign-in")
          ? html(createElement(PasswordQuestion, { texts, view: { ...password, outcome } }))
          : html(createElement(CodeQuestion, { texts, view: { ...code, outcome } }));
        const prefix = texts.errorTitle("").trim();
        expect(titleOf(page)?.startsWith(prefix)).toBe(place !== "good-news");
        expect(page.indexOf('role="')).toBeLessThan(page.indexOf("<h1>"));
        if (place === "page" || place === "good-news") continue;
        expect(page).toContain(`href="#${place}"`);
        expect(page).toContain(`id="${place}-error"`);
      }
    });

    it("the permissions say who, what, which accounts, how often and until when", async () => {
      const texts = textsFor(language);
      const { pages } = await permissionPages(language);
      for (const page of await pages()) {
        expect(page).not.toMatch(/undefined|\[object|\bNaN\b| style=|<script| on\w+=/);
        expect(textOf(page)).toContain(tpp.name);
        // P4: a stranger's words look like nothing that the bank says.
        expect(page.replaceAll(texts.quoted(tpp.name), "")).not.toContain(tpp.name);
      }
      const [list, details, paid, revoking] = (await pages()).map(textOf);
      const { permissions: words } = texts;
      expect(list).toContain(words.pastShown(aspspProfile.ownChannel.pastShownDays));
      for (const said of [list, details, revoking]) {
        expect(said).toContain("Account current");
        expect(said).toContain(words.states.active);
      }
      for (const said of [details, revoking]) {
        expect(said).toContain("Account current RO21DRWB0000000000000001 RON");
        expect(said).toContain(words.purposes.accounts(texts.quoted(tpp.name)));
        expect(said).toContain(words.roles.PSP_AI);
      }
      expect(details).toContain(words.history.unattended);
      expect(details).toContain(words.history.attended);
      expect(paid).toContain(`${texts.quoted("Shop SRL")}, RO49AAAA1B31007593840000`);
      expect(paid).not.toContain(words.history.heading);
    });
  });

  it("fields and buttons are known by their names", async () => {
    const { texts, password, code } = await signInPages("en");
    const first = html(createElement(PasswordQuestion, { texts, view: password }));
    expect([labels(first), buttons(first)]).toEqual([["User ID", "Password"], ["Continue"]]);
    const second = html(createElement(CodeQuestion, { texts, view: code }));
    expect([labels(second), buttons(second)]).toEqual([
      ["Code"],
      ["Send a new code", "Sign in", "Start again"],
    ]);
    expect(second).toContain('autoComplete="one-time-code"');
  });

  it("P4: what TPPs and payees call themselves is shown as text", async () => {
    const { ours, pages } = await permissionPages("en");
    const payload = '<img src=x onerror="alert(1)">';
    for (const [id, payment] of ours.bank.payments) {
      const creditor = { ...payment.order.creditor, name: payload };
      const order = { ...payment.order, creditor, remittance: payload };
      ours.bank.payments.set(id, { ...payment, order });
    }
    const [list, , paid] = await pages();
    for (const page of [list, paid]) {
      expect(page).not.toContain("<img");
      expect(page).toContain("&lt;img src=x onerror=");
    }
    expect(paid).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  });
});
