import { sign } from "node:crypto";
import type { Sealing } from "./sealing";
import { sha256, sha512 } from "./sealing";
import { ISSUER, SERIAL } from "./sealing-tpp";
import { accepted, BODY, type CorpusSignature } from "./signature-corpus-row";

const redirect = { "tpp-redirect-uri": "https://tpp.example/cb?state=1" };
const parameters = (header: string) => header.split(/,(?=[a-z]+=")/i);
const usual = ["digest", "x-request-id", "date"] as const;
const issuer = (name: string): Sealing => ({ keyId: `SN=${SERIAL},CA=${name}` });
const serial = (number: string): Sealing => ({ keyId: `SN=${number},CA=${ISSUER}` });
const countryFirst = ISSUER.split(",").reverse();
const der = (value: string) =>
  `#0c${value.length.toString(16).padStart(2, "0")}${Buffer.from(value).toString("hex")}`;
const inDer = `2.5.4.3=${der("Drawbridge Sandbox CA")},OID.2.5.4.10=${der("Drawbridge Sandbox")},C=RO`;
const pem = (der: Uint8Array) => {
  const lines = Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};
const sha512Seal: Sealing["sign"] = (text, key) => sign("sha512", text, key);

const headers: readonly CorpusSignature[] = [
  accepted("as the standard shows it, with a body", { body: BODY, headers: redirect }),
  accepted("without a body: the digest is over no bytes", {}),
  accepted("headers signed in another order", {
    headers: redirect,
    covered: ["tpp-redirect-uri", "date", "x-request-id", "digest"],
  }),
  accepted("(request-target) signed in addition", { covered: ["(request-target)", ...usual] }),
  accepted("(request-target) signed last, with a query", {
    path: "/v1/accounts?withBalance=true&x=%20",
    covered: [...usual, "(request-target)"],
  }),
  accepted("(request-target) of a POST", { body: BODY, covered: ["(request-target)", ...usual] }),
  accepted("headers signed that need not be", {
    headers: { "psu-ip-address": "192.0.2.1", "content-length": "0" },
    covered: [...usual, "psu-ip-address", "content-length"],
  }),
  accepted("PSU-ID and PSU-Corporate-ID sent and signed", {
    headers: { "psu-id": "ana", "psu-corporate-id": "acme" },
  }),
  accepted("a header beyond ASCII, signed as the bytes it is sent in", {
    headers: { "psu-id": Buffer.from("Țară").toString("latin1") },
  }),
  accepted("header names in capitals in the list", { list: "Digest X-Request-ID Date" }),
];

const writing: readonly CorpusSignature[] = [
  accepted("the parameters in another order", {
    rewritten: (header) => parameters(header).reverse().join(","),
  }),
  accepted("blanks around the parameters", {
    rewritten: (header) => parameters(header).join(" , ").replace('keyId="', 'keyId = "'),
  }),
  accepted("the algorithm in capitals", { algorithm: "RSA-SHA256" }),
  accepted("a Date five minutes behind", { headers: { date: "Fri, 20 Nov 2026 09:55:00 GMT" } }),
  accepted("a Date five minutes ahead", { headers: { date: "Fri, 20 Nov 2026 10:05:00 GMT" } }),
];

const algorithms: readonly CorpusSignature[] = [
  accepted("an RSA seal with SHA-512", { sign: sha512Seal, algorithm: "rsa-sha512" }),
  accepted("S6: rsa-sha256 by its name in Java", { algorithm: "SHA256withRSA" }),
  accepted("S6: rsa-sha256 by its name in Java, in capitals", { algorithm: "SHA256WITHRSA" }),
  accepted("S6: rsa-sha512 by its name in Java", { sign: sha512Seal, algorithm: "SHA512withRSA" }),
  accepted("an EC seal on P-256 with SHA-256", { seal: "ec" }),
  accepted("an EC seal on P-256 with SHA-512", {
    seal: "ec",
    sign: sha512Seal,
    algorithm: "ecdsa-sha512",
  }),
  accepted("an EC seal on P-384 with SHA-256", { seal: "ec384" }),
  accepted("the algorithm of an EC seal in capitals", { seal: "ec", algorithm: "ECDSA-SHA256" }),
  accepted("a digest of SHA-512", { body: BODY, headers: { digest: `SHA-512=${sha512(BODY)}` } }),
  accepted("both digests", {
    body: BODY,
    headers: { digest: `SHA-256=${sha256(BODY)}, SHA-512=${sha512(BODY)}` },
  }),
  accepted("the digest's name in small letters", { headers: { digest: `sha-256=${sha256("")}` } }),
];

const keyIds: readonly CorpusSignature[] = [
  accepted("the serial number in small letters", serial(SERIAL.toLowerCase())),
  accepted("the serial number with leading zeros", serial(`0000${SERIAL}`)),
  accepted("the serial number with colons", serial("5A:7B:9C:01")),
  accepted("the serial number with 0x", serial(`0x${SERIAL}`)),
  accepted("the serial number in decimal", serial(BigInt(`0x${SERIAL}`).toString())),
  accepted("the issuer's common name first", issuer(ISSUER)),
  accepted("the issuer's country first", issuer(countryFirst.join(","))),
  accepted("the issuer with blanks after its commas", issuer(countryFirst.join(", "))),
  accepted("the issuer's values percent-encoded", issuer(encodeURI(countryFirst.join(",")))),
  accepted("the issuer percent-encoded as a whole", issuer(encodeURIComponent(ISSUER))),
  accepted("the issuer in small letters", issuer(ISSUER.toLowerCase())),
  accepted(
    "the issuer's types as object identifiers",
    issuer("2.5.4.3=Drawbridge Sandbox CA,2.5.4.10=Drawbridge Sandbox,2.5.4.6=RO"),
  ),
  accepted("the issuer with slashes, as OpenSSL prints it", issuer(`/${countryFirst.join("/")}`)),
  accepted(
    "the issuer with its blanks as +",
    issuer(encodeURIComponent(ISSUER).replaceAll("%20", "+")),
  ),
  accepted(
    "the issuer with all its blanks percent-encoded",
    issuer(countryFirst.join(",%20").replaceAll(" ", "%20")),
  ),
  accepted("the issuer's values in DER, as Java prints what it has no name for", issuer(inDer)),
  accepted("the issuer before the serial number", { keyId: `CA=${ISSUER},SN=${SERIAL}` }),
  accepted("keyId percent-encoded as a whole", {
    keyId: encodeURIComponent(`SN=${SERIAL},CA=${ISSUER}`),
  }),
  accepted("keyId in small letters, with blanks", {
    keyId: `sn = ${SERIAL} , ca = ${ISSUER}`,
  }),
];

const certificates: readonly CorpusSignature[] = [
  accepted("the certificate as a PEM on one line, blanks for its breaks", {
    certificate: (der) => pem(der).trim().replaceAll("\n", " "),
  }),
  accepted("the certificate as a PEM on one line, its breaks left out", {
    certificate: (der) => pem(der).replaceAll("\n", ""),
  }),
  accepted("the certificate as base64 with blanks for its breaks", {
    certificate: (bytes) => Buffer.from(bytes).toString("base64").replace(/.{64}/g, "$& "),
  }),
  accepted("the certificate as base64 of a PEM", {
    certificate: (der) => Buffer.from(pem(der)).toString("base64"),
  }),
];

/** What real clients send, each in its own way, and all of it right. */
export const dialects = [...headers, ...writing, ...algorithms, ...keyIds, ...certificates];
