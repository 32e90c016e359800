import { reject } from "@/lib/domain/rejection";

const JSON_BODY = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * A body is plain JSON in UTF-8, never compressed: the digest is over the bytes that were sent.
 * Rejects with 415 UNSUPPORTED_MEDIA_TYPE, or 406 when the TPP does not take JSON.
 */
export function checkMediaTypes(headers: Headers, body: Uint8Array): void {
  if (body.byteLength > 0) {
    if (!JSON_BODY.test(headers.get("content-type") ?? "none")) {
      throw reject("UNSUPPORTED_MEDIA_TYPE", "the body has to be application/json in UTF-8");
    }
    if ((headers.get("content-encoding") ?? "identity") !== "identity") {
      throw reject("UNSUPPORTED_MEDIA_TYPE", "a compressed body is not accepted");
    }
  }
  if (!takesJson(headers.get("accept"))) {
    throw reject("REQUESTED_FORMATS_INVALID", "only application/json is offered", {
      path: "Accept",
    });
  }
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
