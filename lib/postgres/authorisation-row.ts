import type { authorisation } from "@/drizzle/schema/drawbridge";
import type {
  Authorisation,
  Challenge,
  PasskeyChallenge,
  WayBack,
} from "@/lib/domain/sca/authorisation";

type AuthorisationRow = typeof authorisation.$inferSelect;

export function toAuthorisation(row: AuthorisationRow): Authorisation {
  const challenge = challengeOf(row);
  const passkeyChallenge = passkeyChallengeOf(row);
  return {
    id: row.id,
    kind: row.kind,
    resourceId: row.resourceId,
    tppId: row.tppId,
    requestId: row.requestId,
    ...(row.bodyDigest !== null && { bodyDigest: row.bodyDigest }),
    scaStatus: row.scaStatus,
    wayBack: wayBackOf(row),
    ...(row.loginHint !== null && { loginHint: row.loginHint }),
    ...(row.psuId !== null && { psuId: row.psuId }),
    failedAttempts: row.failedAttempts,
    selection: row.selection,
    ...(challenge !== undefined && { challenge }),
    ...(passkeyChallenge !== undefined && { passkeyChallenge }),
    codesSent: row.codesSent,
    createdAt: row.createdAt,
    ...(row.failedBecause !== null && { failedBecause: row.failedBecause }),
    expiresAt: row.expiresAt,
  };
}

export function fromAuthorisation(started: Authorisation): typeof authorisation.$inferInsert {
  return {
    id: started.id,
    kind: started.kind,
    resourceId: started.resourceId,
    tppId: started.tppId,
    requestId: started.requestId,
    bodyDigest: started.bodyDigest,
    scaStatus: started.scaStatus,
    redirectUri: started.wayBack.redirectUri,
    nokRedirectUri: started.wayBack.nokRedirectUri,
    loginHint: started.loginHint,
    psuId: started.psuId,
    failedAttempts: started.failedAttempts,
    selection: [...started.selection],
    codeFingerprint: started.challenge?.codeFingerprint,
    codeExpiresAt: started.challenge?.expiresAt,
    codesSent: started.codesSent,
    passkeyNonce: started.passkeyChallenge?.nonce,
    passkeyExpiresAt: started.passkeyChallenge?.expiresAt,
    createdAt: started.createdAt,
    failedBecause: started.failedBecause,
    expiresAt: started.expiresAt,
  };
}

function wayBackOf({ redirectUri, nokRedirectUri }: AuthorisationRow): WayBack {
  return nokRedirectUri === null ? { redirectUri } : { redirectUri, nokRedirectUri };
}

function challengeOf({ codeFingerprint, codeExpiresAt }: AuthorisationRow): Challenge | undefined {
  if (codeFingerprint === null || codeExpiresAt === null) return undefined;
  return { codeFingerprint, expiresAt: codeExpiresAt };
}

function passkeyChallengeOf(row: AuthorisationRow): PasskeyChallenge | undefined {
  const { passkeyNonce, passkeyExpiresAt } = row;
  if (passkeyNonce === null || passkeyExpiresAt === null) return undefined;
  return { nonce: passkeyNonce, expiresAt: passkeyExpiresAt };
}
