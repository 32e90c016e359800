import { Rejection } from "@/lib/domain/rejection";
import { checkDigest } from "@/lib/xs2a/signature/digest";
import { headerOf, type RawRequest } from "./raw-request";

/**
 * The request with the body that was sent. Whatever a request is copied through adds a last line
 * break, and a form turns every line break into CR LF: of the bodies it may have been, the one that
 * the Digest is over, else one of the length that Content-Length says, else the one without the
 * line breaks at its end.
 */
export function bodyAsSent(request: RawRequest): RawRequest {
  const [usual, ...others] = candidates(request.body);
  const all = [usual, ...others];
  const length = Number(headerOf(request, "content-length"));
  const body =
    all.find((one) => isDigested(headerOf(request, "digest"), one)) ??
    all.find((one) => one.byteLength === length) ??
    usual;
  return { ...request, body };
}

function candidates(body: Uint8Array): readonly [Uint8Array, ...Uint8Array[]] {
  const exact = Buffer.from(body).toString("latin1");
  const unix = exact.replaceAll("\r\n", "\n");
  const whole = [exact, unix, unix.replaceAll("\n", "\r\n")];
  const bytes = (text: string) => Buffer.from(text, "latin1");
  const withoutEnd = whole.map((text) => bytes(text.replace(/[\r\n]+$/, "")));
  return [bytes(unix.replace(/\n+$/, "")), ...withoutEnd, ...whole.map(bytes)];
}

function isDigested(digest: string | undefined, body: Uint8Array): boolean {
  if (digest === undefined) return false;
  try {
    checkDigest(digest, body);
    return true;
  } catch (error) {
    if (error instanceof Rejection) return false;
    throw error;
  }
}
