import { constants, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { BitString, fromBER, Sequence } from "asn1js";
import { SignedXml } from "xml-crypto";
import { Rejection } from "@/lib/domain/errors";
import {
  authorityParts,
  type CertificateAuthority,
  makeCertificateAuthority,
} from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { qsealParts, qwacParts, type TppCertificateRequest } from "@/lib/sandbox/tpp-certificates";
import {
  type CertificateParts,
  distinguishedName,
  Extension,
  issueCertificate,
  privateKeyPem,
} from "@/lib/sandbox/x509";
import { parseTrustAnchors, type TrustAnchors } from "../trust";
import type { ListPointer } from "../trusted-list";

/** Every test's instant: certificates are made for it, none depends on today. */
export const now = new Date("2027-03-01T12:00:00.000Z");

export const request: TppCertificateRequest = {
  id: "PSDRO-NBR-1234567",
  name: "Example TPP SRL",
  roles: ["PSP_PI", "PSP_AI"],
  domain: "tpp.example",
  now,
};

/** A good certificate's parts, and what is to be different in a copy. */
export type Changes = Partial<CertificateParts> & { readonly without?: string };

/** A trusted CA, and a TPP that has keys. */
export type Issuing = {
  readonly authority: CertificateAuthority;
  readonly anchors: TrustAnchors;
  readonly keys: CryptoKeyPair;
  readonly qwac: (changes?: Changes) => Promise<Uint8Array>;
  readonly qseal: (changes?: Changes) => Promise<Uint8Array>;
};

export async function startIssuing(): Promise<Issuing> {
  const authority = await makeCertificateAuthority(now);
  const keys = await nextKeys();
  const qwac = qwacParts(request, keys.publicKey);
  const qseal = qsealParts(request, keys.publicKey);
  return {
    authority,
    anchors: parseTrustAnchors(authority.certificatePem),
    keys,
    qwac: (changes = {}) => issueDer(authority, changed(qwac, changes)),
    qseal: (changes = {}) => issueDer(authority, changed(qseal, changes)),
  };
}

export async function issueDer(
  issuer: Parameters<typeof issueCertificate>[0],
  parts: CertificateParts,
): Promise<Uint8Array> {
  return new Uint8Array((await issueCertificate(issuer, parts)).rawData);
}

/** Extensions are added to the good ones or take their place; `without` leaves one out. */
function changed(
  parts: CertificateParts,
  { without, extensions, ...rest }: Changes,
): CertificateParts {
  const all = Object.entries({ ...parts.extensions, ...extensions });
  const kept = all.filter(([name]) => name !== without);
  return { ...parts, ...rest, extensions: Object.fromEntries(kept) };
}

export function qcExtension(content: Uint8Array): { readonly qcStatements: Extension } {
  return {
    qcStatements: new Extension("1.3.6.1.5.5.7.1.3", false, new Uint8Array(content)),
  };
}

export function pem(der: Uint8Array): string {
  const base64 = Buffer.from(der).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

/** A trusted CA with an RSA key, and a QWAC of it whose signature is made by the given algorithm. */
export async function signedByRsa(
  { keys: { publicKey } }: Issuing,
  algorithm: SigningAlgorithm,
): Promise<{ readonly der: Uint8Array; readonly anchors: TrustAnchors }> {
  const name = distinguishedName(["CN", "RSA CA"]);
  const issuer = { name, keys: await nextKeys() };
  const anchor = await issueDer(issuer, authorityParts(name, issuer.keys, now));
  const der = await issueDer(issuer, qwacParts(request, publicKey));
  return {
    der: resigned(der, await nodeKey(issuer.keys), {}, algorithm),
    anchors: parseTrustAnchors(pem(anchor)),
  };
}

/** AlgorithmIdentifiers as DER, and how OpenSSL signs with them. */
export const algorithms = {
  ecdsaSha256: { der: "300a06082a8648ce3d040302", hash: "sha256", options: {} },
  rsaMd5: { der: "300d06092a864886f70d0101040500", hash: "md5", options: {} },
  rsaSha1: { der: "300d06092a864886f70d0101050500", hash: "sha1", options: {} },
  pssSha1: {
    der: "300d06092a864886f70d01010a3000",
    hash: "sha1",
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 },
  },
  pssSha256: {
    der: "304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d06096086480165030402010500a203020120",
    hash: "sha256",
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  },
} as const;

export type SigningAlgorithm = keyof typeof algorithms;

export async function nodeKey({ privateKey }: CryptoKeyPair): Promise<KeyObject> {
  return createPrivateKey(await privateKeyPem(privateKey));
}

/** The parts of tbsCertificate of a certificate, to be changed in place. */
export function tbsOf(der: Uint8Array): Sequence {
  const [tbs] = sequenceOf(der).valueBlock.value;
  if (!(tbs instanceof Sequence)) throw new Error("no certificate");
  return tbs;
}

/** A certificate around these bytes, signed with the issuer's key: an issuer that writes odd things. */
export function signedDer(
  tbs: Uint8Array,
  key: KeyObject,
  algorithm: SigningAlgorithm,
): Uint8Array {
  const { der, hash, options } = algorithms[algorithm];
  const signature = sign(hash, tbs, { key, ...options });
  const bits = new BitString({ valueHex: new Uint8Array(signature).buffer }).toBER();
  const content = Buffer.concat([tbs, Buffer.from(der, "hex"), Buffer.from(bits)]);
  const length = Buffer.from([0x30, 0x82, content.length >> 8, content.length & 0xff]);
  return new Uint8Array(Buffer.concat([length, content]));
}

/** The certificate with some parts of tbsCertificate replaced, by their index, and signed again. */
export function resigned(
  der: Uint8Array,
  key: KeyObject,
  replaced: Readonly<Record<number, Uint8Array>>,
  algorithm: SigningAlgorithm = "ecdsaSha256",
): Uint8Array {
  const tbs = tbsOf(der);
  const all = { 2: Buffer.from(algorithms[algorithm].der, "hex"), ...replaced };
  for (const [index, part] of Object.entries(all)) {
    tbs.valueBlock.value[Number(index)] = fromBER(new Uint8Array(part)).result;
  }
  return signedDer(new Uint8Array(tbs.toBER()), key, algorithm);
}

function sequenceOf(der: Uint8Array): Sequence {
  const { result } = fromBER(new Uint8Array(der), { parseEmbedded: false });
  if (!(result instanceof Sequence)) throw new Error("no certificate");
  return result;
}

const STATUS = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus";
const FOR = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt";

/** One issuer as a list names it; its type and status are the ends of URIs. */
export type ListedService = {
  readonly certificate: Uint8Array;
  readonly type?: string;
  readonly status?: string;
  readonly purposes?: readonly string[];
};

type Listed = {
  readonly services: readonly ListedService[];
  readonly nextUpdate?: string;
  readonly namespace?: string;
  readonly territory?: string;
  readonly sequence?: number;
  /** Of a list of lists. */
  readonly pointers?: readonly ListPointer[];
};

/** A trusted list as a scheme's operator publishes it, not yet signed. */
export function listXml({
  services,
  nextUpdate = "2027-06-01T00:00:00Z",
  namespace = "http://uri.etsi.org/02231/v2#",
  territory = "RO",
  sequence = 7,
  pointers,
}: Listed): string {
  const type = pointers === undefined ? "EUgeneric" : "EUlistofthelists";
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="${namespace}" Id="list" TSLTag="http://uri.etsi.org/19612/TSLTag">
  <SchemeInformation>
    <TSLVersionIdentifier>5</TSLVersionIdentifier>
    <TSLSequenceNumber>${sequence}</TSLSequenceNumber>
    <TSLType>${LIST_TYPE}/${type}</TSLType>
    <SchemeTerritory>${territory}</SchemeTerritory>
    ${pointers === undefined ? "" : pointersXml(pointers)}
    <ListIssueDateTime>2027-02-01T00:00:00Z</ListIssueDateTime>
    <NextUpdate>${nextUpdate && `<dateTime>${nextUpdate}</dateTime>`}</NextUpdate>
  </SchemeInformation>
  <TrustServiceProviderList><TrustServiceProvider><TSPServices>
    ${services.map(serviceXml).join("\n    ")}
  </TSPServices></TrustServiceProvider></TrustServiceProviderList>
</TrustServiceStatusList>`;
}

const LIST_TYPE = "http://uri.etsi.org/TrstSvc/TrustedList/TSLType";

/** As the Union's list of lists has them: each list in XML and as a PDF, and itself among them. */
function pointersXml(pointers: readonly ListPointer[]): string {
  const other = (name: string, text: string) =>
    `<OtherInformation><${name}>${text}</${name}></OtherInformation>`;
  const pointer = ({ territory, url, signers }: ListPointer, type: string, media: string) =>
    `<OtherTSLPointer><ServiceDigitalIdentities>${signers
      .map(
        (signer) =>
          `<ServiceDigitalIdentity><DigitalId><X509Certificate>${signer}</X509Certificate></DigitalId></ServiceDigitalIdentity>`,
      )
      .join("")}</ServiceDigitalIdentities><TSLLocation>${url}</TSLLocation>
      <AdditionalInformation>${other("TSLType", `${LIST_TYPE}/${type}`)}${other("SchemeTerritory", territory)}${other("MimeType", media)}</AdditionalInformation></OtherTSLPointer>`;
  const xml = "application/vnd.etsi.tsl+xml";
  const all = pointers.flatMap((one) => [
    pointer({ ...one, url: `${one.url}.pdf` }, "EUgeneric", "application/pdf"),
    pointer(one, "EUgeneric", xml),
  ]);
  const own = { territory: "EU", url: "http://lists.example/lotl.xml", signers: [] };
  return `<PointersToOtherTSL>${pointer(own, "EUlistofthelists", xml)}${all.join("")}</PointersToOtherTSL>`;
}

function serviceXml({
  certificate,
  type = "CA/QC",
  status = "granted",
  purposes = ["ForWebSiteAuthentication", "ForeSeals"],
}: ListedService): string {
  const base64 = Buffer.from(certificate).toString("base64");
  const extensions = purposes.map(
    (purpose) => `<Extension Critical="true"><AdditionalServiceInformation>
      <URI xml:lang="en">${FOR}/${purpose}</URI></AdditionalServiceInformation></Extension>`,
  );
  return `<TSPService><ServiceInformation>
      <ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier>
      <ServiceDigitalIdentity><DigitalId><X509Certificate>${base64}</X509Certificate></DigitalId></ServiceDigitalIdentity>
      <ServiceStatus>${STATUS}/${status}</ServiceStatus>
      <ServiceInformationExtensions>${extensions.join("")}</ServiceInformationExtensions>
    </ServiceInformation></TSPService>`;
}

type Hash = "sha1" | "sha256";

type Signing = {
  readonly key: string;
  /** What is signed, each by a reference of its own: the whole list when not given. */
  readonly xpaths?: readonly string[];
  readonly hash?: Hash | "hmac" | "pss";
  readonly digest?: Hash;
  /** PEM: whose certificate goes along with the signature. */
  readonly certificatePem?: string;
};

const signatureAlgorithms = {
  sha1: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
  sha256: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  pss: "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
  hmac: "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
} as const;
const digestAlgorithms = {
  sha1: "http://www.w3.org/2000/09/xmldsig#sha1",
  sha256: "http://www.w3.org/2001/04/xmlenc#sha256",
} as const;

/** Enveloped in the root, as TS 119 612 wants it. */
export function signedList(xml: string, signing: Signing): string {
  const { key, xpaths = ["/*"], hash = "sha256", digest = "sha256", certificatePem } = signing;
  const signed = new SignedXml({
    privateKey: key,
    ...(certificatePem !== undefined && { publicCert: certificatePem }),
    canonicalizationAlgorithm: "http://www.w3.org/2001/10/xml-exc-c14n#",
    signatureAlgorithm: signatureAlgorithms[hash],
  });
  if (hash === "hmac") signed.enableHMAC();
  for (const xpath of xpaths) {
    signed.addReference({
      xpath,
      ...(xpath === "/*" && { uri: "", isEmptyUri: true }),
      digestAlgorithm: digestAlgorithms[digest],
      transforms: [
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
        "http://www.w3.org/2001/10/xml-exc-c14n#",
      ],
    });
  }
  signed.computeSignature(xml);
  return signed.getSignedXml();
}

/** The fault that ends the request, or undefined when it goes on; any other error is a crash. */
export function refusal(check: () => unknown): Rejection["faults"][0] | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Rejection) return error.faults[0];
    throw error;
  }
}

export const notTrusted = {
  code: "CERTIFICATE_INVALID",
  text: "certificate is not issued by a trusted issuer",
} as const;
