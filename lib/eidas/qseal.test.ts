import { beforeAll, describe, expect, it } from "vitest";
import { after } from "@/lib/domain/clock";
import { qsealParts } from "@/lib/sandbox/tpp-certificates";
import { KeyUsageFlags, KeyUsagesExtension } from "@/lib/sandbox/x509";
import { checkQseal } from "./qseal";
import { checkQwac, type Qwac } from "./qwac";
import { type Issuing, issueDer, now, pem, request, startIssuing } from "./testing/issuing";
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
    ["base64 of a PEM", (der) => base64(pem(der))],
  ])("may hold %s", async (_name, encode) => {
    const der = await issuing.qseal();
    expect(check(encode(der)).x509.raw).toEqual(Buffer.from(der));
  });

  it("is CERTIFICATE_MISSING when it is not there", () => {
    const text = "no signature certificate was presented";
    expect(refusal(() => check(undefined))).toEqual({ code: "CERTIFICATE_MISSING", text, path });
  });

  it.each<readonly [string, (der: Uint8Array) => string]>([
    ["nothing", () => ""],
    ["base64url", (der) => Buffer.from(der).toString("base64url")],
    ["base64 with a line break", (der) => base64(der).replace(/.{64}/g, "$&\n")],
    ["two PEMs", (der) => pem(der) + pem(der)],
    ["base64 of base64", (der) => base64(base64(der))],
    ["more than any certificate needs", () => "A".repeat(40_000)],
  ])("is CERTIFICATE_INVALID with %s", async (_name, encode) => {
    const header = encode(await issuing.qseal());
    expect(refusal(() => check(header))).toMatchObject({ code: "CERTIFICATE_INVALID", path });
  });
});

describe("the seal certificate", () => {
  it("C13: belongs to the TPP of the client certificate", async () => {
    const other = qsealParts({ ...request, id: "PSDRO-NBR-7654321" }, issuing.keys.publicKey);
    const header = base64(await issueDer(issuing.authority, other));
    expect(refusal(() => check(header))).toEqual({
      code: "CERTIFICATE_INVALID",
      text: "certificate belongs to another TPP than the client certificate",
      path,
    });
  });

  it("C8: is no QWAC", async () => {
    const header = base64(await issuing.qwac());
    expect(refusal(() => check(header))?.text).toBe("certificate is not of QcType eseal");
  });

  it("C8: holds the PSD2 statement too", async () => {
    const header = base64(await issuing.qseal({ without: "qcStatements" }));
    expect(refusal(() => check(header))?.text).toBe("certificate has no qcStatements");
  });

  it("C4: comes from a believed issuer", async () => {
    const stranger = { name: issuing.authority.name, keys: issuing.keys };
    const header = base64(await issueDer(stranger, qsealParts(request, issuing.keys.publicKey)));
    const text = "certificate is not issued by a trusted issuer";
    expect(refusal(() => check(header))).toEqual({ code: "CERTIFICATE_INVALID", text, path });
  });

  it("C3: is CERTIFICATE_EXPIRED a second after its end", async () => {
    const header = base64(await issuing.qseal({ notAfter: now }));
    expect(refusal(() => check(header))).toBeUndefined();
    const late = refusal(() => check(header, after(now, 1, "second")));
    expect(late).toMatchObject({ code: "CERTIFICATE_EXPIRED", path });
  });

  it.each([
    [KeyUsageFlags.nonRepudiation, undefined],
    [KeyUsageFlags.digitalSignature, undefined],
    [
      KeyUsageFlags.keyEncipherment,
      "certificate lacks key usage digitalSignature or nonRepudiation",
    ],
  ])("has a key that may sign: usage %i", async (usage, text) => {
    const keyUsage = new KeyUsagesExtension(usage, true);
    const header = base64(await issuing.qseal({ extensions: { keyUsage } }));
    expect(refusal(() => check(header))?.text).toBe(text);
  });

  it("C4: is no CA certificate", async () => {
    const header = base64(issuing.anchors[0]?.x509.raw ?? new Uint8Array());
    expect(refusal(() => check(header))?.text).toBe("certificate is a CA certificate");
  });
});
