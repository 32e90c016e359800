import type { CertificateKind } from "./tpp-certificates";

/** What the bank answers: the code, and how the text begins. */
type ExpectedRefusal = { readonly code: string; readonly text: string };

type Defect = {
  /** The defect, in a clause after the certificate's name. */
  readonly what: string;
  /** In which of the two certificates it makes sense, and the refusal there. */
  readonly refusals: { readonly [Kind in CertificateKind]?: ExpectedRefusal };
};

const INVALID = "CERTIFICATE_INVALID";
const EXPIRED = "CERTIFICATE_EXPIRED";
const refusedIn =
  (...kinds: readonly CertificateKind[]) =>
  (what: string, text: string, code = INVALID): Defect => {
    return { what, refusals: Object.fromEntries(kinds.map((kind) => [kind, { code, text }])) };
  };
const [qwac, qseal, both] = [refusedIn("qwac"), refusedIn("qseal"), refusedIn("qwac", "qseal")];
/** Most TLS libraries decline to send such a QWAC; the seal travels in a header. */
const sealFirst = refusedIn("qseal", "qwac");
const UNTRUSTED = "certificate is not issued by a trusted issuer";
const notOfType = (wanted: string) => `certificate is not of QcType ${wanted}`;

/** Every defect that a certificate can be ordered with, to see how it is refused. All else about it is right. */
export const defects = {
  expired: both("has been valid until yesterday", "certificate was valid until", EXPIRED),
  "not-yet-valid": both("is valid from tomorrow on", "certificate is not valid before", EXPIRED),
  revoked: both(
    "is revoked by the sandbox CA as soon as it is issued",
    "certificate has been revoked",
    "CERTIFICATE_REVOKED",
  ),
  "wrong-role": qwac(
    "has the role PSP_AS alone, which opens nothing here",
    "the certificate lacks PSP_",
    "ROLE_INVALID",
  ),
  "no-role": both("has a PSD2 statement without any role", "PSD2 statement has no role"),
  "unknown-role": both("has a role that PSD2 does not know", "PSD2 statement has an unknown role"),
  "role-name-mismatch": both("names the role PSP_PI beside the identifier of PSP_AI", "PSD2 role "),
  "no-statement": both("has no PSD2 statement", "certificate has no PSD2 statement"),
  "statement-twice": both("has the PSD2 statement twice", "certificate has "),
  "no-qc-statements": both(
    "has no qcStatements at all, as a certificate for any website",
    "certificate has no qcStatements",
  ),
  "no-qc-type": {
    what: "does not say whether it is for a website or for seals",
    refusals: {
      qwac: { code: INVALID, text: notOfType("web") },
      qseal: { code: INVALID, text: notOfType("eseal") },
    },
  },
  "no-qc-compliance": both(
    "does not say that it is a qualified certificate",
    "certificate has no QcCompliance statement",
  ),
  "qseal-as-qwac": qwac("is a QSealC, used for TLS", notOfType("web")),
  "qwac-as-qseal": qseal("is a QWAC, used for seals", notOfType("eseal")),
  "self-signed": both("is signed with its own key", UNTRUSTED),
  "unknown-ca": both("is of a CA that has the sandbox CA's name and another key", UNTRUSTED),
  "issued-by-tpp": both("is issued by another TPP's certificate in place of a CA", UNTRUSTED),
  "ca-as-leaf": both("is a CA certificate itself", "certificate is a CA certificate"),
  "weak-key": sealFirst("has an RSA key of 1024 bits", "certificate has a weak key"),
  sha1: sealFirst("is signed with SHA-1", "certificate has a weak signature"),
  "no-organisation-identifier": both(
    "has no organizationIdentifier",
    "certificate has no organizationIdentifier",
  ),
  "two-organisation-identifiers": both(
    "has two organizationIdentifiers",
    "certificate has more than one organizationIdentifier",
  ),
  "bad-organisation-identifier": both(
    "has a VAT number for organizationIdentifier",
    "organizationIdentifier VATRO-12345678 is not",
  ),
  "no-organisation-name": both("has no organizationName", "certificate has no organizationName"),
  "other-organisation": qseal(
    "is of another TPP than the QWAC",
    "certificate belongs to another TPP",
  ),
  "no-client-auth": qwac(
    "is for TLS servers only",
    "certificate lacks extended key usage clientAuth",
  ),
  "no-digital-signature": both(
    "has a key for enciphering only",
    "certificate lacks key usage digitalSignature",
  ),
  "critical-extension": both(
    "has a critical extension that nobody knows",
    "certificate has a critical extension not understood",
  ),
} as const satisfies Readonly<Record<string, Defect>>;

export type DefectName = keyof typeof defects;

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
