import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PermissionDetails } from "@/app/(psu)/permissions/permission-details";
import { PermissionList } from "@/app/(psu)/permissions/permission-list";
import { RevokeQuestion } from "@/app/(psu)/permissions/revoke-question";
import { CodeQuestion } from "@/app/(psu)/sign-in/code-question";
import { PasswordQuestion } from "@/app/(psu)/sign-in/password-question";
import { aspspProfile as profile } from "@/lib/domain/aspsp-profile";
import { tpp } from "@/lib/domain/testing/samples";
import { desk } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";
import { atPermissions } from "../testing/own-desk";
import { buttons, labels, textOf, titleOf } from "../testing/rendered";
import type { Language } from "../texts/language";
import { textsFor } from "../texts/texts-for";
import { type OwnOutcomeName, ownOutcomes } from "./outcome";

const html = (element: ReactElement) => renderToStaticMarkup(element);

async function signInPages(language: Language) {
  const texts = textsFor(language);
  const psu = ownBrowser(await desk(), language);
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
      await psu.list(),
      await psu.details(accounts),
      await psu.details(payment),
      await psu.revoking(accounts),
    ];
    if (list.page !== "permissions") throw new Error(list.page);
    if (details?.page !== "permission" || paid?.page !== "permission")
      throw new Error("no details");
    if (revoking?.page !== "revoke") throw new Error("nothing to revoke");
    return [
      html(createElement(PermissionList, { texts, profile, view: list })),
      html(createElement(PermissionDetails, { texts, profile, view: details })),
      html(createElement(PermissionDetails, { texts, profile, view: paid })),
      html(createElement(RevokeQuestion, { texts, profile, view: revoking })),
    ] as const;
  };
  return { ours, pages };
}

describe.each<Language>(["en", "ro"])("in %s", (language) => {
  it("P5, P11: a blocked user ID is offered its passkey, whoever has it, and without a script is told what is left", async () => {
    const texts = textsFor(language);
    const ours = await desk();
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
    for (const name of Object.keys(ownOutcomes) as OwnOutcomeName[]) {
      const outcome = { outcome: name, attemptsLeft: 1 };
      const shownOn: readonly string[] = ownOutcomes[name];
      if (!shownOn.includes("sign-in") && !shownOn.includes("code")) continue;
      const page = shownOn.includes("sign-in")
        ? html(createElement(PasswordQuestion, { texts, view: { ...password, outcome } }))
        : html(createElement(CodeQuestion, { texts, view: { ...code, outcome } }));
      const place = name === "blocked" ? "user-id" : texts.signIn.outcomes[name].place;
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
      expect(page).not.toMatch(/undefined|\[object|NaN| style=|<script| on\w+=/);
      expect(textOf(page)).toContain(tpp.name);
      // P4: a stranger's words look like nothing that the bank says.
      expect(page.replaceAll(texts.quoted(tpp.name), "")).not.toContain(tpp.name);
    }
    const [list, details, paid, revoking] = (await pages()).map(textOf);
    const { permissions: words } = texts;
    for (const said of [list, details, revoking]) {
      expect(said).toContain("Account current RO21DRWB0000000000000001 RON");
      expect(said).toContain(words.states.active);
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
    expect(page).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  }
});
