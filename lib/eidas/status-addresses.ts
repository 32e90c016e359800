import { type BaseBlock, Constructed, Primitive } from "asn1js";
import { elements, isTagged, objectId, readDer, unreadable } from "./asn1";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";

const OCSP = "1.3.6.1.5.5.7.48.1";

/** RFC 5280 4.2.2.1: authorityInfoAccess, of which only the responders are of use here. */
export function readOcspUrls(content: Uint8Array | undefined): readonly string[] {
  if (content === undefined) return [];
  const locations = elements(readDer(content)).flatMap((description) => {
    const [method, location, ...more] = elements(description);
    if (location === undefined || more.length > 0) throw unreadable();
    return objectId(method) === OCSP ? [location] : [];
  });
  return urlsOf(locations);
}

/** RFC 5280 4.2.1.13: full names; a list that is cut by reason or signed by another is not used. */
export function readCrlUrls(content: Uint8Array | undefined): readonly string[] {
  if (content === undefined) return [];
  const names = elements(readDer(content)).flatMap((point) => {
    const parts = elements(point);
    const [name] = parts;
    if (parts.length !== 1 || name === undefined || !isTagged(name, 0)) return [];
    return within(name)
      .filter((full) => isTagged(full, 0))
      .flatMap(within);
  });
  return urlsOf(names);
}

/** The URIs of the web among general names; directories and the like are passed over. */
function urlsOf(names: readonly BaseBlock[]): readonly string[] {
  const uris = names.filter((name) => isTagged(name, 6)).map(uriOf);
  const urls = [...new Set(uris.filter((uri) => /^https?:/i.test(uri)))];
  if (urls.length > certificateLimits.statusAddressesMax) {
    throw new CertificateFault("certificate names too many places for its status");
  }
  if (!urls.every(isUsable)) {
    throw new CertificateFault("certificate has an unusable address for its status");
  }
  return urls;
}

/** Without blanks and controls, so that it can be logged as it is. */
function isUsable(url: string): boolean {
  const { statusAddressCharactersMax } = certificateLimits;
  return url.length <= statusAddressCharactersMax && /^https?:\/\/[\x21-\x7e]+$/i.test(url);
}

function uriOf(value: BaseBlock): string {
  if (!(value instanceof Primitive)) throw unreadable();
  return Buffer.from(value.valueBlock.valueHexView).toString("latin1");
}

function within(value: BaseBlock): readonly BaseBlock[] {
  if (!(value instanceof Constructed)) throw unreadable();
  return value.valueBlock.value;
}
