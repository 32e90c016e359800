import { createHash, type KeyObject } from "node:crypto";
import {
  type BaseBlock,
  BitString,
  Enumerated,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
} from "asn1js";
import {
  type Asn1,
  elements,
  explicit,
  instant,
  integer,
  isTagged,
  objectId,
  octets,
  readDer,
  unreadable,
} from "./asn1";
import { type Certificate, readCertificate, readExtensions } from "./certificate";
import { certificateLimits, unlessFaulty } from "./certificate-fault";
import {
  checkNoneCritical,
  checkSigned,
  type Issued,
  readable,
  StatusFault,
  type StatusStatement,
  trustedUntil,
} from "./status-answer";
import { checkStrength, isValidAt } from "./trust";

/**
 * RFC 6960 4.1: one certificate, unsigned and without a nonce, so that a responder may answer with
 * what it has signed before (RFC 5019). An old answer is recognised by its time.
 */
export function ocspRequest(issued: Issued): Uint8Array {
  const request = new Sequence({ value: [certificateId(issued)] });
  const tbsRequest = new Sequence({ value: [new Sequence({ value: [request] })] });
  return new Uint8Array(new Sequence({ value: [tbsRequest] }).toBER());
}

export const OCSP_BASIC = "1.3.6.1.5.5.7.48.1.1";
const responseStatuses = [
  "successful",
  "malformedRequest",
  "internalError",
  "tryLater",
  "unused",
  "sigRequired",
  "unauthorized",
] as const;

/**
 * RFC 6960 4.2: the one answer about this certificate, signed by its issuer or by a delegated
 * responder. Throws a StatusFault or a CertificateFault for any other bytes.
 */
export function readOcspResponse(der: Uint8Array, issued: Issued, now: Date): StatusStatement {
  return readable("OCSP response", () => readBasicResponse(der, issued, now));
}

function readBasicResponse(der: Uint8Array, issued: Issued, now: Date): StatusStatement {
  const [status, bytes] = elements(readDer(der));
  checkSuccessful(status);
  const [type, response] = elements(explicit(bytes, 0));
  if (objectId(type) !== OCSP_BASIC) throw new StatusFault("an OCSP response of an unknown type");
  const [content, algorithm, signature, certificates] = elements(readDer(octets(response)));
  if (content === undefined) throw unreadable();
  const keys = responderKeys(certificates, issued.issuer, now);
  checkSigned({ content: content.valueBeforeDecodeView, algorithm, signature }, keys);
  return statementOf(content, issued, now);
}

function checkSuccessful(value: Asn1): void {
  if (!(value instanceof Enumerated)) throw unreadable();
  const status = value.valueBlock.valueDec;
  if (status !== 0) {
    throw new StatusFault(`the responder says ${responseStatuses[status] ?? "nothing known"}`);
  }
}

/** ResponseData: an optional version, who responds, when, the answers, and extensions. */
function statementOf(content: BaseBlock, issued: Issued, now: Date): StatusStatement {
  const parts = elements(content);
  const [answers, extensions] = parts.slice(parts.findIndex((part) => part instanceof Sequence));
  checkNoneCritical(extensions, 1);
  const own = elements(answers)
    .map(elements)
    .filter(([id]) => isIdOf(id, issued));
  const [answer] = own;
  if (answer === undefined || own.length > 1) {
    throw new StatusFault("the response does not answer once for this certificate");
  }
  return readAnswer(answer, now);
}

function readAnswer(answer: readonly BaseBlock[], now: Date): StatusStatement {
  const [, certStatus, thisUpdate, ...rest] = answer;
  const nextUpdate = rest.find((part) => isTagged(part, 0));
  checkNoneCritical(
    rest.find((part) => isTagged(part, 1)),
    1,
  );
  const end = nextUpdate && time(explicit(nextUpdate, 0));
  return { status: statusOf(certStatus), until: trustedUntil(time(thisUpdate), end, now) };
}

const statuses = ["good", "revoked", "unknown"] as const;

function statusOf(value: BaseBlock | undefined): StatusStatement["status"] {
  const status = value?.idBlock.tagClass === 3 ? statuses[value.idBlock.tagNumber] : undefined;
  if (status === undefined) throw unreadable();
  return status;
}

function time(value: Asn1): Date {
  if (!(value instanceof GeneralizedTime)) throw unreadable();
  return instant(value);
}

/** By digest algorithm, as responders may answer in another one than they were asked in. */
const digests: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
};
const SHA_1 = "1.3.14.3.2.26";

/**
 * RFC 6960 4.1.1: a certificate by hashes of its issuer's name and key and by its serial number.
 * SHA-1 names it here and protects nothing: every responder knows it (RFC 5019 2.1.1).
 */
export function certificateId({ certificate, issuer }: Issued): Sequence {
  const { nameHash, keyHash } = issuerHashes(issuer.x509.raw, "sha1");
  return new Sequence({
    value: [
      new Sequence({ value: [new ObjectIdentifier({ value: SHA_1 })] }),
      new OctetString({ valueHex: nameHash }),
      new OctetString({ valueHex: keyHash }),
      Integer.fromBigInt(certificate.serialNumber),
    ],
  });
}

/** `digest` is undefined where the hashes are of an algorithm that nobody uses here. */
export function readCertificateId(value: Asn1) {
  const [algorithm, nameHash, keyHash, serialNumber] = elements(value);
  return {
    digest: digests[objectId(elements(algorithm)[0])],
    nameHash: octets(nameHash),
    keyHash: octets(keyHash),
    serialNumber: integer(serialNumber).toBigInt(),
  };
}

function isIdOf(value: BaseBlock | undefined, { certificate, issuer }: Issued): boolean {
  const { digest, nameHash, keyHash, serialNumber } = readCertificateId(value);
  if (digest === undefined) return false;
  const own = issuerHashes(issuer.x509.raw, digest);
  return (
    serialNumber === certificate.serialNumber &&
    Buffer.from(own.nameHash).equals(nameHash) &&
    Buffer.from(own.keyHash).equals(keyHash)
  );
}

/** Of the subject as it is encoded, and of the key's bits alone (RFC 6960 4.1.1). */
export function issuerHashes(issuer: Uint8Array, digest: string) {
  const [tbs] = elements(readDer(issuer));
  const [, , , , , subject, keyInfo] = elements(tbs);
  const key = elements(keyInfo)[1];
  if (subject === undefined || !(key instanceof BitString)) throw unreadable();
  const hash = (bytes: Uint8Array) => new Uint8Array(createHash(digest).update(bytes).digest());
  return {
    nameHash: hash(subject.valueBeforeDecodeView),
    keyHash: hash(key.valueBlock.valueHexView),
  };
}

const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const OCSP_NO_CHECK = "1.3.6.1.5.5.7.48.1.5";

/**
 * RFC 6960 4.2.2.2: whose signature on a response is accepted: the issuer's own, and those of the
 * certificates in it that the issuer itself has issued for OCSP signing. Other certificates in it, the
 * issuer's or a root's, are ignored.
 */
function responderKeys(certificates: Asn1, issuer: Certificate, now: Date): readonly KeyObject[] {
  const sent = certificates === undefined ? [] : elements(explicit(certificates, 0));
  if (sent.length > certificateLimits.responderCertificatesMax) {
    throw new StatusFault("the response brings too many certificates");
  }
  const delegated = sent.map(readOrPass).filter((one) => one !== undefined);
  const named = delegated.filter((one) => isDelegated(one, issuer, now));
  return [issuer.publicKey, ...named.map(({ publicKey }) => publicKey)];
}

/** One that cannot be read, or has a critical extension that is not understood, is ignored. */
function readOrPass(value: BaseBlock): Certificate | undefined {
  return unlessFaulty(() => {
    const certificate = readCertificate(value.valueBeforeDecodeView);
    checkStrength(certificate);
    return certificate;
  });
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
 * RFC 6960 4.2.2.2.1: the issuer says that the responder's own status need not be checked. Only
 * the responder itself could be asked, so without this extension the issuer's list decides.
 */
function isNotToBeChecked({ x509 }: Certificate): boolean {
  const [certificate] = elements(readDer(x509.raw));
  const parts = elements(certificate);
  return readExtensions(explicit(parts[parts.length - 1], 3)).has(OCSP_NO_CHECK);
}
