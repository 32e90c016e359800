import { randomUUID } from "node:crypto";
import { replyOf } from "@/cli/tpp/reply";
import { digest, signed } from "@/cli/tpp/signing";
import { AISP, type CallOptions } from "@/cli/tpp/xs2a";
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

const mandatory = ["digest", "x-request-id", "date", "tpp-redirect-uri"] as const;
for (const left of mandatory) {
  test(`S2: a signature that does not cover ${left} is 401 SIGNATURE_INVALID`, async ({ tpp }) => {
    const names = [...mandatory, "tpp-nok-redirect-uri"].filter((name) => name !== left);
    const reply = await post(tpp, { edit: signedOver(tpp.seal, names) });
    expectRefusal(reply, 401, "SIGNATURE_INVALID", "Signature");
  });
}

for (const header of ["psu-id", "psu-corporate-id"]) {
  test(`S2: ${header} must be covered when it is sent`, async ({ tpp }) => {
    const names = [...mandatory, "tpp-nok-redirect-uri"];
    const options = { headers: { [header]: "ana" } };
    const reply = await post(tpp, { ...options, edit: signedOver(tpp.seal, names) });
    expectRefusal(reply, 401, "SIGNATURE_INVALID", "Signature");
    expect((await post(tpp, options)).status).toBe(201);
  });
}

test("S2: stripped to `date`, or without a list of headers at all: 401 SIGNATURE_INVALID", async ({
  tpp,
}) => {
  const dateOnly = await get(tpp, { edit: signedOver(tpp.seal, ["date"]) });
  expectRefusal(dateOnly, 401, "SIGNATURE_INVALID", "Signature");
  const noList = await get(tpp, {
    edit: (request) =>
      signatureChanged((text) => text.replace(/headers="[^"]*",/, ""))(
        signedOver(tpp.seal, ["date"])(request),
      ),
  });
  expectRefusal(noList, 401, "SIGNATURE_INVALID", "Signature");
});

test("S3: a listed header that is absent from the request is 401 SIGNATURE_INVALID", async ({
  tpp,
}) => {
  const listed = signatureChanged((text) => text.replace('date"', 'date psu-id"'));
  expectRefusal(await get(tpp, { edit: listed }), 401, "SIGNATURE_INVALID", "Signature");
});

test("S4: a header listed twice is 401 SIGNATURE_INVALID", async ({ tpp }) => {
  const names = ["digest", "x-request-id", "date", "date"];
  const reply = await get(tpp, { edit: signedOver(tpp.seal, names) });
  expectRefusal(reply, 401, "SIGNATURE_INVALID", "Signature");
});

for (const name of ["date", "digest", "signature", "x-request-id", "tpp-signature-certificate"]) {
  test(`S4: ${name} sent twice is refused`, async ({ tpp }) => {
    const again = name === "x-request-id" ? randomUUID() : "again";
    const reply = await get(tpp, { edit: alsoHaving(name, again) });
    expect(reply.ok).toBe(false);
    expect([400, 401]).toContain(reply.status);
  });
}

test("S4: tpp-redirect-uri sent twice is refused", async ({ tpp }) => {
  const reply = await post(tpp, { edit: alsoHaving("tpp-redirect-uri", "https://evil.example") });
  expect([400, 401]).toContain(reply.status);
});

const rewritten: readonly (readonly [fault: string, change: (text: string) => string])[] = [
  ["S5: keyId twice", (text) => `keyId="SN=1,CA=CN=x",${text}`],
  ["S5: signature twice", (text) => `${text},signature="AAAA"`],
  ["S6: algorithm hmac-sha256", (text) => text.replace("rsa-sha256", "hmac-sha256")],
  ["S6: algorithm none", (text) => text.replace("rsa-sha256", "none")],
  ["S6: algorithm rsa-sha1", (text) => text.replace("rsa-sha256", "rsa-sha1")],
  ["S6: algorithm of another kind of key", (text) => text.replace("rsa-sha256", "ecdsa-sha256")],
  ["S6: algorithm with another hash", (text) => text.replace("rsa-sha256", "rsa-sha512")],
  ["S8: another serial number", (text) => text.replace(/SN=[^,]+/, "SN=1")],
  ["S8: another issuer", (text) => text.replace(/CA=[^"]+/, "CA=CN=Other%20CA")],
  ["no keyId", (text) => text.replace(/keyId="[^"]*",/, "")],
  ["bad base64", (text) => text.replace(/signature="[^"]*"/, 'signature="***"')],
  ["an empty signature", (text) => text.replace(/signature="[^"]*"/, 'signature=""')],
  ["another signature", (text) => text.replace(/signature=".{8}/, 'signature="AAAAAAAA')],
  ["no parameters", () => "nonsense"],
];
for (const [fault, change] of rewritten) {
  test(`${fault} is 401 SIGNATURE_INVALID`, async ({ tpp }) => {
    const reply = await get(tpp, { edit: signatureChanged(change) });
    expectRefusal(reply, 401, "SIGNATURE_INVALID", "Signature");
  });
}

const tolerated: readonly (readonly [what: string, change: (text: string) => string])[] = [
  [
    "its parameters in another order",
    (text) =>
      text
        .split(/,(?=\w+=")/)
        .reverse()
        .join(","),
  ],
  [
    "a lower-case serial number",
    (text) => text.replace(/SN=[^,]+/, (sn) => `SN=${sn.slice(3).toLowerCase()}`),
  ],
  ["a serial number with leading zeros", (text) => text.replace("SN=", "SN=00")],
  ["the algorithm in capitals", (text) => text.replace("rsa-sha256", "RSA-SHA256")],
  [
    "capitalised header names",
    (text) => text.replace('digest x-request-id date"', 'Digest X-Request-ID Date"'),
  ],
  [
    "the issuer's parts the other way round",
    (text) =>
      text.replace(
        /CA=([^"]+)/,
        (_, issuer: string) => `CA=${issuer.split(",").reverse().join(",")}`,
      ),
  ],
];
for (const [what, change] of tolerated) {
  test(`a signature with ${what} is believed`, async ({ tpp }) => {
    expectRefusal(await get(tpp, { edit: signatureChanged(change) }), 403, "CONSENT_UNKNOWN");
  });
}

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

const digests: readonly (readonly [what: string, digest: string, believed: boolean])[] = [
  ["SHA-512", digest(new Uint8Array(), "SHA-512"), true],
  ["sha-256 in small letters", digest(new Uint8Array()).replace("SHA", "sha"), true],
  ["both", `${digest(new Uint8Array())},${digest(new Uint8Array(), "SHA-512")}`, true],
  ["MD5 alone", "MD5=1B2M2Y8AsgTpgAmY7PhCfg==", false],
  ["no algorithm", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false],
  ["one right and one wrong", `${digest(new Uint8Array())},SHA-512=AAAA`, false],
];
for (const [what, value, believed] of digests) {
  test(`S7: a Digest of ${what} is ${believed ? "believed" : "refused"}`, async ({ tpp }) => {
    const names = ["digest", "x-request-id", "date"];
    const reply = await get(tpp, {
      edit: (request) => signedOver(tpp.seal, names)(having({ digest: value })(request)),
    });
    if (believed) expectRefusal(reply, 403, "CONSENT_UNKNOWN");
    else expectRefusal(reply, 401, "SIGNATURE_INVALID", "Digest");
  });
}

test("Date missing is 401 SIGNATURE_INVALID, malformed 400 TIMESTAMP_INVALID", async ({ tpp }) => {
  const none = await get(tpp, {
    edit: (request) => signedOver(tpp.seal, ["digest", "x-request-id"])(without("date")(request)),
  });
  expectRefusal(none, 401, "SIGNATURE_INVALID", "Date");
  for (const date of ["2026-12-01T09:30:00Z", "yesterday", "Tue, 32 Dec 2026 09:30:00 GMT"]) {
    expectRefusal(await get(tpp, { headers: { date } }), 400, "TIMESTAMP_INVALID", "Date");
  }
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
