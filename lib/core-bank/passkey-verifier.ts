import { createHash } from "node:crypto";
import type { PasskeyVerifier } from "@/lib/domain/passkeys";

/** Loaded with the first passkey: the library takes as long to load as the rest of the server. */
async function loadLibrary() {
  const server = await import("@simplewebauthn/server");
  return { ...server, ...(await import("@simplewebauthn/server/helpers")) };
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/**
 * Judges by the bank's web address: passkeys belong to its host, and only its own pages may have asked.
 * The device has to make sure who uses it (a finger, a face, a PIN), always.
 */
export function passkeyVerifier(webUrl: string): PasskeyVerifier {
  const { origin, hostname } = new URL(webUrl);
  const ours = {
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
  };
  return {
    verify: ({ credentialId, clientDataJson, userHandle, ...signed }, { passkey, challenge }) =>
      orUndefined(async (library) => {
        if (isFramed(library, clientDataJson)) return undefined;
        if (userHandle !== undefined && userHandle !== handleOf(passkey.psuId)) return undefined;
        const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
          ...ours,
          expectedChallenge: challenge,
          response: {
            ...credentialOf(credentialId),
            response: { clientDataJSON: clientDataJson, ...signed },
          },
          credential: {
            id: passkey.credentialId,
            publicKey: library.isoBase64URL.toBuffer(passkey.publicKey),
            counter: passkey.counter,
          },
        });
        const same = credentialId === passkey.credentialId;
        return verified && same ? { counter: authenticationInfo.newCounter } : undefined;
      }),

    verifyNew: ({ credentialId, clientDataJson, attestationObject }, { challenge }) =>
      orUndefined(async (library) => {
        if (isFramed(library, clientDataJson)) return undefined;
        if (!isWithoutCertificates(library, attestationObject)) return undefined;
        const { ES256, EdDSA, RS256 } = library.cose.COSEALG;
        const { verified, registrationInfo } = await library.verifyRegistrationResponse({
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
        return { credentialId, publicKey: library.isoBase64URL.fromBuffer(publicKey), counter };
      }),

    userHandle: handleOf,
  };
}

/** What a device knows a PSU by: always the same, and nobody's name. */
function handleOf(psuId: string): string {
  return createHash("sha256").update(`passkey-user\n${psuId}`).digest("base64url");
}

function credentialOf(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

/** Not every browser says in whose page it was; the bank's pages are never in another's. */
function isFramed({ decodeClientDataJSON }: Library, clientDataJson: string): boolean {
  return decodeClientDataJSON(clientDataJson).crossOrigin === true;
}

/**
 * The bank asks for no attestation. One with certificates would have the library fetch what strangers
 * name in them, so it is not looked at.
 */
function isWithoutCertificates(
  { decodeAttestationObject, isoBase64URL }: Library,
  attestationObject: string,
): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isSelfMade = decoded.get("fmt") === "packed" && !decoded.get("attStmt").get("x5c");
  return decoded.get("fmt") === "none" || isSelfMade;
}

/** The library throws whatever is wrong; what is not understood is refused like what is false. */
async function orUndefined<Verdict>(judge: (library: Library) => Promise<Verdict | undefined>) {
  const library = await loadLibrary();
  try {
    return await judge(library);
  } catch {
    return undefined;
  }
}
