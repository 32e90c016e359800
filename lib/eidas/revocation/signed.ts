import { constants, type KeyObject, verify } from "node:crypto";
import { type BaseBlock, BitString } from "asn1js";
import { type Asn1, elements, objectId, unreadable } from "../asn1";
import { hasStrongKey, pssHash, RSASSA_PSS } from "../strength";
import { StatusFault } from "./status";

/** Hash by signature algorithm: RSA PKCS #1 v1.5 and ECDSA. Beside RSASSA-PSS, what is not listed is not believed. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  "1.2.840.113549.1.1.11": { hash: "sha256", key: "rsa" },
  "1.2.840.113549.1.1.12": { hash: "sha384", key: "rsa" },
  "1.2.840.113549.1.1.13": { hash: "sha512", key: "rsa" },
  "1.2.840.10045.4.3.2": { hash: "sha256", key: "ec" },
  "1.2.840.10045.4.3.3": { hash: "sha384", key: "ec" },
  "1.2.840.10045.4.3.4": { hash: "sha512", key: "ec" },
};

const PSS = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_AUTO,
};

type Algorithm = { readonly hash: string; readonly key: "rsa" | "ec"; readonly pss?: true };

type Signed = {
  /** As it is encoded. */
  readonly content: Uint8Array;
  readonly algorithm: Asn1;
  readonly signature: Asn1;
};

/** Throws a StatusFault unless one of these keys has signed the content. */
export function checkSigned(
  { content, algorithm, signature }: Signed,
  keys: readonly KeyObject[],
): void {
  const known = algorithmOf(algorithm);
  if (known === undefined) throw new StatusFault("signed by an algorithm that is not believed");
  const bytes = wholeOctets(signature);
  const fits = (key: KeyObject) => key.asymmetricKeyType === known.key && hasStrongKey(key);
  const padded = known.pss === true ? PSS : {};
  if (!keys.some((key) => fits(key) && verify(known.hash, content, { key, ...padded }, bytes))) {
    throw new StatusFault("not signed by whom it has to be");
  }
}

/** RSASSA-PSS keeps its hash in its parameters. */
function algorithmOf(value: Asn1): Algorithm | undefined {
  const [id, parameters] = elements(value);
  if (objectId(id) !== RSASSA_PSS) return algorithms[objectId(id)];
  const hash = pssHash(parameters);
  return hash === undefined ? undefined : { hash, key: "rsa", pss: true };
}

/** No algorithm here leaves bits of the last octet unused. */
function wholeOctets(value: BaseBlock | undefined): Uint8Array {
  if (!(value instanceof BitString) || value.valueBlock.unusedBits !== 0) throw unreadable();
  return value.valueBlock.valueHexView;
}
