import { createHash } from "node:crypto";
import { reject } from "@/lib/domain/rejection";
import type { HttpRequest } from "./http";

/**
 * The raw bytes, as the digest covers them. Stops at the limit instead of believing what the
 * request says about its own length. Rejects with 413 PAYLOAD_TOO_LARGE.
 */
export async function readBody(request: HttpRequest, bytesMax: number): Promise<Uint8Array> {
  const tooLarge = () => reject("PAYLOAD_TOO_LARGE", `the body is larger than ${bytesMax} bytes`);
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > bytesMax) throw tooLarge();
  if (request.body === null) return new Uint8Array();

  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    // Left, and not cancelled: to give it up would cost the connection, perhaps before the answer.
    if (length > bytesMax) throw tooLarge();
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, length);
}

/** By which a request that arrives again is known: base64url of the SHA-256 of its body. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
