import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { SettingError } from "./config";

/** The first signs and encrypts, all of them verify and decrypt, so that one follows another without a break. */
export type SecretList = readonly [first: string, ...more: string[]];

export const secretNames = ["COOKIE_SECRET", "SESSION_SECRET", "CODE_SECRET"] as const;
export type SecretName = (typeof secretNames)[number];

const CHARACTERS_MIN = 32;
const FILE = "file:";

/** Where a setting names the file that holds its secrets. */
export function secretFileOf(setting: string): string | undefined {
  return setting.startsWith(FILE) ? setting.slice(FILE.length) : undefined;
}

/** The setting's text, or that of the file it names. Throws a SettingError, which repeats nothing of it. */
export function readSecrets(name: SecretName, setting: string): string {
  const file = secretFileOf(setting);
  const text = file === undefined ? setting : readSecretFile(name, file);
  if (text.length < CHARACTERS_MIN) {
    throw new SettingError(`${name}: a secret has at least ${CHARACTERS_MIN} characters`);
  }
  return text;
}

function readSecretFile(name: SecretName, file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw new SettingError(`${name}: ${file} cannot be read`);
  }
}

/**
 * Several secrets are separated by commas or lines. A text of which a part is too short for a secret is one secret with
 * a comma in it, as it may have been before there were lists.
 */
export function secretsIn(text: string): SecretList {
  const [first = text, ...more] = text.split(/[,\n]/).map((part) => part.trim());
  const areSecrets = [first, ...more].every((part) => part.length >= CHARACTERS_MIN);
  return areSecrets ? [first, ...more] : [text];
}

/** By which an operator tells one secret from another: 32 bits of its digest, too few to find it by. */
export function secretIds(setting: string, name: SecretName): readonly string[] {
  return secretsIn(readSecrets(name, setting)).map((secret) =>
    createHash("sha256").update(secret).digest("hex").slice(0, 8),
  );
}

const PEM_KEY = /-----BEGIN ((?:EC |RSA )?PRIVATE KEY)-----[^-]+-----END \1-----/g;

/** With which the bank's providers are shown that it is us. Throws for a key of another kind. */
export function clientAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === "ec" && namedCurve === "prime256v1") return "ES256";
  if (asymmetricKeyType === "rsa" && modulusLength >= 2_048) return "PS256";
  throw new Error("a key is neither RSA of 2048 bits or more nor EC P-256");
}

/** The private keys of a PEM file, in their order: the first signs. Throws for one that cannot be read. */
export function privateKeysInPem(pem: string): readonly KeyObject[] {
  return (pem.match(PEM_KEY) ?? []).map((block) => createPrivateKey(block));
}
