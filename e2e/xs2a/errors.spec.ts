import { gzipSync } from "node:zlib";
import { AISP, http, PISP, replyOf, signed, text } from "@/clients/typescript/src";
import { consentRequest } from "../harness/consent-request";
import { expectRefusal, seen } from "../harness/refusals";
import { having, UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";
import type { TestTpp } from "../harness/test-tpp";

/** A consent with this body, byte for byte, signed as it is. */
async function postBody(tpp: TestTpp, body: Uint8Array | string, headers = {}) {
  const bytes = Buffer.from(body);
  const complete = signed(tpp.seal, bytes, {
    "content-type": "application/json",
    "psu-ip-address": "198.51.100.7",
    "tpp-redirect-uri": tpp.redirectUri,
    ...headers,
  });
  const url = `${tpp.xs2aUrl}${AISP}/consents`;
  return replyOf(await tpp.http.send({ method: "POST", url, headers: complete, body: bytes }));
}

const unknown = [
  "/open-banking",
  "/open-banking/v3.1/aisp/v1",
  "/open-banking/v3.1/aisp/v1/card-accounts",
  "/open-banking/v3.1/aisp/v1/trusted-beneficiaries",
  "/open-banking/v3.1/aisp/v1/Accounts",
  "/open-banking/v3.1/aisp/v1/consents/x/y/z",
  "/open-banking/v3.1/aisp/v2/accounts",
  PISP,
  `${PISP}/payments`,
  `${PISP}/signing-baskets`,
  `${PISP}/signing-baskets/${UNKNOWN_ID}`,
  `${PISP}/signing-baskets/${UNKNOWN_ID}/status`,
  `${PISP}/payments/sepa-credit-transfers/${UNKNOWN_ID}/cancellation-authorisations`,
  `${PISP}/payments/sepa-credit-transfers/${UNKNOWN_ID}/cancellation-authorisations/${UNKNOWN_ID}`,
  `${PISP}/payments/sepa-credit-transfers/${UNKNOWN_ID}/status/x`,
  "/open-banking/v3.1/pisp/v2/payments/sepa-credit-transfers",
];
for (const path of unknown) {
  test(`404 RESOURCE_UNKNOWN in the standard's form: ${path}`, async ({ tpp }) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      expectRefusal(await tpp.bank.call(method, path), 404, "RESOURCE_UNKNOWN");
    }
  });
}

const payment = `${PISP}/payments/sepa-credit-transfers/${UNKNOWN_ID}`;
/** The methods that can be granted on each path. */
const offered: readonly (readonly [path: string, methods: readonly string[]])[] = [
  [`${PISP}/payments/sepa-credit-transfers`, ["POST"]],
  [payment, ["GET"]],
  [`${payment}/status`, ["GET"]],
  [`${payment}/authorisations`, ["GET"]],
  [`${payment}/authorisations/${UNKNOWN_ID}`, ["GET"]],
  [`${AISP}/consents`, ["POST"]],
  [`${AISP}/consents/${UNKNOWN_ID}`, ["GET", "DELETE"]],
  [`${AISP}/consents/${UNKNOWN_ID}/status`, ["GET"]],
  [`${AISP}/consents/${UNKNOWN_ID}/authorisations`, ["GET"]],
  [`${AISP}/consents/${UNKNOWN_ID}/authorisations/${UNKNOWN_ID}`, ["GET"]],
  [`${AISP}/accounts`, ["GET"]],
  [`${AISP}/accounts/${UNKNOWN_ID}`, ["GET"]],
  [`${AISP}/accounts/${UNKNOWN_ID}/balances`, ["GET"]],
  [`${AISP}/accounts/${UNKNOWN_ID}/transactions`, ["GET"]],
  [`${AISP}/accounts/${UNKNOWN_ID}/transactions/${UNKNOWN_ID}`, ["GET"]],
];
for (const [path, methods] of offered) {
  test(`405 SERVICE_INVALID with Allow for every other method: ${path}`, async ({ tpp }) => {
    // The cancellation of a payment has a code of its own, and is 404 for an unknown one.
    const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
      (method) => !methods.includes(method) && !(path === payment && method === "DELETE"),
    );
    for (const method of others) {
      const reply = await tpp.bank.call(method, path);
      expectRefusal(reply, 405, "SERVICE_INVALID");
      expect(reply.headers["allow"]).toBe(methods.join(", "));
    }
  });
}

test("an id in the path with control characters or broken escapes is as unknown as any other", async ({
  tpp,
}) => {
  const withIds = offered.filter(([path]) => path.includes(UNKNOWN_ID));
  expect(withIds.length).toBeGreaterThan(9);
  for (const [path, [method = "GET"]] of withIds) {
    const unknown = seen(await tpp.bank.call(method, path));
    for (const id of ["%00", "a%0Ab", "a%2Fb", "%zz", "%ff"]) {
      const reply = await tpp.bank.call(method, path.replace(UNKNOWN_ID, id));
      expect([id, seen(reply)]).toEqual([id, unknown]);
    }
  }
});

test("406 REQUESTED_FORMATS_INVALID when Accept excludes JSON, and not when it allows it", async ({
  shared: { tpp, grant },
}) => {
  for (const accept of ["application/xml", "text/plain", "application/json;q=0, text/html"]) {
    const reply = await tpp.bank.accounts(grant, false, { headers: { accept } });
    expectRefusal(reply, 406, "REQUESTED_FORMATS_INVALID");
  }
  for (const accept of ["*/*", "application/*", "application/xml, application/json;q=0.5"]) {
    const reply = await tpp.bank.accounts(grant, false, { headers: { accept } });
    expect(reply.status).toBe(200);
  }
});

test("415 UNSUPPORTED_MEDIA_TYPE for any body but JSON", async ({ tpp }) => {
  const body = JSON.stringify(consentRequest());
  for (const type of ["application/xml", "text/plain", "application/x-www-form-urlencoded"]) {
    const reply = await postBody(tpp, body, { "content-type": type });
    expectRefusal(reply, 415, "UNSUPPORTED_MEDIA_TYPE");
  }
  const charset = { "content-type": "application/json; charset=utf-8" };
  expect((await postBody(tpp, body, charset)).status).toBe(201);
});

test("S7: a compressed body is 415 UNSUPPORTED_MEDIA_TYPE", async ({ tpp }) => {
  const body = gzipSync(JSON.stringify(consentRequest()));
  const reply = await postBody(tpp, body, { "content-encoding": "gzip" });
  expectRefusal(reply, 415, "UNSUPPORTED_MEDIA_TYPE");
});

test("X1: a body of more than 64 KiB is 413, one of 64 KiB is read", async ({ tpp }) => {
  const padded = (bytes: number) => {
    const json = JSON.stringify(consentRequest());
    return json + " ".repeat(bytes - json.length);
  };
  expect((await postBody(tpp, padded(65_536))).status).toBe(201);
  expectRefusal(await postBody(tpp, padded(65_537)), 413, "PAYLOAD_TOO_LARGE");
});

test("X3: JSON that is too deep, has a name twice, or is none is 400 FORMAT_ERROR", async ({
  tpp,
}) => {
  const json = JSON.stringify(consentRequest());
  const bodies = [
    "[".repeat(30_000),
    `${'{"access":'.repeat(30)}{}${"}".repeat(30)}`,
    json.replace('"frequencyPerDay":4', '"frequencyPerDay":4,"frequencyPerDay":1'),
    json.replace('"access"', '"acc\\u0065ss":{},"access"'),
    json.slice(0, -1),
    `${json}x`,
    "",
    "null",
    "[]",
    "\ufeff{}",
    Uint8Array.from([0x22, 0xff, 0xfe, 0x22]),
  ];
  for (const body of bodies) expectRefusal(await postBody(tpp, body), 400, "FORMAT_ERROR");
});

test("a problem document is sent to a TPP that accepts nothing else", async ({ tpp }) => {
  const reply = await tpp.bank.consentStatus(UNKNOWN_ID, {
    headers: { accept: "application/problem+json" },
  });
  expect(reply.status).toBe(403);
  expect(reply.headers["content-type"]).toBe("application/problem+json");
});

test("C14: the browser's paths are 404 on the TPP host", async ({ tpp, bank }) => {
  for (const path of [
    "/",
    "/auth",
    "/authorise/x",
    "/sandbox/messages?psu=ana",
    "/sandbox/phone",
  ]) {
    const reply = await tpp.http.send({
      method: "GET",
      url: `${bank.xs2aUrl}${path}`,
      headers: {},
    });
    expect(reply.status, path).toBe(404);
    expect(String(reply.headers["content-type"])).not.toContain("text/html");
  }
});

test("C14: the TPP's paths are 404 on the browser host, whatever certificate a header claims", async ({
  tpp,
  bank,
}) => {
  const der = tpp.certificates.qwac.pem.replace(/-----[^-]+-----|\s/g, "");
  const paths = [
    `${AISP}/accounts`,
    `${AISP}/consents/${UNKNOWN_ID}`,
    payment,
    "/.well-known/oauth-authorization-server",
    "/token",
    "/token/revocation",
    "/jwks",
  ];
  for (const path of paths) {
    const headers = signed(tpp.seal, new Uint8Array(), { "client-cert": `:${der}:` });
    const reply = await fetch(`${bank.webUrl}${path}`, { headers });
    expect(reply.status, path).toBe(404);
    await reply.arrayBuffer();
  }
});

test("X13: the Host header has no say in the links of an answer", async ({ tpp, bank }) => {
  const reply = await tpp.bank.createConsent(consentRequest(), tpp, {
    edit: having({ "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" }),
  });
  expect(reply.status).toBe(201);
  expect(JSON.stringify(reply.body)).not.toContain("evil.example");
  expect(reply.headers["location"]).toContain(bank.xs2aUrl);
});

test("the metadata is what RFC 8414 and the bank promise, and asks for no certificate", async ({
  tpp,
  bank,
}) => {
  const unidentified = http({ ca: tpp.certificates.ca });
  const url = `${bank.xs2aUrl}/.well-known/oauth-authorization-server`;
  const reply = await unidentified.send({ method: "GET", url, headers: {} });
  await unidentified.close();
  expect(reply.status).toBe(200);
  expect(JSON.parse(text(reply.body))).toMatchObject({
    issuer: bank.xs2aUrl,
    authorization_endpoint: `${bank.webUrl}/auth`,
    token_endpoint: `${bank.xs2aUrl}/token`,
    revocation_endpoint: `${bank.xs2aUrl}/token/revocation`,
    jwks_uri: `${bank.xs2aUrl}/jwks`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: expect.arrayContaining(["authorization_code", "refresh_token"]),
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["tls_client_auth"],
    tls_client_certificate_bound_access_tokens: true,
    authorization_response_iss_parameter_supported: true,
  });
});
