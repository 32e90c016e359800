import { X509Certificate } from "node:crypto";
import { DOMParser } from "@xmldom/xmldom";
import { SignedXml } from "xml-crypto";
import { CertificateFault } from "./certificate-fault";
import { parseTrustAnchors, type QualifiedType, readTrustAnchor, type TrustAnchors } from "./trust";

type Given = {
  /** PEM certificates of issuers, or a trusted list (ETSI TS 119 612) in XML. */
  readonly text: string;
  /** PEM certificates of those who may have signed the list. */
  readonly listSignersPem: string | undefined;
  readonly now: Date;
};

export type AnchorFile = {
  readonly anchors: TrustAnchors;
  /** Until when a trusted list is believed; undefined of PEM certificates. */
  readonly nextUpdate: Date | undefined;
};

/** The trusted issuers. Throws an Error whose message says why a file is invalid. */
export function readAnchors(given: Given): TrustAnchors {
  return readAnchorFile(given).anchors;
}

/** The same, and until when they are believed. */
export function readAnchorFile({ text, listSignersPem, now }: Given): AnchorFile {
  if (!text.trimStart().startsWith("<")) {
    return { anchors: parseTrustAnchors(text), nextUpdate: undefined };
  }
  if (listSignersPem === undefined) {
    throw new Error("a trusted list is believed only with TRUSTED_LIST_SIGNERS, who signs it");
  }
  try {
    // A byte order mark is no part of the document.
    return readTrustedList({ xml: text.replace(/^\uFEFF/, ""), signersPem: listSignersPem, now });
  } catch (error) {
    if (error instanceof ListFault) throw new Error(`the trusted list ${error.message}`);
    throw error;
  }
}

const NAMESPACE = "http://uri.etsi.org/02231/v2#";
/** The longest list of a member state is about a third of this. */
const CHARACTERS_MAX = 20_000_000;

type List = {
  readonly xml: string;
  /** PEM: who may have signed it, as the list of lists or the scheme's operator names them. */
  readonly signersPem: string;
  readonly now: Date;
};

/**
 * The issuers on a trusted list (ETSI TS 119 612) that are granted qualified certificates for website
 * authentication or for seals; each is trusted only for what it is granted. Throws a
 * ListFault for a list that is not signed by a configured signer, is out of date, or has no such issuer.
 */
export function readTrustedList({ xml, signersPem, now }: List): AnchorFile {
  if (xml.length > CHARACTERS_MAX) throw new ListFault("is too large");
  const signed = signedContent(xml, signersOf(signersPem)).map(rootOf);
  const [list, second] = signed.filter(isList);
  if (list === undefined || second !== undefined) {
    throw new ListFault("is signed only in part");
  }
  const { nextUpdate, services } = readServices(list);
  const until = new Date(nextUpdate);
  if (!(until > now)) throw new ListFault(`is out of date: it was to be renewed by ${nextUpdate}`);
  const anchors = services
    .filter(({ issues }) => issues.length > 0)
    .flatMap(({ certificates, issues }) =>
      certificates.map((base64) => ({ ...readIssuer(base64), issues })),
    );
  if (anchors.length === 0) {
    throw new ListFault("names no granted issuer of certificates for websites or seals");
  }
  return { anchors, nextUpdate: until };
}

function isList({ localName, namespaceURI }: Element): boolean {
  return localName === "TrustServiceStatusList" && namespaceURI === NAMESPACE;
}

function signersOf(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new ListFault("cannot be judged: its signers' PEM is empty");
  return blocks.map((block) => new X509Certificate(block));
}

/** An unreadable issuer fails the whole list: skipping it would refuse its TPPs without a log line. */
function readIssuer(base64: string) {
  try {
    return readTrustAnchor(Buffer.from(base64.replace(/\s/g, ""), "base64"));
  } catch (error) {
    if (!(error instanceof CertificateFault)) throw error;
    throw new ListFault(`has an unfit issuer: ${error.message}`);
  }
}

type GrantedService = {
  /** DER in base64. */
  readonly certificates: readonly string[];
  readonly issues: readonly QualifiedType[];
};

type ListContent = {
  readonly nextUpdate: string;
  readonly services: readonly GrantedService[];
};

const QUALIFIED_ISSUER = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const GRANTED = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
const purposes: Readonly<Record<string, QualifiedType>> = {
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication": "web",
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals": "eseal",
};

/** ETSI TS 119 612 5.3 to 5.6, as far as issuers of certificates go. Throws a ListFault. */
function readServices(list: Element): ListContent {
  const [nextUpdate] = textsIn(list, "SchemeInformation", "NextUpdate", "dateTime");
  if (nextUpdate === undefined) throw new ListFault("is closed: it names no next update");
  const providers = elementsIn(list, "TrustServiceProviderList", "TrustServiceProvider");
  const services = providers.flatMap((provider) =>
    elementsIn(provider, "TSPServices", "TSPService", "ServiceInformation"),
  );
  return { nextUpdate, services: services.filter(isGrantedIssuer).map(toService) };
}

function isGrantedIssuer(service: Element): boolean {
  const [type] = textsIn(service, "ServiceTypeIdentifier");
  const [status] = textsIn(service, "ServiceStatus");
  return type === QUALIFIED_ISSUER && status === GRANTED;
}

function toService(service: Element): GrantedService {
  const extensions = elementsIn(service, "ServiceInformationExtensions", "Extension");
  const named = extensions.flatMap((part) => textsIn(part, "AdditionalServiceInformation", "URI"));
  return {
    certificates: textsIn(service, "ServiceDigitalIdentity", "DigitalId", "X509Certificate"),
    issues: [...new Set(named.flatMap((uri) => purposes[uri] ?? []))],
  };
}

/** What this path of names leads to, whatever their prefixes. */
function elementsIn(element: Element, ...path: readonly string[]): readonly Element[] {
  return path.reduce<readonly Element[]>(
    (found, name) => found.flatMap((parent) => childrenOf(parent, name)),
    [element],
  );
}

function childrenOf({ childNodes }: Element, name: string): readonly Element[] {
  return Array.from(childNodes as NodeListOf<Element>).filter(
    ({ localName }) => localName === name,
  );
}

function textsIn(element: Element, ...path: readonly string[]): readonly string[] {
  return elementsIn(element, ...path).flatMap(({ textContent }) => textContent?.trim() ?? []);
}

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
 * read, so unsigned content has no effect. Throws a ListFault.
 */
function signedContent(xml: string, signers: readonly X509Certificate[]): readonly string[] {
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
  const root = rootOf(xml);
  const signatures = Array.from(root.getElementsByTagNameNS(XML_SIGNATURE, "Signature"));
  const [signature] = signatures;
  if (signature === undefined || signatures.length > 1 || signature.parentNode !== root) {
    throw new ListFault("has not exactly one signature");
  }
  return signature;
}

function rootOf(xml: string): Element {
  const refuse = () => {
    throw new ListFault("is not well-formed XML");
  };
  const errorHandler = { warning: refuse, error: refuse, fatalError: refuse };
  return (
    new DOMParser({ errorHandler }).parseFromString(xml, "text/xml").documentElement ?? refuse()
  );
}

function only<Table extends object>(table: Table, names: readonly (keyof Table)[]): Table {
  const kept = names.map((name) => [name, table[name]]);
  return Object.fromEntries(kept) as Table;
}

class ListFault extends Error {
  override readonly name = "ListFault";
}
