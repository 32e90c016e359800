import { X509Certificate } from "node:crypto";
import { CertificateFault } from "../certificate-fault";
import { readTrustAnchor, type TrustAnchors } from "../trust";
import { ListFault } from "./list-fault";
import { readServices } from "./services";
import { signedContent } from "./signed-content";

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
 * authentication or for seals; each is believed for what it is granted, and nothing else. Throws a
 * ListFault for a list that is not signed by whom it has to be, is out of date, or has no such issuer.
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

/** An issuer that cannot be read ends it: a list that is believed half would refuse TPPs without a trace. */
function readIssuer(base64: string) {
  try {
    return readTrustAnchor(Buffer.from(base64.replace(/\s/g, ""), "base64"));
  } catch (error) {
    if (!(error instanceof CertificateFault)) throw error;
    throw new ListFault(`has an unfit issuer: ${error.message}`);
  }
}
