import { granted } from "@/clients/typescript/src";
import { consentRequest } from "../harness/consent-request";
import { formOf, post, throughLeaving } from "../harness/forms";
import type { Psu } from "../harness/psu";
import { expect, test } from "../harness/test";
import type { Asked, TestTpp } from "../harness/test-tpp";

type Until = (psu: Psu) => Promise<void>;
const pages: Readonly<Record<string, Until>> = {
  "the login page": async (psu) => {
    await expect(psu.fields.password).toBeVisible();
  },
  "the login page after a wrong password": (psu) => psu.signIn("nobody-cancels", "wrong"),
  "the account selection": async (psu) => {
    await psu.signIn("mihai");
    await expect(psu.fields.accounts.first()).toBeVisible();
  },
  "the summary": async (psu) => {
    await psu.signIn("mihai");
    await psu.chooseAll();
  },
};

async function expectRejected(tpp: TestTpp, { consentId, authorisationId }: Asked) {
  const { consentStatus } = granted(await tpp.bank.consentStatus(consentId));
  const { scaStatus } = granted(await tpp.bank.scaStatus(consentId, authorisationId));
  expect({ consentStatus, scaStatus }).toEqual({ consentStatus: "rejected", scaStatus: "failed" });
}

for (const [page, until] of Object.entries(pages)) {
  // Of two pages with a Nok URI, of two without: where Cancel leads to does not depend on the page.
  const withNok = page === "the login page" || page === "the summary";
  const where = withNok ? "the Nok URI" : "the redirect URI where there is no Nok URI";
  test(`P10: Cancel on ${page} rejects the consent and leads to ${where} with access_denied and state`, async ({
    tpp,
    psu,
    bank,
  }) => {
    const asked = await tpp.ask(undefined, withNok);
    await psu.open(asked.request.url);
    await until(psu);
    await psu.cancel();
    const cameBack = await tpp.listener.next(60_000);
    const uri = withNok ? tpp.nokRedirectUri : tpp.redirectUri;
    expect(cameBack.origin + cameBack.pathname).toBe(uri);
    expect(Object.fromEntries(cameBack.searchParams)).toEqual({
      error: "access_denied",
      state: asked.request.state,
      iss: bank.xs2aUrl,
    });
    await expectRejected(tpp, asked);
  });
}

test("parameters that the TPP put into its Nok URI stay there", async ({
  tpp,
  psuByForms: psu,
}) => {
  const nokRedirectUri = `${tpp.nokRedirectUri}?customer=1&x=%C8%9B`;
  const { redirectUri } = tpp;
  const redirects = { redirectUri, nokRedirectUri };
  const created = granted(await tpp.bank.createConsent(consentRequest(), redirects));
  const { server } = await tpp.ask();
  const request = server.authorise(`AIS:${created.consentId}`, redirectUri);
  await psu.open(request.url);
  await psu.cancel();
  const { searchParams } = await tpp.listener.next(60_000);
  expect(searchParams.get("customer")).toBe("1");
  expect(searchParams.get("x")).toBe("ț");
  expect(searchParams.get("error")).toBe("access_denied");
});

test("P8: Cancel twice, or after a second tab has cancelled, leads back to the TPP each time", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const form = await formOf(psu.cancelButton);
  const answers = [await post(psu.page, form), await post(psu.page, form)];
  for (const answer of answers) {
    expect(answer.status()).toBe(303);
    const location = await throughLeaving(psu.page, answer);
    expect(location.searchParams.get("error")).toBe("access_denied");
    expect(location.searchParams.get("state")).toBe(asked.request.state);
  }
  await expectRejected(tpp, asked);
  await test.step("and it stays rejected: no new authorisation, no DELETE changes it", async () => {
    await psu.open(asked.request.url);
    const again = await tpp.listener.next(60_000);
    expect(again.searchParams.get("error")).toBe("invalid_scope");
    expect((await tpp.bank.deleteConsent(asked.consentId)).status).toBe(204);
    await expectRejected(tpp, asked);
  });
});

test("a consent that the TPP deletes meanwhile: the PSU is told, and led back", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await expect(psu.fields.accounts.first()).toBeVisible();
  await tpp.bank.deleteConsent(asked.consentId);
  await psu.selectAll();
  await psu.continueButton.click();
  await expect(psu.page.getByRole("heading", { name: /withdrawn/ })).toBeVisible();
  await psu.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  expect(consentStatus).toBe("terminatedByTpp");
});
