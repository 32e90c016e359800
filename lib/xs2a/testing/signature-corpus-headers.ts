import { ISSUER, QWAC_SERIAL, SERIAL, type Sealing, sha256, sha512 } from "./tpp";

const notInQuotes = (text: string) => text.replace(/keyId="([^"]*)"/, "keyId=$1");
const without = (name: string) => (header: string) =>
  header.replace(new RegExp(`${name}="[^"]*",?`), "").replace(/,$/, "");

const missing: readonly CorpusSignature[] = [
  faulty(
    "S1: no Signature",
    { afterwards: { signature: undefined } },
    {
      code: "SIGNATURE_MISSING",
      text: "Signature is missing: every request has to be signed",
      path: "Signature",
    },
  ),
  ...["keyId", "algorithm", "headers", "signature"].map((name) =>
    refused(`S2: no ${name}`, { rewritten: without(name) }, `Signature lacks ${name}`),
  ),
  refused("S2: an empty list of headers", { list: "" }, "Signature lacks headers"),
  refused("S2: Signature empty", { afterwards: { signature: "" } }, "Signature lacks keyId"),
];

/** What every signature covers. */
export const usual = ["digest", "x-request-id", "date"] as const;

const uncovered: readonly CorpusSignature[] = [
  refused("S2: date alone", { covered: ["date"] }, "Signature does not cover digest, x-request-id"),
  ...usual.map((name) =>
    refused(
      `S2: all but ${name}`,
      { covered: usual.filter((other) => other !== name) },
      `Signature does not cover ${name}`,
    ),
  ),
  ...["psu-id", "psu-corporate-id", "tpp-redirect-uri"].map((name) =>
    refused(
      `S2: ${name} sent and not signed`,
      { headers: { [name]: "https://tpp.example" }, covered: usual },
      `Signature does not cover ${name}`,
    ),
  ),
  refused(
    "S3: a header signed that is not sent",
    { covered: [...usual, "psu-ip-address"] },
    "Signature covers psu-ip-address, but the request has no PSU-IP-Address",
  ),
  refused("S4: a header listed twice", { covered: [...usual, "date"] }, "headers names date twice"),
  refused(
    "S4: a header listed twice in another case",
    { list: "digest x-request-id date Date" },
    "headers names date twice",
  ),
];

const unread: readonly CorpusSignature[] = [
  refused(
    "S5: keyId twice",
    { rewritten: (header) => `keyId="SN=1,CA=CN=x",${header}` },
    "Signature gives keyId twice",
  ),
  refused(
    "S5: signature twice",
    { rewritten: (header) => `${header},signature="AAAA"` },
    "Signature gives signature twice",
  ),
  ...['created="1763632800"', "created=1763632800"].map((parameter) =>
    refused(
      `S5: a parameter of a later draft, ${parameter}`,
      { rewritten: (header) => `${header},${parameter}` },
      "Signature has the parameter created, which is not part of this profile: it has keyId, algorithm, headers, signature",
    ),
  ),
  refused(
    "the word Signature before it",
    { rewritten: (header) => `Signature ${header}` },
    'Signature begins with the word "Signature", as Authorization would',
  ),
  refused(
    "in the form of RFC 9421",
    { rewritten: () => `sig1=:${sha256("x")}:` },
    "Signature is in the form of RFC 9421, here it is that of draft-cavage-http-signatures-10",
  ),
  refused(
    "keyId not in quotation marks",
    { rewritten: notInQuotes },
    "Signature gives keyId without quotation marks",
  ),
  refused(
    "no parameters at all",
    { rewritten: () => "c2lnbmF0dXJl" },
    'Signature is not a list of name="value" with commas between, from here on: c2lnbmF0dXJl',
  ),
  refused(
    "two blanks between the names",
    { list: "digest  x-request-id date" },
    'headers is a list of header names, one blank between and nothing else; it says "digest  x-request-id date"',
  ),
  refused(
    "commas between the names",
    { list: "digest,x-request-id,date" },
    'headers is a list of header names, one blank between and nothing else; it says "digest,x-request-id,date"',
  ),
  refused(
    "a name of a later draft in the list",
    { list: "(created) digest x-request-id date" },
    "headers names (created), which is no header to sign here",
  ),
];

const date = (name: string, value: string, text: string) =>
  faulty(
    name,
    { headers: { date: value } },
    { code: "TIMESTAMP_INVALID", text, path: "Date" },
    400,
  );
const headerForm = (written: string) =>
  `Date is not a date of RFC 7231, which is written ${written}`;
const clock = "the bank's clock, which says Fri, 20 Nov 2026 10:00:00 GMT; 300 s are allowed";
const now = "Fri, 20 Nov 2026 10:00:00 GMT";

const dates: readonly CorpusSignature[] = [
  faulty(
    "S9: no Date",
    { afterwards: { date: undefined } },
    { code: "SIGNATURE_INVALID", text: "Date is missing", path: "Date" },
  ),
  date("S9: a Date 301 s behind", "Fri, 20 Nov 2026 09:54:59 GMT", `Date is 301 s behind ${clock}`),
  date(
    "S9: a Date 6 minutes ahead",
    "Fri, 20 Nov 2026 10:06:00 GMT",
    `Date is 360 s ahead of ${clock}`,
  ),
  date("S9: a Date of ISO 8601", "2026-11-20T10:00:00Z", headerForm(now)),
  date("S9: a Date with +0000 for GMT", "Fri, 20 Nov 2026 10:00:00 +0000", headerForm(now)),
  date(
    "S9: a Date of a day that is none",
    "Fri, 31 Nov 2026 10:00:00 GMT",
    headerForm("Tue, 01 Dec 2026 10:00:00 GMT"),
  ),
  date("S9: a Date with another day of the week", "Mon, 20 Nov 2026 10:00:00 GMT", headerForm(now)),
  date("S9: a Date that is a word", "yesterday", headerForm(now)),
];

/** What is missing, not covered or not to be read. */
export const invalidHeaders = [...missing, ...uncovered, ...unread, ...dates];

const INDENTED = '{\n  "word": "yes",\n  "more": [\n    1,\n    2\n  ]\n}';
const COMPACT = '{"word":"yes","more":[1,2]}';
const ROMANIAN = '{"word":"țară"}';

/** The digest is signed as it is: nothing but the digest is wrong. */
function digest(name: string, value: string, text: string, body = ""): CorpusSignature {
  const fault = { code: "SIGNATURE_INVALID", text: `Digest ${text}`, path: "Digest" };
  return faulty(`S7: ${name}`, { body, headers: { digest: value } }, fault);
}

/** A digest of another text than the body that comes. */
function covering(what: string, covered: string | Uint8Array, body: string, text = what) {
  return digest(`the digest of ${what}`, `SHA-256=${sha256(covered)}`, `covers ${text}`, body);
}

export const invalidDigests: readonly CorpusSignature[] = [
  faulty(
    "S7: no Digest",
    { afterwards: { digest: undefined } },
    { code: "SIGNATURE_INVALID", text: "Digest is missing", path: "Digest" },
  ),
  digest("no algorithm", sha256(""), `"${sha256("")}" is not of the form SHA-256=base64`),
  digest("MD5", "MD5=1B2M2Y8AsgTpgAmY7PhCfg==", "is SHA-256 or SHA-512, not MD5"),
  digest(
    "an unknown one beside a wrong one",
    `SHA=AAAA,SHA-256=${sha256("{}")}`,
    "covers {} but the body is empty",
  ),
  digest("a name of every object", "constructor=AAAA", "is SHA-256 or SHA-512, not constructor"),
  digest(
    "the same algorithm twice",
    `SHA-256=${sha256("")},sha-256=${sha256("")}`,
    "gives sha-256 twice",
  ),
  digest(
    "a wrong one beside a right one",
    `SHA-256=${sha256("")},SHA-512=${sha512("{}")}`,
    "covers {} but the body is empty",
  ),
  digest(
    "in the form of RFC 9530",
    `sha-256=:${sha256("")}:`,
    "is in colons, as RFC 9530 has it; here it is plain base64",
  ),
  digest(
    "base64url",
    `SHA-256=${Buffer.from(sha256(""), "base64").toString("base64url")}=`,
    "is base64url, base64 is needed",
  ),
  digest("hexadecimal", `SHA-256=${sha256("", "hex")}`, "is hexadecimal, base64 is needed"),
  digest(
    "base64 of the hexadecimal digits",
    `SHA-256=${Buffer.from(sha256("", "hex")).toString("base64")}`,
    "is base64 of the hexadecimal digits",
  ),
  digest("no padding", `SHA-256=${sha256("").slice(0, -1)}`, "is base64 without its padding"),
  digest(
    "SHA-512 under the name of SHA-256",
    `SHA-256=${sha512("")}`,
    "says SHA-256, but its value is the SHA-512 of the body",
  ),
  digest(
    "SHA-256 under the name of SHA-512",
    `SHA-512=${sha256(COMPACT)}`,
    "says SHA-512, but its value is the SHA-256 of the body",
    COMPACT,
  ),
  covering("{} without a body", "{}", "", "{} but the body is empty"),
  covering("null without a body", "null", "", "null but the body is empty"),
  covering("nothing with a body", "", COMPACT, "nothing but the body has 27 bytes"),
  covering("the body with a line feed after it", `${COMPACT}\n`, COMPACT),
  covering("the body without the line break at its end", COMPACT, `${COMPACT}\r\n`),
  covering("the body with CRLF for LF", INDENTED.replaceAll("\n", "\r\n"), INDENTED),
  covering("the body with LF for CRLF", INDENTED, INDENTED.replaceAll("\n", "\r\n")),
  covering("the body without its byte order mark", COMPACT, `\uFEFF${COMPACT}`),
  covering(
    "the body in Latin-1",
    Buffer.from('{"word":"é"}', "latin1"),
    '{"word":"é"}',
    "the body in Latin-1, the body is UTF-8",
  ),
  covering("the body's JSON without blanks", COMPACT, INDENTED),
  covering("the body's JSON indented by 2", INDENTED, COMPACT),
  covering("the body's JSON indented by 4", JSON.stringify(JSON.parse(COMPACT), null, 4), COMPACT),
  covering(
    "JSON as Python writes it",
    '{"word": "yes", "more": [1, 2]}',
    COMPACT,
    "the body's JSON with a blank after each comma and colon",
  ),
  digest(
    "another body",
    `SHA-256=${sha256("{}")}`,
    `does not match the 17 bytes of the body, whose SHA-256 is ${sha256(ROMANIAN)}`,
    ROMANIAN,
  ),
];

const known = "rsa-sha256, rsa-sha512, ecdsa-sha256, ecdsa-sha512";

const algorithms: readonly CorpusSignature[] = [
  ...[
    "hmac-sha256",
    "none",
    "rsa-sha1",
    "sha1withrsa",
    "sha256withrsaandmgf1",
    "hs2019",
    "ed25519",
    "constructor",
  ].map((algorithm) =>
    refused(
      `S6: algorithm ${algorithm}`,
      { algorithm },
      `algorithm ${algorithm} is not one of ${known}`,
    ),
  ),
  refused(
    "S6: algorithm of EC with an RSA key",
    { algorithm: "ecdsa-sha256" },
    "algorithm says ecdsa-sha256, but the key of the certificate is RSA of 2048 bits",
  ),
  refused(
    "S6: algorithm of RSA with an EC key",
    { seal: "ec", algorithm: "rsa-sha256" },
    "algorithm says rsa-sha256, but the key of the certificate is EC on prime256v1",
  ),
  refused(
    "S6: Java's name of RSA with an EC key",
    { seal: "ec", algorithm: "SHA256withRSA" },
    "algorithm says sha256withrsa, but the key of the certificate is EC on prime256v1",
  ),
];

const named = (name: string, keyId: string, text: string) =>
  refused(`S8: ${name}`, { keyId }, `keyId ${text}`);
const keyIdForm = `SN=${SERIAL},CA=${ISSUER}`;
const otherSerial = (name: string, serial: string) => {
  const text = `names serial ${serial}, the certificate has ${SERIAL}`;
  return named(name, `SN=${serial},CA=${ISSUER}`, text);
};
const otherIssuer = (name: string, issuer: string, shown = issuer) => {
  const text = `names the issuer ${shown}, the certificate has ${ISSUER}`;
  return named(name, `SN=${SERIAL},CA=${issuer}`, text);
};

const keyIds: readonly CorpusSignature[] = [
  otherSerial("another serial number", "9FA1"),
  named(
    "another serial number, in decimal",
    `SN=1518050306,CA=${ISSUER}`,
    `names serial 1518050306, the certificate has ${SERIAL}, in decimal 1518050305`,
  ),
  named(
    "the serial number of the QWAC",
    `SN=${QWAC_SERIAL},CA=${ISSUER}`,
    `names serial ${QWAC_SERIAL}, that of the client certificate, the certificate has ${SERIAL}`,
  ),
  otherSerial("a serial number that is a word", "abc xyz"),
  otherIssuer("another issuer", "CN=Someone Else,O=Other,C=RO"),
  otherIssuer("a part of the issuer", "CN=Drawbridge Sandbox CA"),
  otherIssuer("more than the issuer", `${ISSUER},L=Cluj`),
  named(
    "the subject in place of the issuer",
    `SN=${SERIAL},CA=CN=Example TPP Seal,2.5.4.97=PSDRO-NBR-1234567,O=Example TPP,C=RO`,
    `names the subject of the certificate, its issuer is ${ISSUER}`,
  ),
  refused(
    "S11: controls in the serial number",
    { keyId: `SN=9F\u0001\u0085\u009b\u00ad2K,CA=${ISSUER}` },
    `keyId names serial 9F????2K, the certificate has ${SERIAL}`,
  ),
  named("no issuer", `SN=${SERIAL}`, `SN=${SERIAL} is not of the form ${keyIdForm}`),
  named("a name of its own", "my-key", `my-key is not of the form ${keyIdForm}`),
  otherIssuer("an issuer that never ends", `CN=${"x".repeat(3_000)}`, `CN=${"x".repeat(147)}…`),
  named(
    "thousands of blanks",
    `SN=${" ".repeat(7_000)}1,CA=CN=a${" ".repeat(7_000)}b`,
    `names serial 1, the certificate has ${SERIAL}, in decimal 1518050305`,
  ),
];

const PATH = "TPP-Signature-Certificate";
const seal = (name: string, sealing: Sealing, text: string, code = "CERTIFICATE_INVALID") =>
  faulty(name, sealing, { code, text, path: PATH });

const certificates: readonly CorpusSignature[] = [
  seal(
    "no certificate",
    { afterwards: { "tpp-signature-certificate": undefined } },
    "TPP-Signature-Certificate is missing: no signature certificate was presented",
    "CERTIFICATE_MISSING",
  ),
  seal(
    "a certificate in base64url",
    { certificate: (der) => Buffer.from(der).toString("base64url") },
    "signature certificate is not base64 of a certificate: it is base64url or lacks its padding",
  ),
  seal(
    "C4: the certificate of an unknown issuer",
    { seal: "unknownIssuer" },
    "certificate is not issued by a trusted issuer",
  ),
  seal(
    "C3: the certificate of yesterday",
    { seal: "expired" },
    "certificate was valid until 2026-11-19T10:00:00Z, the bank's clock says 2026-11-20T10:00:00Z",
    "CERTIFICATE_EXPIRED",
  ),
  seal(
    "C8: the QWAC for a seal",
    { seal: "qwac" },
    "certificate is not of QcType eseal but of web",
  ),
  seal(
    "C13: the seal of another TPP",
    { seal: "otherTpp" },
    "certificate belongs to another TPP, PSDRO-NBR-8, than the client certificate, PSDRO-NBR-1234567",
  ),
];

/** Which key signed, and how it is named. */
export const invalidKeys = [...algorithms, ...keyIds, ...certificates];

/** A signed request, how it is made, and what the bank says of it. */
export type CorpusSignature = {
  readonly name: string;
  readonly sealing: Sealing;
  readonly verdict: "accepted" | Refused;
};

type Refused = {
  readonly status: 400 | 401;
  readonly code: string;
  readonly text: string;
  readonly path: string;
};

export const BODY = '{"word":"yes"}';

export function accepted(name: string, sealing: Sealing): CorpusSignature {
  return { name, sealing, verdict: "accepted" };
}

/** 401 SIGNATURE_INVALID at the header Signature. */
export function refused(name: string, sealing: Sealing, text: string): CorpusSignature {
  return faulty(name, sealing, { code: "SIGNATURE_INVALID", text, path: "Signature" });
}

/** The refusal of a signature that does not verify, and the usual mistake behind it. */
export function mistaken(name: string, sealing: Sealing, mistake: string): CorpusSignature {
  return refused(name, sealing, `${failed}: ${mistake}`);
}

export const failed = "signature does not verify with the key of the certificate";

function faulty(
  name: string,
  sealing: Sealing,
  fault: Omit<Refused, "status">,
  status: Refused["status"] = 401,
): CorpusSignature {
  return { name, sealing, verdict: { status, ...fault } };
}
