import {
  type BaseBlock,
  Constructed,
  fromBER,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
} from "asn1js";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";

/** One value of an ASN.1 tree; `undefined` where an element is missing, so that shapes read as patterns. */
export type Asn1 = BaseBlock | undefined;

export function unreadable(what = "certificate"): CertificateFault {
  return new CertificateFault(`${what} is unreadable`);
}

/**
 * Reads exactly one value, without anything after it and without looking into octet strings:
 * what those hold is read, or not, by whoever knows its type.
 */
export function readDer(bytes: Uint8Array): BaseBlock {
  const { offset, result } = fromBER(new Uint8Array(bytes), {
    maxDepth: certificateLimits.asn1DepthMax,
    maxNodes: certificateLimits.asn1NodesMax,
    maxContentLength: certificateLimits.derBytesMax,
    parseEmbedded: false,
  });
  if (offset !== bytes.byteLength) throw unreadable();
  return result;
}

export function elements(value: Asn1): readonly BaseBlock[] {
  if (!(value instanceof Sequence)) throw unreadable();
  return value.valueBlock.value;
}

export function objectId(value: Asn1): string {
  if (!(value instanceof ObjectIdentifier)) throw unreadable();
  return value.getValue();
}

export function integer(value: Asn1): Integer {
  if (!(value instanceof Integer)) throw unreadable();
  return value;
}

export function octets(value: Asn1): Uint8Array {
  if (!(value instanceof OctetString)) throw unreadable();
  return value.valueBlock.valueHexView;
}

/** Whether the value carries the context-specific tag `[number]`. */
export function isTagged(value: BaseBlock, number: number): boolean {
  return value.idBlock.tagClass === 3 && value.idBlock.tagNumber === number;
}

/** What stands within an explicit tag `[number]`, and nothing beside it. */
export function explicit(value: Asn1, number: number): BaseBlock {
  if (!(value instanceof Constructed) || !isTagged(value, number)) throw unreadable();
  const [content, ...more] = value.valueBlock.value;
  if (content === undefined || more.length > 0) throw unreadable();
  return content;
}
