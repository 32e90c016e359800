import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { shown } from "./shown";

export type QualifiedType = "web" | "eseal";

/** QcType of ETSI EN 319 412-5. */
const qcTypes = { web: "0.4.0.1862.1.6.3", eseal: "0.4.0.1862.1.6.2" } as const;

const typeNames: Readonly<Record<string, string>> = {
  [qcTypes.web]: "web",
  [qcTypes.eseal]: "eseal",
  "0.4.0.1862.1.6.1": "esign",
};

/** Policies under which only qualified certificates of one type are issued (ETSI EN 319 411-2, TS 119 495). */
const policies = {
  web: ["0.4.0.19495.3.1", "0.4.0.194112.1.4"],
  eseal: ["0.4.0.194112.1.1", "0.4.0.194112.1.3"],
} as const;

/**
 * RTS art. 34: a qualified certificate for website authentication or for electronic seals. It is
 * of one type only. Where the extension has no room for a QcType, the policy names it.
 */
export function checkQualifiedType(certificate: Certificate, type: QualifiedType): void {
  const { qcStatements } = certificate;
  if (qcStatements === undefined) throw new CertificateFault("certificate has no qcStatements");
  const types = qcStatements.listed ? qcStatements.types : typesByPolicy(certificate.policies);
  if (types.length !== 1 || types[0] !== qcTypes[type]) {
    const own = types.map((id) => typeNames[id] ?? shown(id)).join(" and ");
    throw new CertificateFault(`certificate is not of QcType ${type} but of ${own || "none"}`);
  }
  if (qcStatements.listed && !qcStatements.qualified) {
    throw new CertificateFault("certificate has no QcCompliance statement");
  }
}

function typesByPolicy(found: readonly string[]): readonly string[] {
  return (["web", "eseal"] as const)
    .filter((type) => policies[type].some((policy) => found.includes(policy)))
    .map((type) => qcTypes[type]);
}
