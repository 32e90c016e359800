import type { TppId } from "@/lib/domain/identifiers";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { attributeTypes } from "./distinguished-name";

/**
 * ETSI TS 119 495 5.2.1: PSD, country and short name of the competent authority, and the number it
 * gave. The number is held to visible ASCII because the identifier is also the OAuth `client_id`.
 */
const ORGANIZATION_IDENTIFIER = /^PSD[A-Z]{2}-[A-Z]{2,8}-[\x21-\x7E]+$/;

/** Who the certificate speaks for. Throws a CertificateFault when it does not say so beyond doubt. */
export function tppIdentity(certificate: Certificate): Tpp {
  const { organizationName, qcStatements } = certificate;
  if (qcStatements?.psd2 === undefined)
    throw new CertificateFault("certificate has no PSD2 statement");
  if (organizationName === undefined)
    throw new CertificateFault("certificate has no organizationName");
  return { id: readTppId(certificate), name: organizationName, ...qcStatements.psd2 };
}

function readTppId({ subject, organizationIdentifier }: Certificate): TppId {
  if (organizationIdentifier === undefined) {
    throw new CertificateFault("certificate has no organizationIdentifier");
  }
  const ownName = subject.find((name) =>
    name.some(({ type }) => type === attributeTypes.organizationIdentifier),
  );
  if (ownName?.length !== 1) {
    throw new CertificateFault("organizationIdentifier is part of a multi-valued name");
  }
  if (!ORGANIZATION_IDENTIFIER.test(organizationIdentifier)) {
    throw new CertificateFault("organizationIdentifier is not a PSD2 identifier");
  }
  return organizationIdentifier as TppId;
}
