import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import type { AuthorisationId, PsuId } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { AuthorisationStore } from "@/lib/domain/sca/authorisation-store";
import { statesBefore } from "@/lib/domain/sca/sca-status";
import { toAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { extendWindow } from "./extend-window";
import { failAuthorisation } from "./fail-authorisation";
import { finaliseAccountConsent } from "./finalise-account-consent";
import { finaliseFundsConsent } from "./finalise-funds-consent";
import { finalisePayment } from "./finalise-payment";
import { findingAuthorisations } from "./find-authorisation";
import { isOpen } from "./is-open";
import { startingChallenges } from "./start-challenge";
import { withdrawCode } from "./withdraw-code";

export function authorisationStore(db: Database): AuthorisationStore {
  return {
    ...findingAuthorisations(db),
    takeAttempt: (id, attemptsMax, now) => takeAttempt(db, id, attemptsMax, now),
    authenticate: (id, psuId, now) => authenticate(db, id, psuId, now),
    ...startingChallenges(db),
    withdrawCode: (id, codeFingerprint, undeliveredMax, now) =>
      withdrawCode(db, { id, codeFingerprint, undeliveredMax, now }),
    extendWindow: (id, until, now) => extendWindow(db, id, until, now),
    finaliseAccountConsent: (decision) => finaliseAccountConsent(db, decision),
    finaliseFundsConsent: (decision) => finaliseFundsConsent(db, decision),
    finalisePayment: (decision) => finalisePayment(db, decision),
    fail: (failure) => failAuthorisation(db, failure),
  };
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
        isOpen("failed", now),
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
        isOpen("failed", now),
        or(isNull(authorisation.psuId), eq(authorisation.psuId, psuId)),
      ),
    )
    .returning({ id: authorisation.id });
  return rows.length === 1;
}
