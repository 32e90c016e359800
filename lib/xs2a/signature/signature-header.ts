import { decodeBase64 } from "@/lib/eidas/base64";
import { shown } from "@/lib/eidas/shown";
import { misencoded } from "./misencoded";
import { signatureInvalid } from "./signature-invalid";

/** The four parameters of draft-cavage-http-signatures that this profile knows. */
export type SignatureHeader = {
  readonly keyId: string;
  /** In small letters. */
  readonly algorithm: string;
  /** Lower-case names in the order they were signed. */
  readonly signedHeaders: readonly string[];
  readonly signature: Uint8Array;
};

const PARAMETER = /^\s*([a-zA-Z]+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/;
const KNOWN = ["keyId", "algorithm", "headers", "signature"] as const;
const HEADER_NAME = /^(?:[a-z0-9-]+|\(request-target\))$/;

/**
 * Reads the header strictly: libraries of this draft let a missing list of headers mean `date`, take
 * the last of two equal parameters and skip what they do not know. Here each of the four stands
 * exactly once. Rejects with 401 SIGNATURE_INVALID.
 */
export function parseSignatureHeader(value: string): SignatureHeader {
  const found = parameters(value);
  const [keyId, algorithm, headers, signature] = KNOWN.map((name) => {
    const text = found.get(name);
    if (text === undefined || text === "") throw signatureInvalid(`Signature lacks ${name}`);
    return text;
  }) as [string, string, string, string];
  const bytes = decodeBase64(signature);
  if (bytes === undefined) throw signatureInvalid(`signature ${misencoded(signature)}`);
  return {
    keyId,
    algorithm: algorithm.toLowerCase(),
    signedHeaders: headerList(headers),
    signature: bytes,
  };
}

function parameters(value: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let rest = value; rest !== ""; ) {
    const [whole, name, text] = PARAMETER.exec(rest) ?? [];
    if (whole === undefined || name === undefined || text === undefined) throw noList(rest);
    if (!isKnown(name)) throw unknownParameter(name);
    if (found.has(name)) throw signatureInvalid(`Signature gives ${name} twice`);
    found.set(name, text);
    rest = rest.slice(whole.length);
  }
  return found;
}

/** Other standards' forms, and marks left out: what the sender took this header for. */
function noList(rest: string) {
  if (/^\s*Signature\s/i.test(rest)) {
    return signatureInvalid('Signature begins with the word "Signature", as Authorization would');
  }
  if (/^\s*[a-z][a-z0-9_.*-]*=:/.test(rest)) {
    return signatureInvalid(
      "Signature is in the form of RFC 9421, here it is that of draft-cavage-http-signatures-10",
    );
  }
  const [, name] = /^\s*([a-zA-Z]+)\s*=\s*[^\s"]/.exec(rest) ?? [];
  if (name === undefined) {
    const form = 'name="value" with commas between';
    return signatureInvalid(`Signature is not a list of ${form}, from here on: ${shown(rest)}`);
  }
  if (!isKnown(name)) return unknownParameter(name);
  return signatureInvalid(`Signature gives ${name} without quotation marks`);
}

function isKnown(name: string): boolean {
  return KNOWN.some((known) => known === name);
}

function unknownParameter(name: string) {
  return signatureInvalid(
    `Signature has the parameter ${shown(name)}, which is not part of this profile: it has ${KNOWN.join(", ")}`,
  );
}

function headerList(text: string): readonly string[] {
  const names = text.toLowerCase().split(" ");
  const wrong = names.find((name) => !HEADER_NAME.test(name));
  if (wrong === "" || (wrong !== undefined && /[\s,;]/.test(wrong))) {
    throw signatureInvalid(
      `headers is a list of header names, one blank between and nothing else; it says "${shown(text, 150)}"`,
    );
  }
  if (wrong !== undefined) {
    throw signatureInvalid(`headers names ${shown(wrong)}, which is no header to sign here`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw signatureInvalid(`headers names ${shown(twice)} twice`);
  return names;
}
