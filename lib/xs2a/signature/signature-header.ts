import { signatureInvalid } from "./signature-invalid";

/** The four parameters of draft-cavage-http-signatures that this profile knows. */
export type SignatureHeader = {
  readonly keyId: string;
  readonly algorithm: string;
  /** Lower-case names in the order they were signed. */
  readonly signedHeaders: readonly string[];
  readonly signature: Uint8Array;
};

const PARAMETER = /^\s*([a-zA-Z]+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/;
const KNOWN = ["keyId", "algorithm", "headers", "signature"] as const;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
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
  if (!BASE64.test(signature)) throw signatureInvalid("signature is not base64");
  return {
    keyId,
    algorithm: algorithm.toLowerCase(),
    signedHeaders: headerList(headers),
    signature: Buffer.from(signature, "base64"),
  };
}

function parameters(value: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let rest = value; rest !== ""; ) {
    const match = PARAMETER.exec(rest);
    if (match === null) throw signatureInvalid('Signature is not a list of name="value"');
    const [whole, name, text] = match as unknown as [string, string, string];
    if (!KNOWN.some((known) => known === name)) {
      throw signatureInvalid(
        `Signature has the parameter ${name}, which is not part of this profile`,
      );
    }
    if (found.has(name)) throw signatureInvalid(`Signature gives ${name} twice`);
    found.set(name, text);
    rest = rest.slice(whole.length);
  }
  return found;
}

function headerList(text: string): readonly string[] {
  const names = text.toLowerCase().split(" ");
  const wrong = names.find((name) => !HEADER_NAME.test(name));
  if (wrong !== undefined)
    throw signatureInvalid("headers is a list of header names, one blank between");
  if (new Set(names).size !== names.length) throw signatureInvalid("headers names a header twice");
  return names;
}
