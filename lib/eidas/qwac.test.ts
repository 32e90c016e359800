import { beforeAll, describe, expect, it } from "vitest";
import { after as later } from "@/lib/domain/clock";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { makeEcKeys } from "@/lib/sandbox/key-pairs";
import { psd2Statement, writtenRole } from "@/lib/sandbox/qc-statements-encode";
import { qwacParts } from "@/lib/sandbox/tpp-certificates";
import { checkQwac } from "./qwac";
import {
  type Issuing,
  issueDer,
  now,
  pem,
  qcExtension,
  request,
  signedByRsa,
  startIssuing,
} from "./testing/issuing";
import { notTrusted, refusal } from "./testing/refusal";
import { parseTrustAnchors, type TrustAnchors } from "./trust";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

const check = (der: Uint8Array | undefined, at = now) => checkQwac(der, issuing.anchors, at);

describe("a QWAC that is accepted", () => {
  it("names the TPP: organizationIdentifier, name, roles and competent authority", async () => {
    const der = await issuing.qwac();
    expect(check(der).tpp).toEqual({
      id: "PSDRO-NBR-1234567",
      name: "Example TPP SRL",
      roles: ["PSP_PI", "PSP_AI"],
      authorityId: "RO-NBR",
      authorityName: "National Bank of Romania",
    });
    expect(check(der).thumbprint).toMatch(/^[\w-]{43}$/);
  });

  it("is read once", async () => {
    const der = await issuing.qwac();
    expect(check(Uint8Array.from(der)).certificate).toBe(check(der).certificate);
  });

  it("may hold an EC key on P-256", async () => {
    const { publicKey } = await makeEcKeys();
    expect(check(await issuing.qwac({ publicKey })).tpp.id).toBe(request.id);
  });

  it("may have no extended key usage, which means any purpose", async () => {
    expect(check(await issuing.qwac({ without: "extendedKeyUsage" })).tpp.id).toBe(request.id);
  });

  it("may have a name beyond ASCII", async () => {
    const subject = distinguishedName(["O", "Bancă & Țară"], ["2.5.4.97", request.id]);
    expect(check(await issuing.qwac({ subject })).tpp.name).toBe("Bancă & Țară");
  });

  it("may hold the PSD2 statement in place of the list, when its policy is one of QWACs", async () => {
    const statement = psd2Statement([writtenRole("PSP_AI")], "National Bank of Romania", "RO-NBR");
    const der = await issuing.qwac({ extensions: qcExtension(statement) });
    expect(check(der).tpp.roles).toEqual(["PSP_AI"]);
  });

  it("may be signed with RSASSA-PSS and SHA-256", async () => {
    const { der, anchors } = await signedByRsa(issuing, "pssSha256");
    expect(checkQwac(der, anchors, now).tpp.id).toBe(request.id);
  });
});

describe("the period of validity", () => {
  const notBefore = later(now, -10, "day");
  const notAfter = later(now, 10, "day");

  it.each([
    ["a second before it begins: refused", later(notBefore, -1, "second"), "CERTIFICATE_EXPIRED"],
    ["at its first second: accepted", notBefore, undefined],
    ["at its last second: accepted", notAfter, undefined],
    ["a second after its end: refused", later(notAfter, 1, "second"), "CERTIFICATE_EXPIRED"],
  ])("C3: %s", async (_when, instant, code) => {
    const der = await issuing.qwac({ notBefore, notAfter });
    const anchors = await anchorFor({ notBefore: later(now, -900, "day") });
    expect(refusal(() => checkQwac(der, anchors, instant))?.code).toBe(code);
  });

  it("C3: is asked again of a certificate already known", async () => {
    const der = await issuing.qwac({ notAfter });
    expect(refusal(() => check(der))).toBeUndefined();
    expect(refusal(() => check(der, later(now, 11, "day")))?.code).toBe("CERTIFICATE_EXPIRED");
  });

  it("C4: an issuer is believed within its own period only", async () => {
    const der = await issuing.qwac();
    const anchors = await anchorFor({ notAfter: now });
    expect(refusal(() => checkQwac(der, anchors, now))).toBeUndefined();
    expect(refusal(() => checkQwac(der, anchors, later(now, 1, "second")))).toEqual(notTrusted);
  });

  it("C4: an issuer that renewed its certificate is believed by the new one", async () => {
    const [former] = await anchorFor({ notAfter: later(now, -1, "day") });
    const [renewed] = issuing.anchors;
    const anchors = [former, renewed].filter((anchor) => anchor !== undefined);
    expect(checkQwac(await issuing.qwac(), anchors, now).tpp.id).toBe(request.id);
  });
});

describe("a stranger", () => {
  it("C2: without a certificate gets CERTIFICATE_MISSING", () => {
    const missing = { code: "CERTIFICATE_MISSING", text: "no client certificate was presented" };
    expect(refusal(() => check(undefined))).toEqual(missing);
  });

  it.each<readonly [string, () => Promise<Uint8Array>]>([
    ["a self-signed certificate", selfSigned],
    ["a certificate of an unknown CA with the name of ours", ofNamesake],
    ["a certificate that claims to be signed with our CA's key", forged],
    ["a self-signed certificate that is unfit besides", selfSignedAndUnfit],
    ["a certificate signed by a TPP's certificate", leafOfLeaf],
    ["C10: 17 000 octets in one extension", oversized],
    [
      "a good one with an octet after it",
      async () => Buffer.concat([await issuing.qwac(), Buffer.of(0)]),
    ],
    ["a good one as PEM", async () => Buffer.from(pem(await issuing.qwac()))],
    ["no octets", async () => new Uint8Array()],
    ["a text", async () => Buffer.from("certificate")],
  ])("C4: with %s learns only that it is not trusted", async (_name, make) => {
    const der = await make();
    expect(refusal(() => check(der))).toEqual(notTrusted);
  });

  it("C4: who shows the CA's own certificate is no TPP", () => {
    const [anchor] = issuing.anchors;
    const text = refusal(() => check(anchor?.x509.raw))?.text;
    expect(text).toBe("certificate is a CA certificate");
  });
});

async function anchorFor(
  period: Partial<{ notBefore: Date; notAfter: Date }>,
): Promise<TrustAnchors> {
  const { name, keys } = issuing.authority;
  const der = await issueDer(issuing.authority, { ...authorityParts(name, keys, now), ...period });
  return parseTrustAnchors(pem(der));
}

function selfSigned(): Promise<Uint8Array> {
  const parts = qwacParts(request, issuing.keys.publicKey);
  return issueDer({ name: parts.subject, keys: issuing.keys }, parts);
}

function selfSignedAndUnfit(): Promise<Uint8Array> {
  const parts = qwacParts(request, issuing.keys.publicKey);
  const subject = distinguishedName(["O", "A"], ["O", "B"]);
  return issueDer({ name: subject, keys: issuing.keys }, { ...parts, subject });
}

/** Name and key identifier are the CA's; only the signature tells. */
async function forged(): Promise<Uint8Array> {
  const { name, keys } = issuing.authority;
  const { privateKey } = await makeEcKeys();
  const issuer = { name, keys: { privateKey, publicKey: keys.publicKey } };
  return issueDer(issuer, qwacParts(request, issuing.keys.publicKey));
}

async function ofNamesake(): Promise<Uint8Array> {
  return issueDer(await makeCertificateAuthority(now), qwacParts(request, issuing.keys.publicKey));
}

async function leafOfLeaf(): Promise<Uint8Array> {
  const { subject } = qwacParts(request, issuing.keys.publicKey);
  const { publicKey } = await makeEcKeys();
  return issueDer({ name: subject, keys: issuing.keys }, qwacParts(request, publicKey));
}

function oversized(): Promise<Uint8Array> {
  return issuing.qwac({ extensions: qcExtension(Buffer.alloc(17_000, 0x30)) });
}
