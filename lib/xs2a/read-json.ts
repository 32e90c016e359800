import { reject } from "@/lib/domain/rejection";
import { shown } from "@/lib/eidas/shown";
import { checkJsonBounds, type JsonBounds } from "./json-bounds";

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
  const why = error instanceof SyntaxError ? `: ${shown(error.message, 150)}` : "";
  return reject("FORMAT_ERROR", `the body is not JSON in UTF-8${why}`);
}
