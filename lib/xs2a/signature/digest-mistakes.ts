import { createHash } from "node:crypto";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { readJson } from "../read-json";

type Hash = "sha256" | "sha512";
type Body = Uint8Array | string;

const NAMES = { sha256: "SHA-256", sha512: "SHA-512" } as const;

/**
 * What a digest that does not match covers in place of the body: clients hash one text and send
 * another, and nothing else in their request looks wrong. Follows the word Digest.
 */
export function digestMistake(hash: Hash, sent: Uint8Array, body: Uint8Array): string {
  const own = createHash(hash).update(body).digest();
  const [covered] = likelyBodies(body).find(([, text]) => isDigest(hash, sent, text)) ?? [];
  return (
    encodingMistake(hash, sent, body) ??
    covered ??
    `does not match the ${body.byteLength} bytes of the body, whose ${NAMES[hash]} is ${own.toString("base64")}`
  );
}

/** A base64 text of hexadecimal digits decodes to bytes, too: to others, and to more of them. */
function encodingMistake(hash: Hash, sent: Uint8Array, body: Uint8Array): string | undefined {
  const other = hash === "sha256" ? "sha512" : "sha256";
  if (isDigest(other, sent, body)) {
    return `says ${NAMES[hash]}, but its value is the ${NAMES[other]} of the body`;
  }
  const digits = createHash(hash).update(body).digest("hex");
  const bytes = Buffer.from(sent);
  if (bytes.toString("base64").toLowerCase() === digits) return "is hexadecimal, base64 is needed";
  if (bytes.toString("latin1").toLowerCase() === digits)
    return "is base64 of the hexadecimal digits";
  return undefined;
}

function likelyBodies(body: Uint8Array): readonly (readonly [covers: string, text: Body])[] {
  if (body.byteLength === 0) {
    const texts = ["{}", "null", '""', "undefined"];
    return texts.map((text) => [`covers ${text} but the body is empty`, text]);
  }
  const text = Buffer.from(body).toString();
  return [
    [`covers nothing but the body has ${body.byteLength} bytes`, ""],
    ["covers the body with a line feed after it", `${text}\n`],
    ["covers the body without the line break at its end", text.replace(/\r?\n$/, "")],
    ["covers the body with CRLF for LF", text.replace(/\r?\n/g, "\r\n")],
    ["covers the body with LF for CRLF", text.replaceAll("\r\n", "\n")],
    ["covers the body without its byte order mark", text.replace(/^\uFEFF/, "")],
    ["covers the body with a byte order mark before it", `\uFEFF${text}`],
    ["covers the body in Latin-1, the body is UTF-8", Buffer.from(text, "latin1")],
    ...reserialised(body),
  ];
}

/** Within the limits of a body only: what is nested deep grows out of bounds when it is indented. */
function reserialised(body: Uint8Array): readonly (readonly [string, string])[] {
  const value = jsonOf(body);
  if (value === undefined) return [];
  const indented = JSON.stringify(value, null, 2);
  return [
    ["covers the body's JSON without blanks", JSON.stringify(value)],
    ["covers the body's JSON indented by 2", indented],
    ["covers the body's JSON indented by 4", JSON.stringify(value, null, 4)],
    ["covers the body's JSON indented by tabs", JSON.stringify(value, null, "\t")],
    // As Python writes it: on one line, a blank after each comma and colon.
    [
      "covers the body's JSON with a blank after each comma and colon",
      indented.replace(/,\n */g, ", ").replace(/\n */g, ""),
    ],
  ];
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return readJson(body, aspspProfile.request);
  } catch {
    return undefined;
  }
}

function isDigest(hash: Hash, sent: Uint8Array, text: Body): boolean {
  return createHash(hash).update(text).digest().equals(sent);
}
