import type { CertificateKind } from "./tpp-certificates";

/** What the bank answers: the code, and how the text begins. */
type ExpectedRefusal = { readonly code: string; readonly text: string };

type Defect = {
  /** The defect, in a clause after the certificate's name. */
  readonly what: string;
  /** In which of the two certificates it makes sense, and the refusal there. */
  readonly refusals: { readonly [Kind in CertificateKind]?: ExpectedRefusal };
};

const invalid = (text: string): ExpectedRefusal => ({ code: "CERTIFICATE_INVALID", text });
const both = (refusal: ExpectedRefusal) => ({ qwac: refusal, qseal: refusal });
/** Most TLS libraries decline to send such a QWAC; the seal travels in a header. */
const sealFirst = (refusal: ExpectedRefusal) => ({ qseal: refusal, qwac: refusal });
const untrusted = invalid("certificate is not issued by a trusted issuer");
const type = (wanted: string) => invalid(`certificate is not of QcType ${wanted}`);

/** Every defect that a certificate can be ordered with, to see how it is refused. All else about it is right. */
export const defects = {
  expired: {
    what: "has been valid until yesterday",
    refusals: both({ code: "CERTIFICATE_EXPIRED", text: "certificate was valid until" }),
  },
  "not-yet-valid": {
    what: "is valid from tomorrow on",
    refusals: both({ code: "CERTIFICATE_EXPIRED", text: "certificate is not valid before" }),
  },
  revoked: {
    what: "is revoked by the sandbox CA as soon as it is issued",
    refusals: both({ code: "CERTIFICATE_REVOKED", text: "certificate has been revoked" }),
  },
  "wrong-role": {
    what: "has the role PSP_AS alone, which opens nothing here",
    refusals: { qwac: { code: "ROLE_INVALID", text: "the certificate lacks PSP_" } },
  },
  "no-role": {
    what: "has a PSD2 statement without any role",
    refusals: both(invalid("PSD2 statement has no role")),
  },
  "unknown-role": {
    what: "has a role that PSD2 does not know",
    refusals: both(invalid("PSD2 statement has an unknown role")),
  },
  "role-name-mismatch": {
    what: "names the role PSP_PI beside the identifier of PSP_AI",
    refusals: both(invalid("PSD2 role ")),
  },
  "no-statement": {
    what: "has no PSD2 statement",
    refusals: both(invalid("certificate has no PSD2 statement")),
  },
  "statement-twice": {
    what: "has the PSD2 statement twice",
    refusals: both(invalid("certificate has ")),
  },
  "no-qc-statements": {
    what: "has no qcStatements at all, as a certificate for any website",
    refusals: both(invalid("certificate has no qcStatements")),
  },
  "no-qc-type": {
    what: "does not say whether it is for a website or for seals",
    refusals: { qwac: type("web"), qseal: type("eseal") },
  },
  "no-qc-compliance": {
    what: "does not say that it is a qualified certificate",
    refusals: both(invalid("certificate has no QcCompliance statement")),
  },
  "qseal-as-qwac": {
    what: "is a QSealC, used for TLS",
    refusals: { qwac: type("web") },
  },
  "qwac-as-qseal": {
    what: "is a QWAC, used for seals",
    refusals: { qseal: type("eseal") },
  },
  "self-signed": {
    what: "is signed with its own key",
    refusals: both(untrusted),
  },
  "unknown-ca": {
    what: "is of a CA that has the sandbox CA's name and another key",
    refusals: both(untrusted),
  },
  "issued-by-tpp": {
    what: "is issued by another TPP's certificate in place of a CA",
    refusals: both(untrusted),
  },
  "ca-as-leaf": {
    what: "is a CA certificate itself",
    refusals: both(invalid("certificate is a CA certificate")),
  },
  "weak-key": {
    what: "has an RSA key of 1024 bits",
    refusals: sealFirst(invalid("certificate has a weak key")),
  },
  sha1: {
    what: "is signed with SHA-1",
    refusals: sealFirst(invalid("certificate has a weak signature")),
  },
  "no-organisation-identifier": {
    what: "has no organizationIdentifier",
    refusals: both(invalid("certificate has no organizationIdentifier")),
  },
  "two-organisation-identifiers": {
    what: "has two organizationIdentifiers",
    refusals: both(invalid("certificate has more than one organizationIdentifier")),
  },
  "bad-organisation-identifier": {
    what: "has a VAT number for organizationIdentifier",
    refusals: both(invalid("organizationIdentifier VATRO-12345678 is not")),
  },
  "no-organisation-name": {
    what: "has no organizationName",
    refusals: both(invalid("certificate has no organizationName")),
  },
  "other-organisation": {
    what: "is of another TPP than the QWAC",
    refusals: { qseal: invalid("certificate belongs to another TPP") },
  },
  "no-client-auth": {
    what: "is for TLS servers only",
    refusals: { qwac: invalid("certificate lacks extended key usage clientAuth") },
  },
  "no-digital-signature": {
    what: "has a key for enciphering only",
    refusals: both(invalid("certificate lacks key usage digitalSignature")),
  },
  "critical-extension": {
    what: "has a critical extension that nobody knows",
    refusals: both(invalid("certificate has a critical extension not understood")),
  },
} as const satisfies Readonly<Record<string, Defect>>;

export type DefectName = keyof typeof defects;

/** A defect, and the certificate that has it. */
export type DefectIn = { readonly defect: DefectName; readonly in: CertificateKind };

export function isDefect(name: string): name is DefectName {
  return Object.hasOwn(defects, name);
}

/** The certificates in which the defect makes sense; the first is meant when none is named. */
export function certificatesWith(
  name: DefectName,
): readonly [CertificateKind, ...CertificateKind[]] {
  return Object.keys(defects[name].refusals) as [CertificateKind, ...CertificateKind[]];
}

/** How a certificate with the defect is refused; undefined where the defect makes no sense. */
export function refusalOf({ defect, in: kind }: DefectIn): ExpectedRefusal | undefined {
  const { refusals }: Defect = defects[defect];
  return refusals[kind];
}
