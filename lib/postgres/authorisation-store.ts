import { and, eq, gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema";
import type { AccountId, AuthorisationId, PsuId, TppId } from "@/lib/domain/identifiers";
import { isUuid } from "@/lib/domain/identifiers";
import type { Authorisation, Challenge } from "@/lib/domain/sca/authorisation";
import type { AuthorisationStore } from "@/lib/domain/sca/authorisation-store";
import { type ScaStatus, statesBefore } from "@/lib/domain/sca/sca-status";
import { toAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { failAuthorisation } from "./fail-authorisation";
import { finaliseAccountConsent } from "./finalise-account-consent";
import { finaliseFundsConsent } from "./finalise-funds-consent";
import { finalisePayment } from "./finalise-payment";

export function authorisationStore(db: Database): AuthorisationStore {
  return {
    find: async (id) => (isUuid(id) ? select(db, eq(authorisation.id, id)) : undefined),
    findByResource: async (kind, resourceId) =>
      isUuid(resourceId)
        ? select(db, and(eq(authorisation.kind, kind), eq(authorisation.resourceId, resourceId)))
        : undefined,
    redirectUrisOf: (tppId, now) => redirectUrisOf(db, tppId, now),
    takeAttempt: (id, attemptsMax, now) => takeAttempt(db, id, attemptsMax, now),
    authenticate: (id, psuId, now) => authenticate(db, id, psuId, now),
    startChallenge: (id, selection, challenge, codesSentMax, now) =>
      startChallenge(db, id, selection, challenge, codesSentMax, now),
    finaliseAccountConsent: (decision) => finaliseAccountConsent(db, decision),
    finaliseFundsConsent: (decision) => finaliseFundsConsent(db, decision),
    finalisePayment: (decision) => finalisePayment(db, decision),
    fail: (failure) => failAuthorisation(db, failure),
  };
}

async function select(db: Database, where: SQL | undefined): Promise<Authorisation | undefined> {
  const [row] = await db.select().from(authorisation).where(where);
  return row && toAuthorisation(row);
}

async function redirectUrisOf(db: Database, tppId: TppId, now: Date): Promise<readonly string[]> {
  const { redirectUri, nokRedirectUri } = authorisation;
  const rows = await db
    .selectDistinct({ uri: sql<string | null>`unnest(array[${redirectUri}, ${nokRedirectUri}])` })
    .from(authorisation)
    .where(and(eq(authorisation.tppId, tppId), open("failed", now)));
  return rows.map(({ uri }) => uri).filter((uri) => uri !== null);
}

async function takeAttempt(
  db: Database,
  id: AuthorisationId,
  attemptsMax: number,
  now: Date,
): Promise<Authorisation | undefined> {
  const [row] = await db
    .update(authorisation)
    .set({ failedAttempts: sql`${authorisation.failedAttempts} + 1` })
    .where(
      and(
        eq(authorisation.id, id),
        open("failed", now),
        lt(authorisation.failedAttempts, attemptsMax),
      ),
    )
    .returning();
  return row && toAuthorisation(row);
}

async function authenticate(
  db: Database,
  id: AuthorisationId,
  psuId: PsuId,
  now: Date,
): Promise<boolean> {
  const status = authorisation.scaStatus;
  const first = inArray(status, statesBefore("psuAuthenticated"));
  const rows = await db
    .update(authorisation)
    .set({
      psuId,
      scaStatus: sql`case when ${first} then 'psuAuthenticated' else ${status} end`,
      failedAttempts: sql`greatest(${authorisation.failedAttempts} - 1, 0)`,
    })
    .where(
      and(
        eq(authorisation.id, id),
        open("failed", now),
        or(isNull(authorisation.psuId), eq(authorisation.psuId, psuId)),
      ),
    )
    .returning({ id: authorisation.id });
  return rows.length === 1;
}

async function startChallenge(
  db: Database,
  id: AuthorisationId,
  selection: readonly AccountId[],
  challenge: Challenge,
  codesSentMax: number,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(authorisation)
    .set({
      scaStatus: "started",
      selection: [...selection],
      codeFingerprint: challenge.codeFingerprint,
      codeExpiresAt: challenge.expiresAt,
      codesSent: sql`${authorisation.codesSent} + 1`,
    })
    .where(
      and(
        eq(authorisation.id, id),
        open("started", now),
        lt(authorisation.codesSent, codesSentMax),
      ),
    )
    .returning({ id: authorisation.id });
  return rows.length === 1;
}

/** Authorisations whose window runs and whose status may still become `to`. */
function open(to: ScaStatus, now: Date): SQL | undefined {
  return and(inArray(authorisation.scaStatus, statesBefore(to)), gt(authorisation.expiresAt, now));
}
