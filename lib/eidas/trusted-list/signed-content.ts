import type { X509Certificate } from "node:crypto";
import { DOMParser } from "@xmldom/xmldom";
import { SignedXml } from "xml-crypto";
import { ListFault } from "./list-fault";

/** XML signatures with RSA and a hash that still stands; the library knows SHA-1 as well. */
const signatureAlgorithms = [
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
] as const;
const hashAlgorithms = [
  "http://www.w3.org/2001/04/xmlenc#sha256",
  "http://www.w3.org/2001/04/xmlenc#sha512",
] as const;
const XML_SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";

/**
 * What one of the signers has signed, in its canonical form; nothing else of the document is ever
 * read, so nothing can be slipped in beside it. Throws a ListFault.
 */
export function signedContent(xml: string, signers: readonly X509Certificate[]): readonly string[] {
  // A document type could define what the rest means.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new ListFault("has a document type");
  for (const signer of signers) {
    const signed = verified(xml, signer);
    if (signed !== undefined) return signed;
  }
  throw new ListFault("is not signed by any of the signers it has to be signed by");
}

function verified(xml: string, signer: X509Certificate): readonly string[] | undefined {
  const signed = new SignedXml({ publicCert: signer.toString() });
  signed.SignatureAlgorithms = only(signed.SignatureAlgorithms, signatureAlgorithms);
  signed.HashAlgorithms = only(signed.HashAlgorithms, hashAlgorithms);
  const signature = signatureIn(xml);
  try {
    signed.loadSignature(signature);
    return signed.checkSignature(xml) ? signed.getSignedReferences() : undefined;
  } catch {
    return undefined;
  }
}

/** The one signature of the list, which lies directly within its root. */
function signatureIn(xml: string): Node {
  const root = documentOf(xml).documentElement;
  const signatures = Array.from(root?.getElementsByTagNameNS(XML_SIGNATURE, "Signature") ?? []);
  const [signature] = signatures;
  if (signature === undefined || signatures.length > 1 || signature.parentNode !== root) {
    throw new ListFault("has not exactly one signature");
  }
  return signature;
}

function documentOf(xml: string): Document {
  const refuse = () => {
    throw new ListFault("is not well-formed XML");
  };
  const errorHandler = { warning: refuse, error: refuse, fatalError: refuse };
  return new DOMParser({ errorHandler }).parseFromString(xml, "text/xml");
}

function only<Table extends object>(table: Table, names: readonly (keyof Table)[]): Table {
  const kept = names.map((name) => [name, table[name]]);
  return Object.fromEntries(kept) as Table;
}
