import { reject } from "@/lib/domain/rejection";
import { shown } from "@/lib/eidas/shown";
import type { HttpHeaders } from "./http";

const JSON_BODY = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * A body is plain JSON in UTF-8, never compressed: the digest is over the bytes that were sent.
 * Rejects with 415 UNSUPPORTED_MEDIA_TYPE, or 406 when the TPP does not take JSON.
 */
export function checkMediaTypes(headers: HttpHeaders, body: Uint8Array): void {
  if (body.byteLength > 0) {
    const type = headers.get("content-type");
    if (type === null || !JSON_BODY.test(type)) {
      const sent = type === null ? "Content-Type is missing" : `Content-Type says ${shown(type)}`;
      throw unsupported(`the body has to be application/json in UTF-8; ${sent}`, "Content-Type");
    }
    const encoding = headers.get("content-encoding") ?? "identity";
    if (encoding !== "identity") {
      const sent = `Content-Encoding says ${shown(encoding)}`;
      throw unsupported(`a compressed body is not accepted; ${sent}`, "Content-Encoding");
    }
  }
  if (!takesJson(headers.get("accept"))) {
    const text = "only application/json is offered, and Accept does not allow it";
    throw reject("REQUESTED_FORMATS_INVALID", text, { path: "Accept" });
  }
}

function unsupported(text: string, path: string) {
  return reject("UNSUPPORTED_MEDIA_TYPE", text, { path });
}

function takesJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === "") return true;
  return accept.split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    const json = type === "application/json" || type === "application/*" || type === "*/*";
    return json && !refused;
  });
}
