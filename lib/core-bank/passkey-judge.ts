import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import {
  cose,
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
} from "@simplewebauthn/server/helpers";
import type { PasskeyVerifier } from "@/lib/domain/passkeys";
import { handleOf } from "./passkey-handle";

const { EdDSA, ES256, RS256 } = cose.COSEALG;

/** See `passkey-verifier.ts`. */
export function passkeyJudge(webUrl: string): Pick<PasskeyVerifier, "verify" | "verifyNew"> {
  const { origin, hostname } = new URL(webUrl);
  const ours = {
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
  };
  return {
    verify: (given, { passkey, challenge }) =>
      orUndefined(async () => {
        const { credentialId, clientDataJson, userHandle } = given;
        if (isFramed(clientDataJson)) return undefined;
        if (userHandle !== undefined && userHandle !== handleOf(passkey.psuId)) return undefined;
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...ours,
          expectedChallenge: challenge,
          response: {
            ...credentialOf(credentialId),
            response: {
              clientDataJSON: clientDataJson,
              authenticatorData: given.authenticatorData,
              signature: given.signature,
            },
          },
          credential: {
            id: passkey.credentialId,
            publicKey: isoBase64URL.toBuffer(passkey.publicKey),
            counter: passkey.counter,
          },
        });
        const same = credentialId === passkey.credentialId;
        return verified && same ? { counter: authenticationInfo.newCounter } : undefined;
      }),

    verifyNew: ({ credentialId, clientDataJson, attestationObject }, { challenge }) =>
      orUndefined(async () => {
        if (isFramed(clientDataJson) || !saysNothingOfItself(attestationObject)) return undefined;
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          ...ours,
          expectedChallenge: challenge,
          supportedAlgorithmIDs: [ES256, EdDSA, RS256],
          response: {
            ...credentialOf(credentialId),
            response: { clientDataJSON: clientDataJson, attestationObject },
          },
        });
        if (!verified || registrationInfo.credential.id !== credentialId) return undefined;
        const { publicKey, counter } = registrationInfo.credential;
        return { credentialId, publicKey: isoBase64URL.fromBuffer(publicKey), counter };
      }),
  };
}

function credentialOf(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

/** Not every browser says in whose page it was; the bank's pages are never in another's. */
function isFramed(clientDataJson: string): boolean {
  return decodeClientDataJSON(clientDataJson).crossOrigin === true;
}

/**
 * The bank asks for no attestation. One with certificates would have the library fetch what strangers
 * name in them, so it is not looked at.
 */
function saysNothingOfItself(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isSelfMade = decoded.get("fmt") === "packed" && !decoded.get("attStmt").get("x5c");
  return decoded.get("fmt") === "none" || isSelfMade;
}

/** The library throws whatever is wrong; what is not understood is refused like what is false. */
async function orUndefined<Verdict>(judge: () => Promise<Verdict | undefined>) {
  try {
    return await judge();
  } catch {
    return undefined;
  }
}
