import type { Sealing } from "./sealing";
import { ISSUER, QWAC_SERIAL, SERIAL } from "./sealing-tpp";
import { type CorpusSignature, faulty, refused } from "./signature-corpus-row";

const known = "rsa-sha256, rsa-sha512, ecdsa-sha256, ecdsa-sha512";

const algorithms: readonly CorpusSignature[] = [
  ...[
    "hmac-sha256",
    "none",
    "rsa-sha1",
    "sha1withrsa",
    "sha256withrsaandmgf1",
    "hs2019",
    "ed25519",
    "constructor",
  ].map((algorithm) =>
    refused(
      `S6: algorithm ${algorithm}`,
      { algorithm },
      `algorithm ${algorithm} is not one of ${known}`,
    ),
  ),
  refused(
    "S6: algorithm of EC with an RSA key",
    { algorithm: "ecdsa-sha256" },
    "algorithm says ecdsa-sha256, but the key of the certificate is RSA of 2048 bits",
  ),
  refused(
    "S6: algorithm of RSA with an EC key",
    { seal: "ec", algorithm: "rsa-sha256" },
    "algorithm says rsa-sha256, but the key of the certificate is EC on prime256v1",
  ),
  refused(
    "S6: Java's name of RSA with an EC key",
    { seal: "ec", algorithm: "SHA256withRSA" },
    "algorithm says sha256withrsa, but the key of the certificate is EC on prime256v1",
  ),
];

const named = (name: string, keyId: string, text: string) =>
  refused(`S8: ${name}`, { keyId }, `keyId ${text}`);
const form = `SN=${SERIAL},CA=${ISSUER}`;
const otherIssuer = (issuer: string) => `names the issuer ${issuer}, the certificate has ${ISSUER}`;

const keyIds: readonly CorpusSignature[] = [
  named(
    "another serial number",
    `SN=9FA1,CA=${ISSUER}`,
    `names serial 9FA1, the certificate has ${SERIAL}`,
  ),
  named(
    "another serial number, in decimal",
    `SN=1518050306,CA=${ISSUER}`,
    `names serial 1518050306, the certificate has ${SERIAL}, in decimal 1518050305`,
  ),
  named(
    "the serial number of the QWAC",
    `SN=${QWAC_SERIAL},CA=${ISSUER}`,
    `names serial ${QWAC_SERIAL}, that of the client certificate, the certificate has ${SERIAL}`,
  ),
  named(
    "a serial number that is a word",
    `SN=abc xyz,CA=${ISSUER}`,
    `names serial abc xyz, the certificate has ${SERIAL}`,
  ),
  named(
    "another issuer",
    `SN=${SERIAL},CA=CN=Someone Else,O=Other,C=RO`,
    otherIssuer("CN=Someone Else,O=Other,C=RO"),
  ),
  named(
    "a part of the issuer",
    `SN=${SERIAL},CA=CN=Drawbridge Sandbox CA`,
    otherIssuer("CN=Drawbridge Sandbox CA"),
  ),
  named(
    "more than the issuer",
    `SN=${SERIAL},CA=${ISSUER},L=Cluj`,
    otherIssuer(`${ISSUER},L=Cluj`),
  ),
  named(
    "the subject in place of the issuer",
    `SN=${SERIAL},CA=CN=Example TPP Seal,2.5.4.97=PSDRO-NBR-1234567,O=Example TPP,C=RO`,
    `names the subject of the certificate, its issuer is ${ISSUER}`,
  ),
  refused(
    "S11: controls in the serial number",
    { keyId: `SN=9F\u0001\u0085\u009b\u00ad2K,CA=${ISSUER}` },
    `keyId names serial 9F????2K, the certificate has ${SERIAL}`,
  ),
  named("no issuer", `SN=${SERIAL}`, `SN=${SERIAL} is not of the form ${form}`),
  named("a name of its own", "my-key", `my-key is not of the form ${form}`),
  named(
    "an issuer that never ends",
    `SN=${SERIAL},CA=CN=${"x".repeat(3_000)}`,
    otherIssuer(`CN=${"x".repeat(147)}…`),
  ),
  named(
    "thousands of blanks",
    `SN=${" ".repeat(7_000)}1,CA=CN=a${" ".repeat(7_000)}b`,
    `names serial 1, the certificate has ${SERIAL}, in decimal 1518050305`,
  ),
];

const PATH = "TPP-Signature-Certificate";
const seal = (name: string, sealing: Sealing, text: string, code = "CERTIFICATE_INVALID") =>
  faulty(name, sealing, { code, text, path: PATH });

const certificates: readonly CorpusSignature[] = [
  seal(
    "no certificate",
    { afterwards: { "tpp-signature-certificate": undefined } },
    "TPP-Signature-Certificate is missing: no signature certificate was presented",
    "CERTIFICATE_MISSING",
  ),
  seal(
    "a certificate in base64url",
    { certificate: (der) => Buffer.from(der).toString("base64url") },
    "signature certificate is not base64 of a certificate: it is base64url or lacks its padding",
  ),
  seal(
    "C4: the certificate of an unknown issuer",
    { seal: "stranger" },
    "certificate is not issued by a trusted issuer",
  ),
  seal(
    "C3: the certificate of yesterday",
    { seal: "expired" },
    "certificate was valid until 2026-11-19T10:00:00Z, the bank's clock says 2026-11-20T10:00:00Z",
    "CERTIFICATE_EXPIRED",
  ),
  seal(
    "C8: the QWAC for a seal",
    { seal: "qwac" },
    "certificate is not of QcType eseal but of web",
  ),
  seal(
    "C13: the seal of another TPP",
    { seal: "otherTpp" },
    "certificate belongs to another TPP, PSDRO-NBR-8, than the client certificate, PSDRO-NBR-1234567",
  ),
];

/** Which key signed, and how it is named. */
export const unsoundKeys = [...algorithms, ...keyIds, ...certificates];
