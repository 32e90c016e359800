import { granted } from "@/clients/typescript/src";
import { bankCommand } from "../harness/bank-command";
import { consentRequest } from "../harness/consent-request";
import { instant } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { endpoints, paymentEndpoints, UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";

const CBPII = "/open-banking/v3.1/cbpii";
const elsewhere = [
  { method: "POST", path: `${CBPII}/v2/consents/confirmation-of-funds` },
  { method: "GET", path: `${CBPII}/v2/consents/confirmation-of-funds/${UNKNOWN_ID}` },
  { method: "POST", path: `${CBPII}/v1/funds-confirmations` },
  { method: "PUT", path: "/open-banking/v3.1/aisp/v1/accounts" },
  { method: "GET", path: "/open-banking/v3.1/nowhere" },
];

test("C6: a TPP that the bank blocks is 401 CERTIFICATE_BLOCKED at the next call, on every path, and gets no token; nobody else is", async ({
  bank,
  tpp: other,
  newTpp,
  authorise,
}) => {
  const tpp = await newTpp();
  const grant = await authorise(tpp);
  expect((await tpp.bank.accounts(grant)).status).toBe(200);
  const end = "2999-01-01T00:00:00.000Z";
  const order = ["block", tpp.id, "--until", end, "--reason", "suspected of fraud"];
  expect(await bankCommand(bank, "tpp", ...order)).toBe(
    `${tpp.name} (${tpp.id}) is blocked until ${end}`,
  );

  const refused = await tpp.bank.accounts(grant);
  expectRefusal(refused, 401, "CERTIFICATE_BLOCKED");
  const text = `${tpp.id} is blocked by the bank until ${end}`;
  expect(refused.body).toMatchObject({ tppMessages: [{ text }] });
  for (const { method, path } of [...endpoints(), ...paymentEndpoints(), ...elsewhere]) {
    const body = method === "GET" || method === "DELETE" ? {} : { body: consentRequest() };
    expectRefusal(await tpp.bank.call(method, path, body), 401, "CERTIFICATE_BLOCKED");
  }
  const form = { grant_type: "refresh_token", refresh_token: String(grant.token.refreshToken) };
  const body = { error: "invalid_client", error_description: text };
  expect(await tpp.postToken(form)).toEqual({ status: 401, body });
  expectRefusal(await other.bank.consentStatus(UNKNOWN_ID), 403, "CONSENT_UNKNOWN");
  const listed = (await bankCommand(bank, "tpp", "list")).split("\n");
  expect(listed.filter((line) => line.startsWith(`${tpp.id} `))).toEqual([
    expect.stringMatching(/ until 2999-01-01T00:00:00\.000Z: suspected of fraud$/),
  ]);

  await bankCommand(bank, "tpp", "unblock", tpp.id);
  expect((await tpp.bank.accounts(grant)).status).toBe(200);
  expect((await tpp.postToken(form)).status).toBe(200);
});

test("C6: a PSU who is about to pay through a TPP that is blocked meanwhile pays nothing, is told, and led back", async ({
  bank,
  newTpp,
  psu,
}) => {
  const tpp = await newTpp();
  const asked = await tpp.askToPay(instant());
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  const code = await psu.codeFor("ana", tpp.name);
  await bankCommand(bank, "tpp", "block", tpp.id);
  await psu.confirm(code);
  const heading = psu.page.getByRole("heading", { name: "This request was stopped" });
  await expect(heading).toBeVisible();
  await expect(psu.page.getByText("Nothing was paid.")).toBeVisible();
  await psu.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(tpp.nokRedirectUri);
  expect(Object.fromEntries(cameBack.searchParams)).toEqual({
    error: "access_denied",
    state: asked.request.state,
    iss: bank.xs2aUrl,
  });

  await bankCommand(bank, "tpp", "unblock", tpp.id);
  const { transactionStatus } = granted(await tpp.bank.paymentStatus(asked));
  const { scaStatus } = granted(await tpp.bank.paymentScaStatus(asked, asked.authorisationId));
  expect({ transactionStatus, scaStatus }).toEqual({
    transactionStatus: "RJCT",
    scaStatus: "failed",
  });
});

test("C6: a PSU who comes for a blocked TPP is led back with unauthorized_client", async ({
  bank,
  newTpp,
  psuByForms: psu,
}) => {
  const tpp = await newTpp();
  const asked = await tpp.ask();
  await bankCommand(bank, "tpp", "block", tpp.id);
  await psu.open(asked.request.url);
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(tpp.redirectUri);
  expect(Object.fromEntries(cameBack.searchParams)).toEqual({
    error: "unauthorized_client",
    error_description: "the bank does not serve this client now",
    state: asked.request.state,
    iss: bank.xs2aUrl,
  });
});
