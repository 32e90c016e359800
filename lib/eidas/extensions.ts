import { Boolean as Asn1Boolean } from "asn1js";
import { type Asn1, elements, objectId, octets, unreadable } from "./asn1";
import { CertificateFault } from "./certificate-fault";
import { shown } from "./shown";

export const extensionIds = {
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  crlDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  extendedKeyUsage: "2.5.29.37",
  authorityInfoAccess: "1.3.6.1.5.5.7.1.1",
  qcStatements: "1.3.6.1.5.5.7.1.3",
} as const;

/** The extensions' contents by object identifier. */
export type Extensions = ReadonlyMap<string, Uint8Array>;

const understood = new Set<string>(Object.values(extensionIds));

/**
 * RFC 5280 4.2: no extension twice, and a critical one that we do not understand ends it: the
 * issuer says that the certificate must not be used without it.
 */
export function readExtensions(value: Asn1): Extensions {
  const found = new Map<string, Uint8Array>();
  for (const extension of elements(value)) {
    const { id, critical, content } = readExtension(extension);
    if (found.has(id))
      throw new CertificateFault(`certificate has the extension ${shown(id)} twice`);
    if (critical && !understood.has(id)) {
      throw new CertificateFault(
        `certificate has a critical extension not understood: ${shown(id)}`,
      );
    }
    found.set(id, content);
  }
  return found;
}

function readExtension(value: Asn1) {
  const [id, ...rest] = elements(value);
  const critical = rest.length === 2 ? rest[0] : undefined;
  if (rest.length > 2) throw unreadable();
  if (critical !== undefined && !(critical instanceof Asn1Boolean)) throw unreadable();
  return {
    id: objectId(id),
    critical: critical?.getValue() ?? false,
    content: octets(rest[rest.length - 1]),
  };
}
