import { granted } from "@/clients/typescript/src";
import { consentRequest, oneOff } from "../harness/consent-request";
import type { Psu } from "../harness/psu";
import type { PsuByForms } from "../harness/psu-by-forms";
import { expectRefusal } from "../harness/refusals";
import { UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";
import type { Asked, TestTpp } from "../harness/test-tpp";

/** Up to the code, without taking it to the token endpoint. */
async function codeFor(tpp: TestTpp, psu: PsuByForms, asked: Asked) {
  await psu.open(asked.request.url);
  await psu.agree("mihai", tpp.name);
  const cameBack = await tpp.listener.next(60_000);
  return {
    grant_type: "authorization_code",
    code: String(cameBack.searchParams.get("code")),
    redirect_uri: tpp.redirectUri,
    code_verifier: asked.request.codeVerifier,
  };
}

/** The authorisation request with some of its parameters set otherwise, or left out. */
function changed(asked: Asked, parameters: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(asked.request.url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url;
}

/** Whatever happens on the way, it ends at the bank, on a page with nothing to answer that leads nowhere by itself. */
async function expectLocalPage({ page }: Psu, webUrl: string, url: URL) {
  const answer = await page.request.get(url.href);
  expect(new URL(answer.url()).origin, url.search).toBe(new URL(webUrl).origin);
  const html = await answer.text();
  expect(html).not.toMatch(/http-equiv="refresh"/i);
  const [, main] = /<main\b[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  expect(main).toMatch(/<h1\b/);
  expect(main).not.toContain("<form");
}

test("the authorisation response has code, state and iss, the token response what RFC 6749 says", async ({
  tpp,
  psuByForms: psu,
  bank,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.agree("mihai", tpp.name);
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(tpp.redirectUri);
  expect([...cameBack.searchParams.keys()].toSorted()).toEqual(["code", "iss", "state"]);
  expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
  expect(cameBack.searchParams.get("iss")).toBe(bank.xs2aUrl);

  const reply = await tpp.postToken({
    grant_type: "authorization_code",
    code: String(cameBack.searchParams.get("code")),
    redirect_uri: tpp.redirectUri,
    code_verifier: asked.request.codeVerifier,
  });
  expect(reply).toEqual({
    status: 200,
    body: {
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: expect.any(Number),
      refresh_token: expect.any(String),
      scope: `AIS:${asked.consentId}`,
    },
  });
  expect(reply.body["expires_in"]).toBeLessThanOrEqual(900);
});

test("a one-off consent gets no refresh token, and an access token for 10 minutes at most", async ({
  tpp,
  authorise,
}) => {
  const { token } = await authorise(tpp, { userId: "mihai", request: oneOff() });
  expect(token.refreshToken).toBeUndefined();
  expect(token.expiresIn).toBeLessThanOrEqual(600);
});

test("the scope may be written in small letters and with a blank; the token has it as it should be", async ({
  tpp,
  psuByForms: psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(changed(asked, { scope: `ais: ${asked.consentId}` }));
  await psu.agree("mihai", tpp.name);
  expect((await tpp.collect(asked)).scope).toBe(`AIS:${asked.consentId}`);
});

const redirected: readonly (readonly [
  fault: string,
  parameters: Readonly<Record<string, string | undefined>>,
  error: string,
])[] = [
  ["no code_challenge", { code_challenge: undefined }, "invalid_request"],
  ["O9: no code_challenge_method", { code_challenge_method: undefined }, "invalid_request"],
  ["O9: code_challenge_method=plain", { code_challenge_method: "plain" }, "invalid_request"],
  ["a code_challenge that is no SHA-256", { code_challenge: "abc" }, "invalid_request"],
  ["O9: response_type=token", { response_type: "token" }, "unsupported_response_type"],
  [
    "O9: response_type=code id_token",
    { response_type: "code id_token" },
    "unsupported_response_type",
  ],
  ["no scope", { scope: undefined }, "invalid_scope"],
  ["O2: an unknown consent", { scope: `AIS:${UNKNOWN_ID}` }, "invalid_scope"],
  ["a scope that names no resource", { scope: "accounts" }, "invalid_scope"],
  ["O11: an AIS consent as a payment", { scope: "PIS:<own>" }, "invalid_scope"],
  ["O11: an AIS consent as a confirmation of funds", { scope: "PIIS:<own>" }, "invalid_scope"],
  ["two scopes", { scope: `AIS:<own> AIS:${UNKNOWN_ID}` }, "invalid_scope"],
];
test("O2, O9, O11: a request that is not understood leads the PSU back with its error, state and iss", async ({
  tpp,
  psuByForms: psu,
  bank,
}) => {
  const asked = await tpp.ask();
  for (const [fault, parameters, error] of redirected) {
    const own = Object.entries(parameters).map(
      ([name, value]) => [name, value?.replace("<own>", asked.consentId)] as const,
    );
    await psu.open(changed(asked, Object.fromEntries(own)));
    const { searchParams } = await tpp.listener.next(60_000);
    expect(Object.fromEntries(searchParams), fault).toEqual({
      error,
      error_description: expect.any(String),
      state: asked.request.state,
      iss: bank.xs2aUrl,
    });
  }
  await test.step("state is mandatory", async () => {
    await psu.open(changed(asked, { state: undefined }));
    const cameBack = await tpp.listener.next(60_000);
    expect(cameBack.searchParams.get("error")).toBe("invalid_request");
  });
});

for (const mode of ["fragment", "form_post", "web_message"]) {
  test(`O9: response_mode=${mode} gets no code`, async ({ tpp, psu }) => {
    const asked = await tpp.ask();
    await psu.open(changed(asked, { response_mode: mode }));
    await expect(psu.fields.userId).toHaveCount(0);
    await expect(tpp.listener.next(500).then((url) => url.searchParams.get("code"))).resolves.toBe(
      null,
    );
  });
}

test("O3: a redirect_uri that is not letter for letter the consent's gets a page of the bank, never a redirect to it", async ({
  tpp,
  psu,
  bank,
}) => {
  const asked = await tpp.ask();
  const { redirectUri } = tpp;
  const others = [
    `${redirectUri}/`,
    `${redirectUri}?x=1`,
    `${redirectUri}#x`,
    `${redirectUri}/../callback`,
    redirectUri.replace("/callback", "/Callback"),
    redirectUri.replace("/callback", "/%63allback"),
    redirectUri.replace("/callback", "//callback"),
    redirectUri.replace("localhost", "LOCALHOST"),
    redirectUri.replace("localhost", "127.0.0.1"),
    redirectUri.replace("localhost", "localhost."),
    redirectUri.replace("//", "//user@"),
    redirectUri.replace("http:", "https:"),
    redirectUri.replace(/:\d+/, ":1"),
    "https://evil.example/callback",
    "javascript:alert(1)",
    ` ${redirectUri}`,
    "",
  ];
  for (const redirect_uri of [...others, undefined]) {
    await expectLocalPage(psu, bank.webUrl, changed(asked, { redirect_uri }));
  }
  await expect(tpp.listener.next(100)).rejects.toThrow();
});

test("O3: the redirect_uri of another consent of the same TPP is not this consent's", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  const elsewhere = `${tpp.listener.origin}/elsewhere`;
  granted(await tpp.bank.createConsent(consentRequest(), { redirectUri: elsewhere }));
  await psu.open(changed(asked, { redirect_uri: elsewhere }));
  await expect(psu.fields.userId).toHaveCount(0);
  await expect(tpp.listener.next(500)).rejects.toThrow();
});

test("an unknown client_id gets a page of the bank, never a redirect to the TPP", async ({
  tpp,
  psu,
  bank,
}) => {
  const asked = await tpp.ask();
  for (const client_id of ["PSDRO-NBR-0", "x", "", undefined]) {
    await expectLocalPage(psu, bank.webUrl, changed(asked, { client_id }));
  }
  await expect(tpp.listener.next(100)).rejects.toThrow();
});

test("O4: a code without verifier, with a wrong one, or with another redirect_uri is invalid_grant", async ({
  tpp,
  psuByForms: psu,
}) => {
  const form = await codeFor(tpp, psu, await tpp.ask());
  const { code_verifier: _, ...withoutVerifier } = form;
  const replies = [
    await tpp.postToken(withoutVerifier),
    await tpp.postToken({ ...form, code_verifier: "x".repeat(43) }),
    await tpp.postToken({ ...form, redirect_uri: tpp.nokRedirectUri }),
  ];
  for (const { status, body } of replies) {
    expect(status).toBe(400);
    expect(["invalid_grant", "invalid_request"]).toContain(body["error"]);
    expect(body).not.toHaveProperty("access_token");
    expect(body).not.toHaveProperty("tppMessages");
  }
});

test("an unknown code, an unknown grant type and a missing parameter are refused as RFC 6749 says", async ({
  tpp,
}) => {
  await tpp.ask();
  const form = {
    grant_type: "authorization_code",
    code: "unknown",
    redirect_uri: tpp.redirectUri,
    code_verifier: "x".repeat(43),
  };
  expect(await tpp.postToken(form)).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
  const password = { grant_type: "password", username: "ana", password: "ana-sandbox" };
  expect(await tpp.postToken(password)).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^(unsupported_grant_type|unauthorized_client)$/) },
  });
  expect(await tpp.postToken({ grant_type: "authorization_code" })).toMatchObject({
    status: 400,
    body: { error: "invalid_request" },
  });
});

test("O6: of 8 parallel requests with one code exactly one gets a token, and the reuse kills it", async ({
  tpp,
  psuByForms: psu,
}) => {
  const asked = await tpp.ask();
  const form = await codeFor(tpp, psu, asked);
  const replies = await Promise.all(Array.from({ length: 8 }, () => tpp.postToken(form)));
  const given = replies.filter(({ status }) => status === 200);
  expect(given).toHaveLength(1);
  for (const { status, body } of replies.filter((reply) => reply !== given[0])) {
    expect({ status, error: body["error"] }).toEqual({ status: 400, error: "invalid_grant" });
  }
  const refresh = { grant_type: "refresh_token" };
  const refresh_token = String(given[0]?.body["refresh_token"]);
  expect(await tpp.postToken({ ...refresh, refresh_token })).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
});

test("the token endpoint without a certificate, or with another TPP's, is 401 invalid_client", async ({
  tpp,
  psuByForms: psu,
  newTpp,
}) => {
  const form = await codeFor(tpp, psu, await tpp.ask());
  const other = await newTpp();
  await other.ask();
  const stolen = await other.postToken({ ...form, client_id: tpp.id });
  expect(stolen).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  const asOther = await other.postToken(form);
  expect(asOther).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await tpp.postToken(form)).status).toBe(200);
});

test("tokens are bound to certificate, consent and scope, and end with the consent", async ({
  tpp,
  newTpp,
  authorise,
}) => {
  const grant = await authorise(tpp, { userId: "mihai" });
  const { asked, consentId, accessToken } = grant;
  const refresh = (by: TestTpp, token: string | undefined, more = {}) =>
    by.postToken({ grant_type: "refresh_token", refresh_token: String(token), ...more });
  const other = await tpp.ask();
  const renewed = await newTpp({ id: tpp.id });

  await test.step("O7: an access token with another certificate of the same TPP is 401 TOKEN_INVALID", async () => {
    expectRefusal(await renewed.bank.accounts(grant), 401, "TOKEN_INVALID");
    granted(await tpp.bank.accounts(grant));
  });
  await test.step("O11: no refresh widens the scope", async () => {
    const scope = `AIS:${other.consentId}`;
    const reply = await refresh(tpp, grant.token.refreshToken, { scope });
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  });
  const fresh = await asked.server.refresh(String(grant.token.refreshToken));
  await test.step("a refresh gives a new access token for the same consent", async () => {
    expect(fresh.accessToken).not.toBe(accessToken);
    expect(fresh.scope).toBe(`AIS:${consentId}`);
    granted(await tpp.bank.accounts({ consentId, accessToken: fresh.accessToken }));
  });
  let { refreshToken } = fresh;
  await test.step("O8: a TPP with a renewed certificate refreshes, and the new token is bound to it", async () => {
    const { status, body } = await refresh(renewed, refreshToken);
    expect(status).toBe(200);
    refreshToken = String(body["refresh_token"]);
    const permission = { consentId, accessToken: String(body["access_token"]) };
    granted(await renewed.bank.accounts(permission));
    expectRefusal(await tpp.bank.accounts(permission), 401, "TOKEN_INVALID");
  });
  await test.step("O13: the end of a consent is the end of its refresh token", async () => {
    await tpp.bank.deleteConsent(consentId);
    const reply = await refresh(tpp, refreshToken);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });
});

test("a token of one consent opens no other; a revoked refresh token is worth nothing", async ({
  tpp,
  authorise,
}) => {
  const first = await authorise(tpp, { userId: "mihai" });
  const second = await authorise(tpp, { userId: "elena" });
  await test.step("O11: a token of one consent is 401 TOKEN_INVALID with another consent's id", async () => {
    const mixed = { consentId: second.consentId, accessToken: first.accessToken };
    expectRefusal(await tpp.bank.accounts(mixed), 401, "TOKEN_INVALID");
  });
  const { asked, token } = first;
  await asked.server.revoke(String(token.refreshToken));
  await expect(asked.server.refresh(String(token.refreshToken))).rejects.toThrow();
});

test("O13: a code of a consent that was deleted since is invalid_grant", async ({
  tpp,
  psuByForms: psu,
}) => {
  const asked = await tpp.ask();
  const form = await codeFor(tpp, psu, asked);
  await tpp.bank.deleteConsent(asked.consentId);
  expect(await tpp.postToken(form)).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
});

test("O2: a consent that is authorised already, or deleted, is invalid_scope", async ({
  tpp,
  psuByForms: psu,
  authorise,
}) => {
  const { asked } = await authorise(tpp, { userId: "mihai" });
  const deleted = await tpp.ask();
  await tpp.bank.deleteConsent(deleted.consentId);
  for (const { request } of [asked, deleted]) {
    await psu.open(request.url);
    const cameBack = await tpp.listener.next(60_000);
    expect(cameBack.searchParams.get("error")).toBe("invalid_scope");
    expect(cameBack.searchParams.get("state")).toBe(request.state);
  }
});
