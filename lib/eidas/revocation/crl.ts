import { elements, readDer, unreadable } from "../asn1";
import { instant } from "../asn1-text";
import type { Certificate } from "../certificate";
import { checkNoneCritical } from "./critical-extensions";
import { contentOf, type DerValue, derInteger, derValues, tags } from "./der-values";
import { believedUntil } from "./freshness";
import { readable } from "./readable";
import { checkSigned } from "./signed";
import { StatusFault } from "./status";

export type RevocationList = {
  readonly serialNumbers: ReadonlySet<bigint>;
  readonly until: Date;
};

/**
 * RFC 5280 5.1: the issuer's whole list, signed by itself. One that speaks for part of its
 * certificates, or for another issuer's, says so in a critical extension and is not used. Whatever
 * the reason of an entry is, its certificate does not count. Throws a StatusFault or a
 * CertificateFault, whatever the bytes are.
 */
export function readCrl(der: Uint8Array, issuer: Certificate, now: Date): RevocationList {
  return readable("CRL", () => read(der, issuer, now));
}

function read(der: Uint8Array, issuer: Certificate, now: Date): RevocationList {
  const [list, ...others] = derValues(der);
  const [content, algorithm, signature, ...more] = derValues(contentOf(list, tags.sequence));
  if (content === undefined || algorithm === undefined || signature === undefined) {
    throw unreadable();
  }
  if (others.length + more.length > 0) throw unreadable();
  checkMaySignLists(issuer);
  const signed = { content: content.whole, algorithm: tree(algorithm), signature: tree(signature) };
  checkSigned(signed, [issuer.publicKey]);
  return contentsOf(content, issuer, now);
}

function checkMaySignLists({ keyUsage }: Certificate): void {
  if (keyUsage.length === 0 || keyUsage.includes("cRLSign")) return;
  throw new StatusFault("the issuer may not sign lists");
}

/** An optional version, the algorithm, the issuer, two times, the entries and the extensions. */
function contentsOf(content: DerValue, issuer: Certificate, now: Date): RevocationList {
  const parts = derValues(contentOf(content, tags.sequence));
  const [, name, thisUpdate, nextUpdate, ...rest] =
    parts[0]?.tag === tags.integer ? parts.slice(1) : parts;
  const entries = rest[0]?.tag === tags.sequence ? rest[0] : undefined;
  const [extensions, ...more] = entries === undefined ? rest : rest.slice(1);
  if (more.length > 0) throw unreadable();
  // One key can stand behind several names, and each has its own list.
  if (name === undefined || !subjectOf(issuer).equals(name.whole)) {
    throw new StatusFault("the list is another issuer's");
  }
  checkNoneCritical(extensions && tree(extensions), 0);
  // RFC 5280 5.1.2.5 demands an end; without one, any list ever signed could be brought forward.
  const until = believedUntil(instant(tree(thisUpdate)), instant(tree(nextUpdate)), now);
  return { serialNumbers: new Set(serialNumbersOf(entries)), until };
}

function serialNumbersOf(entries: DerValue | undefined): readonly bigint[] {
  if (entries === undefined) return [];
  return derValues(entries.content).map((entry) => {
    const [serialNumber, , extensions] = derValues(contentOf(entry, tags.sequence));
    if (extensions !== undefined) checkEntry(extensions);
    return derInteger(serialNumber);
  });
}

/** RFC 5280 5.3: an entry with a critical extension could be about another issuer's certificate. */
function checkEntry(extensions: DerValue): void {
  for (const extension of derValues(contentOf(extensions, tags.sequence))) {
    const [, critical] = derValues(contentOf(extension, tags.sequence));
    if (critical?.tag !== tags.boolean) continue;
    throw new StatusFault("an entry of the list has a critical extension");
  }
}

function subjectOf({ x509 }: Certificate): Buffer {
  const [certificate] = elements(readDer(x509.raw));
  const subject = elements(certificate)[5];
  if (subject === undefined) throw unreadable();
  return Buffer.from(subject.valueBeforeDecodeView);
}

function tree(value: DerValue | undefined) {
  if (value === undefined) throw unreadable();
  return readDer(value.whole);
}
