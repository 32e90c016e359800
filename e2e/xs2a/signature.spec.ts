import { randomUUID } from "node:crypto";
import { AISP, type CallOptions, replyOf, signed } from "@/clients/typescript/src";
import { consentRequest } from "../harness/consent-request";
import { expectRefusal } from "../harness/refusals";
import {
  alsoHaving,
  endpoints,
  having,
  paymentEndpoints,
  signatureChanged,
  signedOver,
  UNKNOWN_ID,
  without,
} from "../harness/requests";
import { expect, test } from "../harness/test";
import type { TestTpp } from "../harness/test-tpp";

/** A signed GET; 403 CONSENT_UNKNOWN is what it gets once its signature is believed. */
const get = (tpp: TestTpp, options: CallOptions = {}) =>
  tpp.bank.consentStatus(UNKNOWN_ID, options);
const post = (tpp: TestTpp, options: CallOptions = {}) =>
  tpp.bank.createConsent(consentRequest(), tpp, options);

// What a signature has to be is held where it is judged: lib/xs2a/signature.test.ts and its corpus.

for (const { method, path } of [...endpoints(), ...paymentEndpoints()]) {
  test(`S1: without Signature ${method} ${path} is 401 SIGNATURE_MISSING`, async ({ tpp }) => {
    const body = method === "POST" ? { body: consentRequest() } : {};
    const call = (...names: readonly string[]) =>
      tpp.bank.call(method, path, { ...body, edit: without(...names) });
    expectRefusal(await call("signature"), 401, "SIGNATURE_MISSING");
    expectRefusal(await call("signature", "digest"), 401, "SIGNATURE_MISSING");
  });
}

test("TPP-Signature-Certificate missing is 401 CERTIFICATE_MISSING", async ({ tpp }) => {
  const reply = await get(tpp, { edit: without("tpp-signature-certificate") });
  expectRefusal(reply, 401, "CERTIFICATE_MISSING");
});

test("S2, S5, S8: a signature that covers too little, or names another certificate, is 401 SIGNATURE_INVALID", async ({
  tpp,
}) => {
  const covering = ["digest", "x-request-id", "date", "tpp-nok-redirect-uri"];
  const uncovered = await post(tpp, { edit: signedOver(tpp.seal, covering) });
  expectRefusal(uncovered, 401, "SIGNATURE_INVALID", "Signature");
  const changes: readonly ((text: string) => string)[] = [
    (text) => `${text},signature="AAAA"`,
    (text) => text.replace(/SN=[^,]+/, "SN=1"),
    (text) => text.replace(/signature=".{8}/, 'signature="AAAAAAAA'),
  ];
  for (const change of changes) {
    const reply = await get(tpp, { edit: signatureChanged(change) });
    expectRefusal(reply, 401, "SIGNATURE_INVALID", "Signature");
  }
});

test("S4: a header that is sent twice is refused", async ({ tpp }) => {
  for (const name of ["date", "digest", "signature", "x-request-id", "tpp-signature-certificate"]) {
    const again = name === "x-request-id" ? randomUUID() : "again";
    const { ok, status } = await get(tpp, { edit: alsoHaving(name, again) });
    expect(ok, name).toBe(false);
    expect([400, 401]).toContain(status);
  }
  const edit = alsoHaving("tpp-redirect-uri", "https://evil.example");
  expect([400, 401]).toContain((await post(tpp, { edit })).status);
});

test("(request-target) may be covered, and then has to be right", async ({ tpp }) => {
  const names = ["(request-target)", "digest", "x-request-id", "date"];
  const target = (value: string): CallOptions => ({
    edit: (request) => {
      const { headers } = having({ "(request-target)": value })(request);
      const over = signedOver(tpp.seal, names)({ ...request, headers });
      return without("(request-target)")(over);
    },
  });
  const path = `${AISP}/consents/${UNKNOWN_ID}/status`;
  expectRefusal(await get(tpp, target(`get ${path}`)), 403, "CONSENT_UNKNOWN");
  expectRefusal(await get(tpp, target(`post ${path}`)), 401, "SIGNATURE_INVALID", "Signature");
});

test("S7: Digest absent, also where there is no body, is 401 SIGNATURE_INVALID", async ({
  tpp,
}) => {
  expectRefusal(await get(tpp, { edit: without("digest") }), 401, "SIGNATURE_INVALID", "Digest");
  expectRefusal(await post(tpp, { edit: without("digest") }), 401, "SIGNATURE_INVALID", "Digest");
});

test("S7: a body of which one bit differs from the digest is 401 SIGNATURE_INVALID", async ({
  tpp,
}) => {
  const reply = await post(tpp, {
    edit: (request) => {
      const body = Uint8Array.from(request.body ?? []);
      const last = body.length - 1;
      body[last] = (body[last] as number) ^ 1;
      return { ...request, body };
    },
  });
  expectRefusal(reply, 401, "SIGNATURE_INVALID", "Digest");
});

test("S7: a body where the digest is of none is 401 SIGNATURE_INVALID", async ({ tpp }) => {
  const headers = signed(tpp.seal, new Uint8Array(), {
    "content-type": "application/json",
    "psu-ip-address": "198.51.100.7",
    "tpp-redirect-uri": tpp.redirectUri,
  });
  const reply = await post(tpp, { edit: (request) => ({ ...request, headers }) });
  expectRefusal(reply, 401, "SIGNATURE_INVALID", "Digest");
});

test("S9: Date within 5 minutes of the bank's is accepted, 6 minutes either way are not", async ({
  tpp,
}) => {
  const at = (minutes: number) =>
    get(tpp, { headers: { date: new Date(Date.now() + minutes * 60_000).toUTCString() } });
  expectRefusal(await at(-4), 403, "CONSENT_UNKNOWN");
  expectRefusal(await at(4), 403, "CONSENT_UNKNOWN");
  expectRefusal(await at(-6), 400, "TIMESTAMP_INVALID", "Date");
  expectRefusal(await at(6), 400, "TIMESTAMP_INVALID", "Date");
});

test("S13: no header makes one method into another or skips the checks", async ({ tpp }) => {
  const { consentId } = await tpp.ask();
  const headers = {
    "x-http-method-override": "DELETE",
    "x-method-override": "DELETE",
    "x-middleware-subrequest": "middleware:middleware:middleware",
  };
  expect((await tpp.bank.consentStatus(consentId, { headers })).status).toBe(200);
  const { body } = await tpp.bank.consentStatus(consentId);
  expect(body).toEqual({ consentStatus: "received" });
  const unsigned = await tpp.http.send({
    method: "GET",
    url: String(new URL(`${AISP}/consents/${consentId}`, tpp.xs2aUrl)),
    headers,
  });
  expect(replyOf(unsigned).status).not.toBe(200);
});
