import type { PasskeyVerifier } from "@/lib/domain/passkeys";
import { handleOf } from "./passkey-handle";

/**
 * Judges by the bank's web address: passkeys belong to its host, and only its own pages may have asked.
 * The device has to make sure who uses it (a finger, a face, a PIN), always.
 */
export function passkeyVerifier(webUrl: string): PasskeyVerifier {
  // Loaded with the first passkey: the library takes as long to load as the rest of the server.
  const judge = async () => (await import("./passkey-judge")).passkeyJudge(webUrl);
  return {
    verify: async (...given) => (await judge()).verify(...given),
    verifyNew: async (...given) => (await judge()).verifyNew(...given),
    userHandle: handleOf,
  };
}
