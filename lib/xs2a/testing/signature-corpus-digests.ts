import { sha256, sha512 } from "./sealing";
import { type CorpusSignature, faulty } from "./signature-corpus-row";

const INDENTED = '{\n  "word": "yes",\n  "more": [\n    1,\n    2\n  ]\n}';
const COMPACT = '{"word":"yes","more":[1,2]}';
const ROMANIAN = '{"word":"țară"}';

/** The digest is signed as it is: nothing but the digest is wrong. */
function digest(name: string, value: string, text: string, body = ""): CorpusSignature {
  const fault = { code: "SIGNATURE_INVALID", text: `Digest ${text}`, path: "Digest" };
  return faulty(`S7: ${name}`, { body, headers: { digest: value } }, fault);
}

/** A digest of another text than the body that comes. */
function covering(what: string, covered: string | Uint8Array, body: string, text: string) {
  return digest(`the digest of ${what}`, `SHA-256=${sha256(covered)}`, `covers ${text}`, body);
}

export const unsoundDigests: readonly CorpusSignature[] = [
  faulty(
    "S7: no Digest",
    { afterwards: { digest: undefined } },
    { code: "SIGNATURE_INVALID", text: "Digest is missing", path: "Digest" },
  ),
  digest("no algorithm", sha256(""), `"${sha256("")}" is not of the form SHA-256=base64`),
  digest("MD5", "MD5=1B2M2Y8AsgTpgAmY7PhCfg==", "is SHA-256 or SHA-512, not MD5"),
  digest(
    "an unknown one beside a right one",
    `SHA-256=${sha256("")},SHA=AAAA`,
    "is SHA-256 or SHA-512, not SHA",
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
  covering(
    "the body with a line feed after it",
    `${COMPACT}\n`,
    COMPACT,
    "the body with a line feed after it",
  ),
  covering(
    "the body without its last line break",
    COMPACT,
    `${COMPACT}\r\n`,
    "the body without the line break at its end",
  ),
  covering(
    "the body with CRLF",
    INDENTED.replaceAll("\n", "\r\n"),
    INDENTED,
    "the body with CRLF for LF",
  ),
  covering(
    "the body with LF",
    INDENTED,
    INDENTED.replaceAll("\n", "\r\n"),
    "the body with LF for CRLF",
  ),
  covering(
    "the body without its byte order mark",
    COMPACT,
    `\uFEFF${COMPACT}`,
    "the body without its byte order mark",
  ),
  covering(
    "the body in Latin-1",
    Buffer.from('{"word":"é"}', "latin1"),
    '{"word":"é"}',
    "the body in Latin-1, the body is UTF-8",
  ),
  covering("compact JSON", COMPACT, INDENTED, "the body's JSON without blanks"),
  covering("indented JSON", INDENTED, COMPACT, "the body's JSON indented by 2"),
  covering(
    "JSON indented by 4",
    JSON.stringify(JSON.parse(COMPACT), null, 4),
    COMPACT,
    "the body's JSON indented by 4",
  ),
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
