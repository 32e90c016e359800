import { constants, generateKeyPairSync, privateEncrypt, sign } from "node:crypto";
import { sha256 } from "./sealing";
import { type CorpusSignature, failed, mistaken, refused } from "./signature-corpus-row";

const twice = (bytes: Buffer) => Buffer.from(bytes.toString("base64")).toString("base64");

/** The text is right, and what was made of it is not. */
export const wronglyMade: readonly CorpusSignature[] = [
  mistaken(
    "S6: SHA-512 under the name of rsa-sha256",
    { sign: (text, key) => sign("sha512", text, key) },
    "it was made with sha512, algorithm says sha256",
  ),
  mistaken(
    "S6: SHA-1 under the name of rsa-sha256",
    { sign: (text, key) => sign("sha1", text, key) },
    "it was made with sha1, algorithm says sha256",
  ),
  mistaken(
    "S6: SHA-512 under the name of ecdsa-sha256",
    { seal: "ec", sign: (text, key) => sign("sha512", text, key) },
    "it was made with sha512, algorithm says sha256",
  ),
  mistaken(
    "S6: SHA-512 under Java's name of SHA-256 with RSA",
    { algorithm: "SHA256withRSA", sign: (text, key) => sign("sha512", text, key) },
    "it was made with sha512, algorithm says sha256",
  ),
  mistaken(
    "S6: RSASSA-PSS under the name of rsa-sha256",
    {
      sign: (text, key) => sign("sha256", text, { key, padding: constants.RSA_PKCS1_PSS_PADDING }),
    },
    "it is RSASSA-PSS, the algorithm named is RSA of PKCS #1 v1.5",
  ),
  mistaken(
    "S6: a bare hash, encrypted",
    { sign: (text, key) => privateEncrypt(key, Buffer.from(sha256(text), "base64")) },
    "it holds no DigestInfo of PKCS #1 v1.5",
  ),
  mistaken(
    "an EC signature of r and s side by side",
    { seal: "ec", sign: (text, key) => sign("sha256", text, { key, dsaEncoding: "ieee-p1363" }) },
    "it is r and s side by side (IEEE P1363), DER is needed",
  ),
  mistaken(
    "the key of somebody else",
    {
      sign: (text) =>
        sign("sha256", text, generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey),
    },
    "it was made with another key",
  ),
  mistaken("base64 of base64", { encode: twice }, "it is base64 of base64"),
  mistaken(
    "hexadecimal",
    { encode: (bytes) => bytes.toString("hex") },
    "it is hexadecimal, base64 is needed",
  ),
  mistaken(
    "half a signature",
    { encode: (bytes) => bytes.subarray(0, 126).toString("base64") },
    "it has 126 bytes, one made with this key has 256",
  ),
  refused(
    "the EC key of somebody else",
    {
      seal: "ec",
      sign: (text) =>
        sign("sha256", text, generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
    },
    failed,
  ),
  refused(
    "base64url",
    { seal: "ec", encode: (bytes) => `-_${bytes.toString("base64url")}` },
    "signature is base64url, base64 is needed",
  ),
  refused(
    "no padding",
    { encode: (bytes) => bytes.toString("base64").replace(/=+$/, "") },
    "signature is base64 without its padding",
  ),
  refused(
    "a blank within",
    { encode: (bytes) => bytes.toString("base64").replace(/^.{64}/, "$& ") },
    "signature is base64 with blanks in it",
  ),
  refused("signs that are no base64", { encode: () => "***" }, "signature is not base64"),
];
