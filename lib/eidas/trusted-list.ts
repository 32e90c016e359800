import { X509Certificate } from "node:crypto";
import { DOMParser } from "@xmldom/xmldom";
import { XMLParser } from "fast-xml-parser";
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

/** The trusted issuers. Throws an Error whose message says why a file is invalid. */
export function readAnchors({ text, listSignersPem, now }: Given): TrustAnchors {
  if (!text.trimStart().startsWith("<")) return parseTrustAnchors(text);
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
export function readTrustedList({ xml, signersPem, now }: List): TrustAnchors {
  if (xml.length > CHARACTERS_MAX) throw new ListFault("is too large");
  const signed = signedContent(xml, signersOf(signersPem));
  const [content, second] = signed.filter(isList);
  if (content === undefined || second !== undefined) {
    throw new ListFault("is signed only in part");
  }
  const { nextUpdate, services } = readServices(content);
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
  return anchors;
}

/** Canonical XML begins with its root, whose namespaces stand within it. */
function isList(content: string): boolean {
  const [root] = /^<[^>]*>/.exec(content) ?? [];
  const [, prefix, declared] =
    /^<(?:(\w+):)?TrustServiceStatusList([ >].*)$/s.exec(root ?? "-") ?? [];
  if (declared === undefined) return false;
  return declared.includes(`${prefix === undefined ? "xmlns" : `xmlns:${prefix}`}="${NAMESPACE}"`);
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

/** Names without their prefixes: the content is canonical and its root's namespace has been checked. */
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  processEntities: false,
  isArray: () => true,
});

/** ETSI TS 119 612 5.3 to 5.6, as far as issuers of certificates go. Throws a ListFault. */
function readServices(content: string): ListContent {
  const [list] = children(parser.parse(content), "TrustServiceStatusList");
  if (list === undefined) throw new ListFault("is no trusted list");
  const [scheme] = children(list, "SchemeInformation");
  const [nextUpdate] = children(scheme, "NextUpdate").flatMap((part) => texts(part, "dateTime"));
  if (nextUpdate === undefined) throw new ListFault("is closed: it names no next update");
  const services = children(list, "TrustServiceProviderList")
    .flatMap((part) => children(part, "TrustServiceProvider"))
    .flatMap((part) => children(part, "TSPServices"))
    .flatMap((part) => children(part, "TSPService"))
    .flatMap((part) => children(part, "ServiceInformation"));
  return { nextUpdate, services: services.filter(isGrantedIssuer).map(toService) };
}

function isGrantedIssuer(service: unknown): boolean {
  const [type] = texts(service, "ServiceTypeIdentifier");
  const [status] = texts(service, "ServiceStatus");
  return type === QUALIFIED_ISSUER && status === GRANTED;
}

function toService(service: unknown): GrantedService {
  const named = children(service, "ServiceInformationExtensions")
    .flatMap((part) => children(part, "Extension"))
    .flatMap((part) => children(part, "AdditionalServiceInformation"))
    .flatMap((part) => texts(part, "URI"));
  return {
    certificates: children(service, "ServiceDigitalIdentity")
      .flatMap((part) => children(part, "DigitalId"))
      .flatMap((part) => texts(part, "X509Certificate")),
    issues: [...new Set(named.flatMap((uri) => purposes[uri] ?? []))],
  };
}

function children(node: unknown, name: string): readonly unknown[] {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return [];
  const found: unknown = Object.entries(node).find(([key]) => key === name)?.[1];
  return Array.isArray(found) ? found : [];
}

/** The texts of the elements of this name; an element with attributes keeps its text apart. */
function texts(node: unknown, name: string): readonly string[] {
  return children(node, name).flatMap((part) => (typeof part === "string" ? [part.trim()] : []));
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

class ListFault extends Error {
  override readonly name = "ListFault";
}
