import { X509Certificate } from "node:crypto";
import { DOMParser } from "@xmldom/xmldom";
import { SignedXml } from "xml-crypto";
import * as z from "zod";
import { CertificateFault } from "./certificate-fault";
import { parseTrustAnchors, type QualifiedType, readTrustAnchor, type TrustAnchors } from "./trust";

type Given = {
  /** PEM certificates of issuers, a trusted list (ETSI TS 119 612) in XML, or the lists that are followed. */
  readonly text: string;
  /** PEM certificates of those who may have signed the list. */
  readonly listSignersPem: string | undefined;
  readonly now: Date;
};

export type AnchorFile = {
  readonly anchors: TrustAnchors;
  /** Until when a trusted list is believed, of several the first to end; undefined of PEM certificates. */
  readonly nextUpdate: Date | undefined;
};

/** The trusted issuers. Throws an Error whose message says why a file is invalid. */
export function readAnchors(given: Given): TrustAnchors {
  return readAnchorFile(given).anchors;
}

/** The same, and until when they are believed. */
export function readAnchorFile({ text, listSignersPem, now }: Given): AnchorFile {
  if (text.startsWith("{")) return followedAnchors(text, now);
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

/** The lists of the territories as they were last read, see lib/eidas/followed-lists.ts. */
export const followedLists = z.object({
  sequence: z.number(),
  nextUpdate: z.iso.datetime(),
  pointers: z.array(
    z.object({ territory: z.string(), url: z.string(), signers: z.array(z.string()) }),
  ),
  lists: z.array(
    z.object({
      territory: z.string(),
      sequence: z.number(),
      nextUpdate: z.iso.datetime(),
      issuers: z.array(
        z.object({ certificate: z.string(), issues: z.array(z.enum(["web", "eseal"])) }),
      ),
    }),
  ),
});
export type FollowedLists = z.infer<typeof followedLists>;

/** Of the lists that are in date. */
function followedAnchors(text: string, now: Date): AnchorFile {
  const { lists } = followedLists.parse(JSON.parse(text));
  const inDate = lists.filter(({ nextUpdate }) => new Date(nextUpdate) > now);
  const anchors = inDate.flatMap(({ issuers, nextUpdate }) => {
    const until = new Date(nextUpdate);
    return issuers.map((issuer) => ({ ...readIssuer(issuer), until }));
  });
  if (anchors.length === 0) throw new Error("no list that is followed is in date");
  const ends = inDate.map(({ nextUpdate }) => Date.parse(nextUpdate));
  return { anchors, nextUpdate: new Date(Math.min(...ends)) };
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
  const { root, nextUpdate } = openList(xml, signersOf(signersPem), now);
  const anchors = grantedIssuers(root).map(readIssuer);
  if (anchors.length === 0) {
    throw new ListFault("names no granted issuer of certificates for websites or seals");
  }
  return { anchors, nextUpdate };
}

/** Where the list of lists says that the list of a territory is, and who may sign that. */
export type ListPointer = {
  readonly territory: string;
  readonly url: string;
  /** Certificates, DER in base64. */
  readonly signers: readonly string[];
};

type Edition = {
  /** Grows with each edition of a list. */
  readonly sequence: number;
  readonly nextUpdate: Date;
};

/**
 * The lists that the Union's list of lists points to in XML, one of each territory. Throws a ListFault as for a trusted
 * list, and for a list of another type.
 */
export function readListOfLists({
  xml,
  signersPem,
  now,
}: List): Edition & { readonly pointers: readonly ListPointer[] } {
  const { root, nextUpdate } = openList(xml, signersOf(signersPem), now);
  const [type] = textsIn(root, "SchemeInformation", "TSLType");
  if (type !== `${LIST_TYPE}EUlistofthelists`) throw new ListFault("is no list of lists");
  const all = elementsIn(root, "SchemeInformation", "PointersToOtherTSL", "OtherTSLPointer");
  const pointers = all.filter(isMemberList).flatMap(toPointer);
  if (pointers.length === 0) throw new ListFault("points to no list");
  return { sequence: sequenceOf(root), nextUpdate, pointers };
}

/** An issuer that a list grants something. */
type ListedIssuer = {
  /** DER in base64. */
  readonly certificate: string;
  readonly issues: readonly QualifiedType[];
};

type MemberList = Edition & {
  readonly issuers: readonly ListedIssuer[];
  /** Why each of the others is not believed: a key of a kind that is not accepted, for the most part. */
  readonly unfit: readonly string[];
};

/** The list of a territory, signed as the list of lists says. A territory without such an issuer is none of a mistake. */
export function readMemberList(
  xml: string,
  { territory, signers }: ListPointer,
  now: Date,
): MemberList {
  const certificates = signers.map((base64) => new X509Certificate(Buffer.from(base64, "base64")));
  const { root, nextUpdate } = openList(xml, certificates, now);
  const [own] = textsIn(root, "SchemeInformation", "SchemeTerritory");
  if (own !== territory) throw new ListFault(`is that of ${own}`);
  const issuers: ListedIssuer[] = [];
  const unfit: string[] = [];
  for (const issuer of grantedIssuers(root)) {
    try {
      readIssuer(issuer);
      issuers.push(issuer);
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
      unfit.push(error.message);
    }
  }
  return { sequence: sequenceOf(root), nextUpdate, issuers, unfit };
}

const LIST_TYPE = "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/";
const LIST_MEDIA_TYPE = "application/vnd.etsi.tsl+xml";

/** Not the list of lists itself, nor a PDF. */
function isMemberList(pointer: Element): boolean {
  const texts = (name: string) =>
    textsIn(pointer, "AdditionalInformation", "OtherInformation", name);
  const isXml = texts("MimeType").includes(LIST_MEDIA_TYPE);
  return isXml && texts("TSLType").includes(`${LIST_TYPE}EUgeneric`);
}

function toPointer(pointer: Element): readonly ListPointer[] {
  const other = ["AdditionalInformation", "OtherInformation", "SchemeTerritory"];
  const [territory] = textsIn(pointer, ...other);
  const [url] = textsIn(pointer, "TSLLocation");
  const identities = ["ServiceDigitalIdentities", "ServiceDigitalIdentity", "DigitalId"];
  const signers = textsIn(pointer, ...identities, "X509Certificate").map(withoutSpace);
  return territory === undefined || url === undefined ? [] : [{ territory, url, signers }];
}

function sequenceOf(root: Element): number {
  const [text] = textsIn(root, "SchemeInformation", "TSLSequenceNumber");
  const sequence = Number(text ?? Number.NaN);
  if (!Number.isSafeInteger(sequence)) throw new ListFault("has no sequence number");
  return sequence;
}

/** What is signed of a list, if it is the whole and in date. */
function openList(xml: string, signers: readonly X509Certificate[], now: Date) {
  if (xml.length > CHARACTERS_MAX) throw new ListFault("is too large");
  const [root, second] = signedContent(xml, signers).map(rootOf).filter(isList);
  if (root === undefined || second !== undefined) throw new ListFault("is signed only in part");
  const [text] = textsIn(root, "SchemeInformation", "NextUpdate", "dateTime");
  if (text === undefined) throw new ListFault("is closed: it names no next update");
  const nextUpdate = new Date(text);
  if (!(nextUpdate > now)) throw new ListFault(`is out of date: it was to be renewed by ${text}`);
  return { root, nextUpdate };
}

function isList({ localName, namespaceURI }: Element): boolean {
  return localName === "TrustServiceStatusList" && namespaceURI === NAMESPACE;
}

function signersOf(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new ListFault("cannot be judged: its signers' PEM is empty");
  return blocks.map((block) => new X509Certificate(block));
}

/** Of a list of our own an unfit issuer fails all of it: skipping it would refuse its TPPs without a log line. */
function readIssuer({ certificate, issues }: ListedIssuer) {
  try {
    return { ...readTrustAnchor(Buffer.from(certificate, "base64")), issues };
  } catch (error) {
    if (!(error instanceof CertificateFault)) throw error;
    throw new ListFault(`has an unfit issuer: ${error.message}`);
  }
}

const withoutSpace = (text: string) => text.replace(/\s/g, "");

const QUALIFIED_ISSUER = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const GRANTED = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
const purposes: Readonly<Record<string, QualifiedType>> = {
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication": "web",
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals": "eseal",
};

/** ETSI TS 119 612 5.4 to 5.6, as far as issuers of certificates go. */
function grantedIssuers(list: Element): readonly ListedIssuer[] {
  const providers = elementsIn(list, "TrustServiceProviderList", "TrustServiceProvider");
  return providers
    .flatMap((provider) => elementsIn(provider, "TSPServices", "TSPService", "ServiceInformation"))
    .filter(isGrantedIssuer)
    .flatMap(toIssuers);
}

function isGrantedIssuer(service: Element): boolean {
  const [type] = textsIn(service, "ServiceTypeIdentifier");
  const [status] = textsIn(service, "ServiceStatus");
  return type === QUALIFIED_ISSUER && status === GRANTED;
}

function toIssuers(service: Element): readonly ListedIssuer[] {
  const extensions = elementsIn(service, "ServiceInformationExtensions", "Extension");
  const named = extensions.flatMap((part) => textsIn(part, "AdditionalServiceInformation", "URI"));
  const issues = [...new Set(named.flatMap((uri) => purposes[uri] ?? []))];
  if (issues.length === 0) return [];
  return textsIn(service, "ServiceDigitalIdentity", "DigitalId", "X509Certificate").map((text) => {
    return { certificate: withoutSpace(text), issues };
  });
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

export class ListFault extends Error {
  override readonly name = "ListFault";
}
