import { createHash } from "node:crypto";

/** What a device knows a PSU by: always the same, and nobody's name. */
export function handleOf(psuId: string): string {
  return createHash("sha256").update(`passkey-user\n${psuId}`).digest("base64url");
}
