import type { KeyObject } from "node:crypto";
import type { BaseBlock } from "asn1js";
import { type Asn1, elements, explicit, readDer } from "../asn1";
import { type Certificate, readCertificate } from "../certificate";
import { CertificateFault } from "../certificate-fault";
import { readExtensions } from "../extensions";
import { certificateLimits } from "../limits";
import { checkStrength } from "../strength";
import { isValidAt } from "../validity";
import { StatusFault } from "./status";

const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const OCSP_NO_CHECK = "1.3.6.1.5.5.7.48.1.5";

/**
 * RFC 6960 4.2.2.2: whose signature counts under a response: the issuer's own, and those of the
 * certificates it brings that the issuer itself has made for answering. The others it may bring, the
 * issuer's or a root's, count for nothing.
 */
export function responderKeys(
  certificates: Asn1,
  issuer: Certificate,
  now: Date,
): readonly KeyObject[] {
  const brought = certificates === undefined ? [] : elements(explicit(certificates, 0));
  if (brought.length > certificateLimits.responderCertificatesMax) {
    throw new StatusFault("the response brings too many certificates");
  }
  const delegated = brought.map(readOrPass).filter((one) => one !== undefined);
  const named = delegated.filter((one) => isDelegated(one, issuer, now));
  return [issuer.publicKey, ...named.map(({ publicKey }) => publicKey)];
}

/** One that cannot be read, or has a critical extension that is not understood, names nobody. */
function readOrPass(value: BaseBlock): Certificate | undefined {
  try {
    const certificate = readCertificate(value.valueBeforeDecodeView);
    checkStrength(certificate);
    return certificate;
  } catch (error) {
    if (error instanceof CertificateFault) return undefined;
    throw error;
  }
}

function isDelegated(responder: Certificate, issuer: Certificate, now: Date): boolean {
  return (
    responder.extendedKeyUsage?.includes(OCSP_SIGNING) === true &&
    (responder.keyUsage.length === 0 || responder.keyUsage.includes("digitalSignature")) &&
    isValidAt(responder, now) &&
    isNotToBeChecked(responder) &&
    responder.x509.checkIssued(issuer.x509) &&
    responder.x509.verify(issuer.publicKey)
  );
}

/**
 * RFC 6960 4.2.2.2.1: the issuer says that the responder's own status need not be asked. Nobody
 * could be asked but the responder itself, so without this word the issuer's list decides.
 */
function isNotToBeChecked({ x509 }: Certificate): boolean {
  const [certificate] = elements(readDer(x509.raw));
  const parts = elements(certificate);
  return readExtensions(explicit(parts[parts.length - 1], 3)).has(OCSP_NO_CHECK);
}
