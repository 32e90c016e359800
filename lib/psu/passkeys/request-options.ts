import type { Passkey } from "@/lib/domain/passkeys/passkey";
import type { PsuHouse } from "../house";

type Asked = {
  readonly challenge: string;
  /** Any of which may sign. */
  readonly passkeys: readonly Passkey[];
};

/** PublicKeyCredentialRequestOptionsJSON, WebAuthn 5.5: what a browser is asked to have signed. */
export function requestOptions(
  { config, profile }: Pick<PsuHouse, "config" | "profile">,
  { challenge, passkeys }: Asked,
) {
  return {
    challenge,
    rpId: new URL(config.WEB_URL).hostname,
    allowCredentials: passkeys.map(asCredential),
    userVerification: "required",
    timeout: profile.sca.passkeyMinutes * 60_000,
  };
}

export function asCredential({ credentialId, transports }: Passkey) {
  return { type: "public-key", id: credentialId, transports };
}
