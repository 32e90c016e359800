import { reject } from "@/lib/domain/rejection";
import { checkJsonBounds, type JsonBounds } from "./json-bounds";

/** The value the bytes spell, or undefined for no bytes. Rejects with 400 FORMAT_ERROR. */
export function readJson(bytes: Uint8Array, bounds: JsonBounds): unknown {
  if (bytes.byteLength === 0) return undefined;
  const text = decode(bytes);
  checkJsonBounds(text, bounds);
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** RFC 8259: JSON between systems is UTF-8 without a byte order mark. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notJson();
  }
}

function notJson() {
  return reject("FORMAT_ERROR", "the body is not JSON in UTF-8");
}
