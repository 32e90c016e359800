import { createHash } from "node:crypto";
import { reject } from "@/lib/domain/errors";
import { isUuid, type RequestId } from "@/lib/domain/values";
import { truncated } from "@/lib/eidas/certificate-fault";
import { readUpTo } from "@/lib/read-body";
import type { HttpHeaders, HttpRequest } from "./http";

/**
 * The raw bytes, as the digest covers them. Stops at the limit whatever the
 * Content-Length of the request. Rejects with 413 PAYLOAD_TOO_LARGE.
 */
export async function readBody(request: HttpRequest, bytesMax: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  const bytes = declared > bytesMax ? undefined : await readUpTo(request.body, bytesMax);
  if (bytes !== undefined) return bytes;
  throw reject("PAYLOAD_TOO_LARGE", `the body is larger than ${bytesMax} bytes`);
}

/** By which a request that arrives again is known: base64url of the SHA-256 of its body. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

/** The value the bytes spell, or undefined for no bytes. Rejects with 400 FORMAT_ERROR. */
export function readJson(bytes: Uint8Array, bounds: JsonBounds): unknown {
  if (bytes.byteLength === 0) return undefined;
  const text = decode(bytes);
  checkJsonBounds(text, bounds);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** RFC 8259: JSON between systems is UTF-8 without a byte order mark. */
function decode(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    if (!text.startsWith("\uFEFF")) return text;
  } catch {
    throw reject("FORMAT_ERROR", "the body is not JSON in UTF-8: its bytes are no UTF-8");
  }
  throw reject("FORMAT_ERROR", "the body is not JSON in UTF-8: it begins with a byte order mark");
}

/** The parser says where, and quotes a few characters around. */
function notJson(error: unknown) {
  const why = error instanceof SyntaxError ? `: ${truncated(error.message, 150)}` : "";
  return reject("FORMAT_ERROR", `the body is not JSON in UTF-8${why}`);
}

type JsonBounds = { readonly jsonDepthMax: number; readonly jsonMembersMax: number };

/**
 * Refuses what JSON.parse would accept: nesting too deep for recursive readers, too many members, and a
 * name given twice, of which the last would silently win (`"amount":"1","amount":"1000"`). Reads strings
 * and brackets only; JSON.parse checks the rest. Rejects with 400 FORMAT_ERROR.
 */
function checkJsonBounds(text: string, { jsonDepthMax, jsonMembersMax }: JsonBounds): void {
  const open: (Set<string> | "array")[] = [];
  let [names, elements] = [0, 0];
  let lastString: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const token = text.charAt(at);
    if (token === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return;
      lastString = text.slice(at, end + 1);
      at = end;
    } else if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : "array");
      if (open.length > jsonDepthMax)
        throw refuseJson(`the body is nested deeper than ${jsonDepthMax}`);
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === "," || token === ":") {
      const inside = open.at(-1);
      if (token === ":") addName(inside, lastString);
      lastString = undefined;
      if (token === ":") names += 1;
      if (token === "," && inside === "array") elements += 1;
      if (Math.max(names, elements) > jsonMembersMax)
        throw refuseJson(`the body has more than ${jsonMembersMax} members`);
    }
  }
}

/** Where its closing quote is; undefined for a string without one, with which the text ends. */
function endOfString(text: string, start: number): number | undefined {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? undefined : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

function addName(object: Set<string> | "array" | undefined, spelled: string | undefined): void {
  if (object === undefined || object === "array" || spelled === undefined) return;
  const name = unescaped(spelled);
  if (object.has(name))
    throw refuseJson(`the body names ${JSON.stringify(name.slice(0, 70))} twice`);
  object.add(name);
}

/** `"amount"` and `"\u0061mount"` are the same name. */
function unescaped(spelled: string): string {
  if (!spelled.includes("\\")) return spelled.slice(1, -1);
  try {
    return String(JSON.parse(spelled));
  } catch {
    throw refuseJson("the body is not JSON in UTF-8");
  }
}

function refuseJson(text: string) {
  return reject("FORMAT_ERROR", text);
}

const JSON_BODY = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * A body is plain JSON in UTF-8, never compressed: the digest is over the bytes that were sent.
 * Rejects with 415 UNSUPPORTED_MEDIA_TYPE, or 406 when the TPP does not take JSON.
 */
export function checkMediaTypes(headers: HttpHeaders, body: Uint8Array): void {
  if (body.byteLength > 0) {
    const type = headers.get("content-type");
    if (type === null || !JSON_BODY.test(type)) {
      const sent =
        type === null ? "Content-Type is missing" : `Content-Type says ${truncated(type)}`;
      throw unsupportedMediaType(
        `the body has to be application/json in UTF-8; ${sent}`,
        "Content-Type",
      );
    }
    const encoding = headers.get("content-encoding") ?? "identity";
    if (encoding !== "identity") {
      const sent = `Content-Encoding says ${truncated(encoding)}`;
      throw unsupportedMediaType(`a compressed body is not accepted; ${sent}`, "Content-Encoding");
    }
  }
  if (!takesJson(headers.get("accept"))) {
    const text = "only application/json is offered, and Accept does not allow it";
    throw reject("REQUESTED_FORMATS_INVALID", text, { path: "Accept" });
  }
}

function unsupportedMediaType(text: string, path: string) {
  return reject("UNSUPPORTED_MEDIA_TYPE", text, { path });
}

/** A TPP that names the form of refusals alone takes what is granted as JSON, too. */
const JSON_RANGES = ["application/json", "application/*", "*/*", "application/problem+json"];

/** The most specific range that matches decides (RFC 9110 12.5.1). */
function takesJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === "") return true;
  const ranges = accept.split(",").map((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return { type, isRefused: parameters.some((one) => /^q=0(\.0*)?$/.test(one)) };
  });
  const matching = JSON_RANGES.map((name) => ranges.filter(({ type }) => type === name));
  return matching.find(({ length }) => length > 0)?.some(({ isRefused }) => !isRefused) ?? false;
}

const EXAMPLE_REQUEST_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Every call carries an X-Request-ID that is a UUID. Rejects with 400 FORMAT_ERROR. */
export function checkRequestId(headers: HttpHeaders): RequestId {
  const value = headers.get("x-request-id");
  if (value === null)
    throw reject("FORMAT_ERROR", "X-Request-ID is missing", { path: "X-Request-ID" });
  if (!isUuid(value)) {
    const text = `X-Request-ID is not a UUID, 36 characters as in ${EXAMPLE_REQUEST_ID}; it has ${value.length}`;
    throw reject("FORMAT_ERROR", text, { path: "X-Request-ID" });
  }
  return value.toLowerCase() as RequestId;
}
