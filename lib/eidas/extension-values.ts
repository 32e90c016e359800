import { Boolean as Asn1Boolean, type BaseBlock, BitString, Primitive } from "asn1js";
import { elements, isTagged, objectId, readDer, unreadable } from "./asn1";
import { CertificateFault } from "./certificate-fault";
import { shown } from "./shown";

/** Bits of RFC 5280 4.2.1.3, in their order. */
const keyUsages = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
] as const;
export type KeyUsage = (typeof keyUsages)[number];

/** Whether basicConstraints make it the certificate of a certification authority. */
export function readIsAuthority(content: Uint8Array | undefined): boolean {
  if (content === undefined) return false;
  const first = elements(readDer(content))[0];
  return first instanceof Asn1Boolean && first.getValue();
}

export function readKeyUsage(content: Uint8Array | undefined): readonly KeyUsage[] {
  if (content === undefined) return [];
  const bits = readDer(content);
  if (!(bits instanceof BitString)) throw unreadable();
  const byte = bits.valueBlock.valueHexView[0];
  if (byte === undefined) throw unreadable();
  return keyUsages.filter((_, bit) => (byte & (0x80 >> bit)) !== 0);
}

/** Object identifiers of purposes; `undefined` means any purpose (RFC 5280 4.2.1.12). */
export function readExtendedKeyUsage(
  content: Uint8Array | undefined,
): readonly string[] | undefined {
  return content === undefined ? undefined : elements(readDer(content)).map(objectId);
}

export function readPolicies(content: Uint8Array | undefined): readonly string[] {
  if (content === undefined) return [];
  return elements(readDer(content)).map((policy) => objectId(elements(policy)[0]));
}

/** The dNSName entries in lower case, a wildcard as `*.`; other kinds of names are passed over. */
export function readDnsNames(content: Uint8Array | undefined): readonly string[] {
  if (content === undefined) return [];
  return elements(readDer(content))
    .filter((name) => isTagged(name, 2))
    .map(readDnsName);
}

const DNS_NAME = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

function readDnsName(value: BaseBlock): string {
  if (!(value instanceof Primitive)) throw unreadable();
  const name = Buffer.from(value.valueBlock.valueHexView).toString("latin1").toLowerCase();
  if (!DNS_NAME.test(name)) {
    throw new CertificateFault(`certificate has an unusable dNSName: ${shown(name)}`);
  }
  return name;
}
