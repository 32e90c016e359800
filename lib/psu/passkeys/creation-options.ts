import type { Passkey } from "@/lib/domain/passkeys/passkey";
import type { Psu } from "@/lib/domain/sca/psu-directory";
import type { PsuHouse } from "../house";
import { asCredential } from "./request-options";

type Making = {
  readonly psu: Psu;
  readonly challenge: string;
  /** A device that has one of these makes no second. */
  readonly passkeys: readonly Passkey[];
};

/** ES256, EdDSA, RS256, by their numbers of COSE. */
const ALGORITHMS = [-7, -8, -257];

/** PublicKeyCredentialCreationOptionsJSON, WebAuthn 5.4: what passkey a browser is asked to make. */
export function creationOptions(
  { config, profile, passkeyVerifier }: Pick<PsuHouse, "config" | "profile" | "passkeyVerifier">,
  { psu, challenge, passkeys }: Making,
) {
  return {
    rp: { id: new URL(config.WEB_URL).hostname, name: profile.name },
    user: { id: passkeyVerifier.userHandle(psu.id), name: psu.userId, displayName: psu.name },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: profile.sca.passkeyMinutes * 60_000,
    excludeCredentials: passkeys.map(asCredential),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    attestation: "none",
  };
}
