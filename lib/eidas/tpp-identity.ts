import type { TppId } from "@/lib/domain/identifiers";
import { isTppId, type Tpp } from "@/lib/domain/tpp/tpp";
import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { attributeTypes } from "./distinguished-name";
import { shown } from "./shown";

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
  if (!isTppId(organizationIdentifier)) {
    throw new CertificateFault(
      `organizationIdentifier ${shown(organizationIdentifier)} is not of the form PSDRO-NBR-1234567`,
    );
  }
  return organizationIdentifier;
}
