import {
  authorityParts,
  type CertificateAuthority,
  makeCertificateAuthority,
} from "@/lib/sandbox/certificate-authority";
import {
  type CertificateParts,
  distinguishedName,
  issueCertificate,
} from "@/lib/sandbox/issue-certificate";
import { makeRsaKeys } from "@/lib/sandbox/key-pairs";
import {
  qsealParts,
  qwacParts,
  type TppCertificateRequest,
} from "@/lib/sandbox/tpp-certificate-parts";
import { Extension } from "@/lib/sandbox/x509";
import { parseTrustAnchors, type TrustAnchors } from "../trust";
import { nodeKey, resigned, type SigningAlgorithm } from "./resigned";

/** Every test's instant: certificates are made for it, none depends on today. */
export const now = new Date("2027-03-01T12:00:00.000Z");

export const request: TppCertificateRequest = {
  id: "PSDRO-NBR-1234567",
  name: "Example TPP SRL",
  roles: ["PSP_PI", "PSP_AI"],
  domain: "tpp.example",
  now,
};

/** A good certificate's parts, and what is to be different in a copy. */
export type Changes = Partial<CertificateParts> & { readonly without?: string };

/** A CA that is believed, and a TPP that has keys: what every test about certificates starts from. */
export type Issuing = {
  readonly authority: CertificateAuthority;
  readonly anchors: TrustAnchors;
  readonly keys: CryptoKeyPair;
  readonly qwac: (changes?: Changes) => Promise<Uint8Array>;
  readonly qseal: (changes?: Changes) => Promise<Uint8Array>;
};

export async function startIssuing(): Promise<Issuing> {
  const authority = await makeCertificateAuthority(now);
  const keys = await makeRsaKeys();
  const qwac = qwacParts(request, keys.publicKey);
  const qseal = qsealParts(request, keys.publicKey);
  return {
    authority,
    anchors: parseTrustAnchors(authority.certificatePem),
    keys,
    qwac: (changes = {}) => issueDer(authority, changed(qwac, changes)),
    qseal: (changes = {}) => issueDer(authority, changed(qseal, changes)),
  };
}

export async function issueDer(
  issuer: Parameters<typeof issueCertificate>[0],
  parts: CertificateParts,
): Promise<Uint8Array> {
  return new Uint8Array((await issueCertificate(issuer, parts)).rawData);
}

/** Extensions are added to the good ones or take their place; `without` leaves one out. */
export function changed(
  parts: CertificateParts,
  { without, extensions, ...rest }: Changes,
): CertificateParts {
  const all = Object.entries({ ...parts.extensions, ...extensions });
  const kept = all.filter(([name]) => name !== without);
  return { ...parts, ...rest, extensions: Object.fromEntries(kept) };
}

export function qcExtension(content: Uint8Array): { readonly qcStatements: Extension } {
  return {
    qcStatements: new Extension("1.3.6.1.5.5.7.1.3", false, new Uint8Array(content)),
  };
}

export function pem(der: Uint8Array): string {
  const base64 = Buffer.from(der).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

/** A believed CA with an RSA key, and a QWAC of it whose signature is made by the given algorithm. */
export async function signedByRsa(
  { keys: { publicKey } }: Issuing,
  algorithm: SigningAlgorithm,
): Promise<{ readonly der: Uint8Array; readonly anchors: TrustAnchors }> {
  const name = distinguishedName(["CN", "RSA CA"]);
  const issuer = { name, keys: await makeRsaKeys() };
  const anchor = await issueDer(issuer, authorityParts(name, issuer.keys, now));
  const der = await issueDer(issuer, qwacParts(request, publicKey));
  return {
    der: resigned(der, await nodeKey(issuer.keys), {}, algorithm),
    anchors: parseTrustAnchors(pem(anchor)),
  };
}
