import { sign } from "node:crypto";
import type { Line, Sealing } from "./sealing";
import { sha256 } from "./sealing";
import { BODY, type CorpusSignature, failed, mistaken, refused } from "./signature-corpus-row";
import { now, requestId } from "./tpp";

const usual = ["digest", "x-request-id", "date"] as const;
const targeted = ["(request-target)", ...usual];
const path = "/v1/accounts?withBalance=true";
const written = (lines: readonly Line[], end = "\n", colon = ": ") =>
  lines.map(([name, value]) => `${name}${colon}${value}`).join(end);
const digestOf = (text: Buffer) => Buffer.from(sha256(text), "base64");
const right = `digest: SHA-256=${sha256("")}\nx-request-id: ${requestId}\ndate: ${now.toUTCString()}`;

/** Another text than the one that the request gives. */
const texts: readonly (readonly [name: string, sealing: Sealing, mistake: string])[] = [
  [
    "a line feed at the end",
    { text: (lines) => `${written(lines)}\n` },
    "the text ends in a line feed, and must not",
  ],
  [
    "CRLF between the lines",
    { text: (lines) => written(lines, "\r\n") },
    "its lines end in CRLF, and must in LF",
  ],
  [
    "no blank after the colon",
    { text: (lines) => written(lines, "\n", ":") },
    "its lines lack the blank after the colon",
  ],
  [
    "the lines in another order than the list",
    { text: (lines) => written(lines.toReversed()) },
    "its lines are in the order date x-request-id digest, headers lists another",
  ],
  [
    "(request-target) without its query",
    {
      path,
      covered: targeted,
      text: (lines) => written(lines).replace("?withBalance=true", ""),
    },
    "(request-target) must have the query, which it lacks",
  ],
  [
    "(request-target) with the method in capitals",
    { path, covered: targeted, text: (lines) => written(lines).replace(": get", ": GET") },
    "(request-target) must have the method in small letters",
  ],
  [
    "the value of Digest alone",
    {
      text: (lines) =>
        lines.flatMap(([name, value]) => (name === "digest" ? [value] : [])).join(""),
    },
    "the value of Digest was signed alone",
  ],
];

const ofRsaAlone: readonly CorpusSignature[] = [
  mistaken(
    "CRLF after the last line, too",
    { text: (lines) => `${written(lines, "\r\n")}\r\n` },
    "its last line ends in CRLF, as do the others",
  ),
  mistaken(
    "header names in capitals",
    {
      text: (lines) =>
        written(lines)
          .replace("digest", "Digest")
          .replace("x-request-id", "X-Request-ID")
          .replace("date", "Date"),
    },
    "its header names are in capitals, and must be in small letters",
  ),
  mistaken(
    "a blank after each value",
    { text: (lines) => `${written(lines, " \n")} ` },
    "its values have a blank after them, and must be trimmed",
  ),
  mistaken(
    "two blanks after the colon",
    { text: (lines) => written(lines, "\n", ":  ") },
    "it has two blanks after each colon, not one",
  ),
  mistaken(
    "values without names",
    { text: (lines) => lines.map(([, value]) => value).join("\n") },
    "its header names are missing",
  ),
  mistaken(
    "the body in place of the headers",
    { body: BODY, text: () => BODY },
    "the body was signed in place of the headers",
  ),
  mistaken(
    "an order nobody would think of",
    {
      headers: { "psu-id": "ana" },
      text: (lines) => written([1, 3, 0, 2].flatMap((index) => lines.slice(index, index + 1))),
    },
    "its lines are in the order x-request-id psu-id digest date, headers lists another",
  ),
  mistaken(
    "(request-target) with the whole URL",
    {
      path,
      covered: targeted,
      text: (lines) => written(lines).replace("/v1", "https://bank.example/v1"),
    },
    "(request-target) must have the path alone, not the whole URL",
  ),
  mistaken(
    "the hash of the text, hashed once more",
    { sign: (text, key) => sign("sha256", digestOf(text), key) },
    "the text was hashed before it was signed",
  ),
  mistaken(
    "the hexadecimal hash of the text",
    { sign: (text, key) => sign("sha256", Buffer.from(digestOf(text).toString("hex")), key) },
    "the hexadecimal hash of the text was signed",
  ),
];

const other: readonly CorpusSignature[] = [
  mistaken(
    "another text",
    { text: () => "something else" },
    `it covers a text whose sha256 is ${sha256("something else", "hex")}, that of the right text of ${right.length} bytes is ${sha256(right, "hex")}`,
  ),
  refused("an EC signature of another text", { seal: "ec", text: () => "something else" }, failed),
];

/** What was signed is not what came. */
export const wrongTexts: readonly CorpusSignature[] = [
  ...texts.map(([name, sealing, mistake]) => mistaken(name, sealing, mistake)),
  ...texts.map(([name, sealing, mistake]) =>
    mistaken(`${name}, with an EC seal`, { ...sealing, seal: "ec" }, mistake),
  ),
  ...ofRsaAlone,
  ...other,
];
