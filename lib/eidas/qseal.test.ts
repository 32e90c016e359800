import { beforeAll, describe, expect, it } from "vitest";
import { after } from "@/lib/domain/clock";
import { checkQseal } from "./qseal";
import { checkQwac, type Qwac } from "./qwac";
import { type Issuing, now, pem, startIssuing } from "./testing/issuing";
import { refusal } from "./testing/refusal";

const path = "TPP-Signature-Certificate";
let issuing: Issuing;
let qwac: Qwac;
beforeAll(async () => {
  issuing = await startIssuing();
  qwac = checkQwac(await issuing.qwac(), issuing.anchors, now);
});

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64");
const check = (header: string | undefined, at = now) =>
  checkQseal(header, qwac, issuing.anchors, at);

describe("the TPP-Signature-Certificate header", () => {
  it.each<readonly [string, (der: Uint8Array) => string]>([
    ["base64 of the DER", base64],
    ["a PEM on one line, blanks for its breaks", (der) => pem(der).trim().replaceAll("\n", " ")],
    ["a PEM on one line, its breaks left out", (der) => pem(der).replaceAll("\n", "")],
    ["base64 of the DER with blanks for its breaks", (der) => base64(der).replace(/.{64}/g, "$& ")],
    ["base64 of a PEM", (der) => base64(pem(der))],
    ["base64 of a PEM with CRLF", (der) => base64(pem(der).replaceAll("\n", "\r\n"))],
  ])("may hold %s", async (_name, encode) => {
    const der = await issuing.qseal();
    expect(check(encode(der)).x509.raw).toEqual(Buffer.from(der));
  });

  it("is CERTIFICATE_MISSING when it is not there", () => {
    const text = "TPP-Signature-Certificate is missing: no signature certificate was presented";
    expect(refusal(() => check(undefined))).toEqual({ code: "CERTIFICATE_MISSING", text, path });
  });

  const encoded = "signature certificate is not base64 of a certificate";
  const none = "signature certificate is base64 of what is no X.509 certificate";
  it.each<readonly [string, (der: Uint8Array) => string, text: string]>([
    ["nothing", () => "", `${encoded}: it is empty`],
    [
      "base64url",
      (der) => Buffer.from(der).toString("base64url"),
      `${encoded}: it is base64url or lacks its padding`,
    ],
    ["base64 with a line break", (der) => base64(der).replace(/.{64}/g, "$&\n"), encoded],
    ["two PEMs", (der) => pem(der) + pem(der), `${encoded}: it is more than one`],
    ["half a PEM", (der) => pem(der).slice(0, 200), `${encoded}: it is a PEM that is not whole`],
    ["an escaped PEM", (der) => encodeURI(pem(der)), `${encoded}: it is percent-encoded`],
    [
      "a private key",
      () => "-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----",
      `${encoded}: it is a private key; replace that key`,
    ],
    [
      "base64 of a private key",
      () => base64("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
      `${encoded}: it is a private key; replace that key`,
    ],
    ["base64 of two PEMs", (der) => base64(pem(der) + pem(der)), `${encoded}: it is more than one`],
    [
      "base64 of a PEM with a text before it",
      (der) => base64(`Bag Attributes\n${pem(der)}`),
      `${encoded}: it has a text before its PEM`,
    ],
    [
      "a PEM of something else",
      (der) => pem(der).replaceAll("CERTIFICATE", "CERTIFICATE REQUEST").replaceAll("\n", ""),
      `${encoded}: it is a PEM of something else`,
    ],
    [
      "a PEM whose breaks are written out",
      (der) => pem(der).replaceAll("\n", "\\n"),
      `${encoded}: it has \\n in place of line breaks; leave them out`,
    ],
    [
      "the end of a PEM without its beginning",
      (der) => pem(der).replace("-----BEGIN CERTIFICATE-----", "").replaceAll("\n", ""),
      `${encoded}: it is a PEM that is not whole`,
    ],
    [
      "colons around it",
      (der) => `:${base64(der)}:`,
      `${encoded}: it is in colons, which RFC 9440 has and this header has not`,
    ],
    ["quotation marks", (der) => `"${base64(der)}"`, `${encoded}: it is in quotation marks`],
    ["base64 of base64", (der) => base64(base64(der)), none],
    ["half a certificate", (der) => base64(der.subarray(0, 300)), none],
    ["more than any certificate needs", () => "A".repeat(40_000), none],
  ])("is CERTIFICATE_INVALID with %s", async (_name, encode, text) => {
    const header = encode(await issuing.qseal());
    expect(refusal(() => check(header))).toEqual({ code: "CERTIFICATE_INVALID", text, path });
  });
});

describe("the seal certificate", () => {
  it("C3: is CERTIFICATE_EXPIRED a second after its end", async () => {
    const header = base64(await issuing.qseal({ notAfter: now }));
    expect(refusal(() => check(header))).toBeUndefined();
    const late = refusal(() => check(header, after(now, 1, "second")));
    expect(late).toMatchObject({ code: "CERTIFICATE_EXPIRED", path });
  });
});
