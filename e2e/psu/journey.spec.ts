import { askForFunds } from "../harness/asking-for-funds";
import { type Count, counted } from "../harness/counted";
import { expect, test } from "../harness/test";
import type { Asked, AskedToPay, TestTpp } from "../harness/test-tpp";
import { watched } from "../harness/watched";

/** At most 3 pages, 7 clicks and 3 fields: what the OBIE's customer journeys are quoted with. */
const journeys = {
  "account information": {
    ask: (tpp: TestTpp) => tpp.ask(),
    choosesAccounts: true,
    takes: { pages: 3, clicks: 7, fields: 3 },
  },
  "confirmation of funds": {
    ask: (tpp: TestTpp) => askForFunds(tpp),
    choosesAccounts: false,
    takes: { pages: 2, clicks: 5, fields: 3 },
  },
  "a payment": {
    ask: (tpp: TestTpp) => tpp.askToPay(),
    choosesAccounts: false,
    takes: { pages: 2, clicks: 5, fields: 3 },
  },
} as const satisfies Record<string, Journey>;

type Journey = {
  readonly ask: (tpp: TestTpp) => Promise<Asked | AskedToPay>;
  readonly choosesAccounts: boolean;
  readonly takes: Count;
};

/** In bytes gzipped. */
const SCRIPTS_AT_MOST = 100_000;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    for (const [name, { ask, choosesAccounts, takes }] of Object.entries(journeys)) {
      test(`P15: ${name}: ${takes.pages} pages, ${takes.clicks} clicks and ${takes.fields} fields from the TPP and back, and nothing stopped by the policy or loaded from elsewhere`, async ({
        tpp,
        psu,
        bank,
      }) => {
        const { fields, continueButton, confirmButton, page } = psu;
        const seen = watched(page, bank.webUrl);
        const person = counted(page, bank.webUrl);
        const asked = await ask(tpp);
        await psu.open(asked.request.url);
        await person.type(fields.userId, "ana");
        await person.type(fields.password, "ana-sandbox");
        await person.click(continueButton);
        if (choosesAccounts) {
          await person.click(psu.selectAllBox);
          await person.click(continueButton);
        }
        await expect(fields.code).toBeVisible();
        await person.type(fields.code, await psu.codeFor("ana", tpp.name));
        await person.click(confirmButton);
        const cameBack = await tpp.listener.next(60_000);
        await psu.isBackAt(cameBack);
        expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
        expect((await asked.server.token(cameBack, asked.request)).accessToken).toBeDefined();

        expect(person.count()).toEqual(takes);
        // The last one leads on by itself.
        expect(person.shown()).toBe(takes.pages + 1);
        expect(seen.complaints).toEqual([]);
        expect(seen.elsewhere).toEqual([]);
        const scripts = await seen.heaviestScripts();
        expect(scripts > 0).toBe(javaScriptEnabled);
        expect(scripts).toBeLessThan(SCRIPTS_AT_MOST);
      });
    }
  });
}
