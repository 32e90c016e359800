import { and, eq, gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { accountConsent, authorisation, oidcPayload } from "@/drizzle/schema/drawbridge";
import {
  type Authorisation,
  type AuthorisationStore,
  type Failure,
  type ScaStatus,
  statesBefore,
} from "@/lib/domain/authorisation";
import {
  type AuthorisationId,
  type ConsentId,
  type IsoDate,
  isUuid,
  type PaymentId,
  type PsuId,
} from "@/lib/domain/values";
import { failOpenAuthorisation, toAuthorisation } from "./authorisation-rows";
import { atomically, type Database, type Transaction } from "./client";
import { finaliseAccountConsent } from "./consents";
import { finaliseFundsConsent, rejectFundsConsent } from "./funds";
import { destroyPayloads } from "./oidc";
import { finalisePayment, rejectPayment } from "./payments";

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

type Finding = Pick<
  AuthorisationStore,
  "find" | "findByResource" | "findByRequest" | "isOpenRedirectUri"
>;

const { id, kind, resourceId, tppId, requestId, redirectUri, decidedAt, expiresAt } = authorisation;
const given = (name: "uuid" | "kind" | "tppId" | "redirectUri" | "now") => sql.placeholder(name);

/** An id that is no UUID names no authorisation: it is answered like any other unknown one. */
function findingAuthorisations(db: Database): Finding {
  const one = (name: string, where: SQL | undefined) => {
    const statement = db.select().from(authorisation).where(where).prepare(name);
    return async (
      uuid: string,
      more: { readonly kind?: string; readonly tppId?: string } = {},
    ): Promise<Authorisation | undefined> => {
      if (!isUuid(uuid)) return undefined;
      const [row] = await statement.execute({ uuid, ...more });
      return row && toAuthorisation(row);
    };
  };
  const ofKind = and(eq(kind, given("kind")), eq(resourceId, given("uuid")));
  const ofResource = one("authorisation_of_resource", ofKind);
  const ofTpp = and(eq(kind, given("kind")), eq(tppId, given("tppId")));
  const ofRequest = one("authorisation_of_request", and(ofTpp, eq(requestId, given("uuid"))));
  const openRedirectUri = openRedirectUriStatement(db);
  return {
    find: one("authorisation_by_id", eq(id, given("uuid"))),
    findByResource: (resourceKind, resource) => ofResource(resource, { kind: resourceKind }),
    findByRequest: (resourceKind, tpp, request) =>
      ofRequest(request, { kind: resourceKind, tppId: tpp }),
    isOpenRedirectUri: async (tpp, uri, now) => {
      const asked = { tppId: tpp, redirectUri: uri, now: now.toISOString() };
      return (await openRedirectUri.execute(asked)).length > 0;
    },
  };
}

function openRedirectUriStatement(db: Database) {
  const isItsOwn = and(eq(tppId, given("tppId")), eq(redirectUri, given("redirectUri")));
  const isOpen = and(isNull(decidedAt), gt(expiresAt, sql`${given("now")}::timestamptz`));
  return db
    .select({ id })
    .from(authorisation)
    .where(and(isItsOwn, isOpen))
    .limit(1)
    .prepare("open_redirect_uri");
}

const {
  id: startChallengeId,
  scaStatus,
  selection,
  codesSent,
  passkeyNonce,
  passkeyExpiresAt,
} = authorisation;

type Starting = Pick<AuthorisationStore, "select" | "startChallenge" | "startPasskeyChallenge">;

/** What the PSU is asked to prove; each is one conditional update. */
function startingChallenges(db: Database): Starting {
  return {
    select: async (which, chosen, now) => {
      const rows = await db
        .update(authorisation)
        .set({
          scaStatus: "started",
          selection: [...chosen],
          codeFingerprint: null,
          codeExpiresAt: null,
          passkeyNonce: null,
          passkeyExpiresAt: null,
        })
        .where(and(eq(startChallengeId, which), isOpen("started", now)))
        .returning({ id: startChallengeId });
      return rows.length === 1;
    },

    startPasskeyChallenge: async (which, shown, { nonce, expiresAt }, now) => {
      const rows = await db
        .update(authorisation)
        .set({ passkeyNonce: nonce, passkeyExpiresAt: expiresAt })
        .where(
          and(
            eq(startChallengeId, which),
            eq(scaStatus, "started"),
            eq(selection, [...shown]),
            gt(authorisation.expiresAt, now),
          ),
        )
        .returning({ id: startChallengeId });
      return rows.length === 1;
    },

    startChallenge: async (which, chosen, challenge, codesSentMax, now) => {
      // A passkey that was asked for something else is asked for nothing any more.
      const same = eq(selection, [...chosen]);
      const rows = await db
        .update(authorisation)
        .set({
          scaStatus: "started",
          selection: [...chosen],
          codeFingerprint: challenge.codeFingerprint,
          codeExpiresAt: challenge.expiresAt,
          codesSent: sql`${codesSent} + 1`,
          passkeyNonce: sql`case when ${same} then ${passkeyNonce} end`,
          passkeyExpiresAt: sql`case when ${same} then ${passkeyExpiresAt} end`,
        })
        .where(
          and(eq(startChallengeId, which), isOpen("started", now), lt(codesSent, codesSentMax)),
        )
        .returning({ id: startChallengeId });
      return rows.length === 1;
    },
  };
}

const {
  id: withdrawCodeId,
  codeFingerprint,
  codeExpiresAt,
  codesSent: withdrawCodeCodesSent,
  codesUndelivered,
} = authorisation;

type Withdrawn = {
  readonly id: AuthorisationId;
  readonly codeFingerprint: string;
  readonly undeliveredMax: number;
  readonly now: Date;
};

/** A newer code that is under way by now stays. */
async function withdrawCode(db: Database, withdrawn: Withdrawn): Promise<void> {
  const isThis = eq(codeFingerprint, withdrawn.codeFingerprint);
  await db
    .update(authorisation)
    .set({
      codeFingerprint: sql`case when ${isThis} then null else ${codeFingerprint} end`,
      codeExpiresAt: sql`case when ${isThis} then null else ${codeExpiresAt} end`,
      codesSent: sql`case when ${codesUndelivered} < ${withdrawn.undeliveredMax}
        then ${withdrawCodeCodesSent} - 1 else ${withdrawCodeCodesSent} end`,
      codesUndelivered: sql`${codesUndelivered} + 1`,
    })
    .where(and(eq(withdrawCodeId, withdrawn.id), isOpen("failed", withdrawn.now)));
}

const { id: extendWindowId, expiresAt: extendWindowExpiresAt } = authorisation;

/** Only while it runs: what the sweep is about to end is not brought back. */
async function extendWindow(
  db: Database,
  which: AuthorisationId,
  until: Date,
  now: Date,
): Promise<Authorisation | undefined> {
  const [row] = await db
    .update(authorisation)
    .set({
      expiresAt: sql`greatest(${extendWindowExpiresAt}, ${sql.param(until, extendWindowExpiresAt)})`,
    })
    .where(and(eq(extendWindowId, which), isOpen("failed", now)))
    .returning();
  return row && toAuthorisation(row);
}

/** Locks the authorisation first, then its consent: the order of `endConsent`. */
function failAuthorisation(db: Database, { id, because, on, at }: Failure): Promise<boolean> {
  return atomically(db, async (tx) => {
    const failed = await failOpenAuthorisation(tx, { id, because, at });
    if (failed === undefined) return false;
    const { kind, resourceId } = failed;
    if (kind === "AIS") await rejectConsent(tx, resourceId as ConsentId, on, at);
    if (kind === "PIIS") await rejectFundsConsent(tx, resourceId as ConsentId, at);
    if (kind === "PIS") await rejectPayment(tx, resourceId as PaymentId, because, at);
    await destroyPayloads(tx, eq(oidcPayload.accountId, id));
    return true;
  });
}

async function rejectConsent(tx: Transaction, id: ConsentId, on: IsoDate, at: Date): Promise<void> {
  await tx
    .update(accountConsent)
    .set({ status: "rejected", lastActionDate: on, endedAt: at })
    .where(and(eq(accountConsent.id, id), eq(accountConsent.status, "received")));
}

/** Authorisations whose window runs and whose status may still become `to`. */
function isOpen(to: ScaStatus, now: Date | SQL): SQL | undefined {
  return and(inArray(authorisation.scaStatus, statesBefore(to)), gt(authorisation.expiresAt, now));
}
