import { describe, expect, it } from "vitest";
import { account, ana, current } from "@/lib/domain/testing/samples";
import { endPages } from "./end-pages";
import { type Outcome, outcomes } from "./outcome";
import { browser } from "./testing/browser";
import { desk, uid } from "./testing/desk";
import { buttons, html, labels, textOf, titleOf } from "./testing/rendered";
import { english } from "./texts/english";
import type { View } from "./view";

async function views() {
  const ours = await desk();
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

  it("summary: Code, Confirm, Cancel, and one more way to a code", async () => {
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

  it("a one-off consent is told as one", async () => {
    const { ours, psu } = await views();
    ours.bank.consents.set(ours.consent.id, { ...ours.consent, recurringIndicator: false });
    expect(textOf(html(await psu.look()))).toContain("Ends 10 minutes after you confirm");
  });

  it("an account with fewer rights than the others is told as one", async () => {
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

describe("an error", () => {
  const errors = Object.keys(outcomes).filter(
    (name) => name !== "new-code-sent" && name !== "more-time",
  );

  it.each(errors)("%s: in the title, first on the page, and at its field", async (name) => {
    const { login, accounts, summary } = await views();
    const outcome = { outcome: name as Outcome["outcome"], attemptsLeft: 1 };
    const [shownOn] = outcomes[outcome.outcome];
    const view = [login, accounts, summary].find(({ page }) => page === shownOn);
    const page = html({ ...view, outcome } as View);
    const { place, text } = english.outcomes[outcome.outcome];
    expect(titleOf(page)).toMatch(/^Error: /);
    expect(page.indexOf('role="alert"')).toBeLessThan(page.indexOf("<h1>"));
    const said = textOf(page).split(text(1)).length - 1;
    expect(said).toBe(place === "page" ? 1 : 2);
    if (place !== "page") {
      expect(page).toContain(`href="#${place}"`);
      expect(page).toContain(`id="${place}"`);
    }
  });

  it("keeps what was typed, but no password and no code", async () => {
    const psu = browser(await desk());
    await psu.look();
    await psu.send("login", [
      ["userId", "anna"],
      ["password", "my-password"],
    ]);
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
    const ours = await desk();
    const tpp = { ...(await ours.house.tppRegister.find(ours.consent.tppId)), name: payload };
    const house = {
      ...ours.house,
      tppRegister: { ...ours.house.tppRegister, find: async () => tpp },
    };
    ours.bank.accountsOf.set(ana, [{ ...account("x", current.iban), name: payload }]);
    ours.change({ loginHint: payload });
    const psu = browser({ ...ours, house: house as typeof ours.house });
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
      expect(form).toMatch(new RegExp(`action="(/language|/authorise/${uid}/\\w+)"`));
    }
  }
});
