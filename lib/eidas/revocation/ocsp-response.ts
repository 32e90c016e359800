import { type BaseBlock, Enumerated, GeneralizedTime, Sequence } from "asn1js";
import {
  type Asn1,
  elements,
  explicit,
  isTagged,
  objectId,
  octets,
  readDer,
  unreadable,
} from "../asn1";
import { instant } from "../asn1-text";
import { isIdOf } from "./certificate-id";
import { checkNoneCritical } from "./critical-extensions";
import { believedUntil } from "./freshness";
import { readable } from "./readable";
import { responderKeys } from "./responder-keys";
import { checkSigned } from "./signed";
import { type Issued, type Statement, StatusFault } from "./status";

const BASIC = "1.3.6.1.5.5.7.48.1.1";
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
 * RFC 6960 4.2: the one answer about this certificate, signed by its issuer or by whom the issuer has
 * named for it. Throws a StatusFault or a CertificateFault for anything else, whatever the bytes are.
 */
export function readOcspResponse(der: Uint8Array, issued: Issued, now: Date): Statement {
  return readable("OCSP response", () => read(der, issued, now));
}

function read(der: Uint8Array, issued: Issued, now: Date): Statement {
  const [status, bytes] = elements(readDer(der));
  checkSuccessful(status);
  const [type, response] = elements(explicit(bytes, 0));
  if (objectId(type) !== BASIC) throw new StatusFault("an OCSP response of an unknown type");
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
function statementOf(content: BaseBlock, issued: Issued, now: Date): Statement {
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

function readAnswer(answer: readonly BaseBlock[], now: Date): Statement {
  const [, certStatus, thisUpdate, ...rest] = answer;
  const nextUpdate = rest.find((part) => isTagged(part, 0));
  checkNoneCritical(
    rest.find((part) => isTagged(part, 1)),
    1,
  );
  const end = nextUpdate && time(explicit(nextUpdate, 0));
  return { status: statusOf(certStatus), until: believedUntil(time(thisUpdate), end, now) };
}

const statuses = ["good", "revoked", "unknown"] as const;

function statusOf(value: BaseBlock | undefined): Statement["status"] {
  const status = value?.idBlock.tagClass === 3 ? statuses[value.idBlock.tagNumber] : undefined;
  if (status === undefined) throw unreadable();
  return status;
}

function time(value: Asn1): Date {
  if (!(value instanceof GeneralizedTime)) throw unreadable();
  return instant(value);
}
