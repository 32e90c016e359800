import { beforeAll, describe, expect, it } from "vitest";
import { authorityParts } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { qwacParts } from "@/lib/sandbox/tpp-certificates";
import {
  BasicConstraintsExtension,
  distinguishedName,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  makeRsaKeys,
} from "@/lib/sandbox/x509";
import { openCertificate } from "./certificate";
import { type Issuing, issueDer, now, pem, request, startIssuing } from "./testing/issuing";
import { issuersOf, parseTrustAnchors } from "./trust";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

describe("a list of trust anchors", () => {
  it("holds every certificate of the PEM, and ignores the text around them", async () => {
    const { certificatePem } = issuing.authority;
    const anchors = parseTrustAnchors(
      `Bank of keys\n${certificatePem}\nAnother\n${certificatePem}`,
    );
    expect(anchors.map(({ commonName }) => commonName)).toEqual(
      Array(2).fill("Drawbridge Sandbox CA"),
    );
  });

  it.each<readonly [string, () => string | Promise<string>, string]>([
    ["nothing", () => "", "trust anchors: there is no PEM certificate"],
    ["a text", () => "TRUST ME", "trust anchors: there is no PEM certificate"],
    [
      "a key",
      () => "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
      "trust anchors: a PEM block is no whole certificate",
    ],
    [
      "half a certificate",
      () => issuing.authority.certificatePem.slice(0, 200),
      "trust anchors: a PEM block is no whole certificate",
    ],
    [
      "rubbish as second",
      () => `${issuing.authority.certificatePem}${pem(Buffer.from("x"))}`,
      "trust anchors: certificate 2: certificate is unreadable",
    ],
    [
      "a TPP's certificate",
      async () => pem(await issuing.qwac()),
      "trust anchors: certificate 1: certificate is not a CA certificate",
    ],
    [
      "a CA that may issue to some names only, which is not checked here",
      constrainedAuthority,
      "trust anchors: certificate 1: certificate has a critical extension not understood: 2.5.29.30",
    ],
    [
      "a CA with a weak key",
      weakAuthority,
      "trust anchors: certificate 1: certificate has a weak key",
    ],
  ])("cannot be %s", async (_name, make, message) => {
    const text = await make();
    expect(() => parseTrustAnchors(text)).toThrow(new Error(message));
  });
});

describe("an issuer", () => {
  it("C4: is a CA", async () => {
    const found = issuersOf(openCertificate(await issuing.qwac()), [
      ...issuing.anchors.map((anchor) => ({ ...anchor, isAuthority: false })),
    ]);
    expect(found).toEqual([]);
  });

  it("C4: may sign certificates", async () => {
    const { name, keys } = issuing.authority;
    const parts = authorityParts(name, keys, now);
    const keyUsage = new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);
    const extensions = { basicConstraints: new BasicConstraintsExtension(true), keyUsage };
    const anchors = parseTrustAnchors(
      pem(await issueDer(issuing.authority, { ...parts, extensions })),
    );
    expect(issuersOf(openCertificate(await issuing.qwac()), anchors)).toEqual([]);
  });

  it("C4: is on the list itself: one issued by a listed issuer is not trusted", async () => {
    const name = distinguishedName(["CN", "Issuing CA"]);
    const between = { name, keys: await nextKeys() };
    const anchor = await issueDer(issuing.authority, authorityParts(name, between.keys, now));
    const leaf = openCertificate(
      await issueDer(between, qwacParts(request, issuing.keys.publicKey)),
    );
    expect(issuersOf(leaf, issuing.anchors)).toEqual([]);
    const named = issuersOf(leaf, parseTrustAnchors(pem(anchor)));
    expect(named.map(({ commonName }) => commonName)).toEqual(["Issuing CA"]);
  });

  it("C4: has the name that the certificate gives", async () => {
    const { keys } = issuing.authority;
    const other = { name: distinguishedName(["CN", "Another CA"]), keys };
    const anchor = await issueDer(other, authorityParts(other.name, keys, now));
    const found = issuersOf(openCertificate(await issuing.qwac()), parseTrustAnchors(pem(anchor)));
    expect(found).toEqual([]);
  });
});

async function constrainedAuthority(): Promise<string> {
  const { name, keys } = issuing.authority;
  const parts = authorityParts(name, keys, now);
  const nameConstraints = new Extension("2.5.29.30", true, Uint8Array.of(0x30, 0));
  const extensions = { ...parts.extensions, nameConstraints };
  return pem(await issueDer(issuing.authority, { ...parts, extensions }));
}

async function weakAuthority(): Promise<string> {
  const issuer = { name: distinguishedName(["CN", "Weak CA"]), keys: await makeRsaKeys(1_024) };
  return pem(await issueDer(issuer, authorityParts(issuer.name, issuer.keys, now)));
}
