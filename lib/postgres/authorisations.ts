import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { AnyPgColumn, PgUpdateSetSource } from "drizzle-orm/pg-core";
import { accountConsent, authorisation, oidcPayload } from "@/drizzle/schema/drawbridge";
import {
  type ApprovalPoll,
  type Authorisation,
  type AuthorisationStore,
  type Failure,
  type ScaStatus,
  statesBefore,
} from "@/lib/domain/authorisation";
import type {
  AccountId,
  AuthorisationId,
  ConsentId,
  IsoDate,
  PaymentId,
} from "@/lib/domain/values";
import { failOpenAuthorisation, toAuthorisation, withProof } from "./authorisation-rows";
import { noApproval, noChallenge } from "./challenges";
import { atomically, type Database, type Transaction } from "./client";
import { finder } from "./columns";
import { finaliseAccountConsent } from "./consents";
import { finaliseFundsConsent, rejectFundsConsent } from "./funds";
import { destroyPayloads } from "./oidc";
import { finalisePayment, rejectPayment } from "./payments";

export function authorisationStore(db: Database): AuthorisationStore {
  return {
    ...finders(db),
    ...changes(db),
    finaliseAccountConsent: (decision) => finaliseAccountConsent(db, decision),
    finaliseFundsConsent: (decision) => finaliseFundsConsent(db, decision),
    finalisePayment: (decision) => finalisePayment(db, decision),
    fail: (failure) => failAuthorisation(db, failure),
  };
}

const given = (name: "id" | "kind" | "tppId" | "psuId" | "redirectUri" | "now") =>
  sql.placeholder(name);

function finders(db: Database) {
  const { id, kind, resourceId, tppId, requestId, redirectUri, decidedAt, expiresAt } =
    authorisation;
  const ofKind = eq(kind, given("kind"));
  const ofTpp = eq(tppId, given("tppId"));
  const one = (name: string, column: AnyPgColumn, more?: SQL) => {
    const where = and(eq(column, given("id")), more);
    return finder(db.select().from(authorisation).where(where).prepare(name), toAuthorisation);
  };
  const ofResource = one("authorisation_of_resource", resourceId, ofKind);
  const ofRequest = one("authorisation_of_request", requestId, and(ofKind, ofTpp));
  // The provider chooses its ids of requests: they need be no UUID.
  const ofApprovalRequest = db
    .select()
    .from(authorisation)
    .where(eq(authorisation.approvalRequest, given("id")))
    .prepare("authorisation_by_approval");
  const isOpen = and(isNull(decidedAt), gt(expiresAt, sql`${given("now")}::timestamptz`));
  const openRedirectUri = db
    .select({ id })
    .from(authorisation)
    .where(and(ofTpp, eq(redirectUri, given("redirectUri")), isOpen))
    .limit(1)
    .prepare("open_redirect_uri");
  const { authorisedAt, endedAt, status } = accountConsent;
  const ofBoth = [
    eq(accountConsent.tppId, given("tppId")),
    eq(accountConsent.psuId, given("psuId")),
  ];
  const lastRevoked = db
    .select({ at: max(endedAt) })
    .from(accountConsent)
    .where(and(...ofBoth, eq(status, "revokedByPsu")));
  const earlier = db
    .select({ selection: authorisation.selection })
    .from(accountConsent)
    .innerJoin(authorisation, eq(id, accountConsent.authorisationId))
    .where(and(...ofBoth, gt(authorisedAt, sql`coalesce(${lastRevoked}, '-infinity')`)))
    .orderBy(desc(authorisedAt))
    .limit(1)
    .prepare("earlier_selection");
  return {
    find: one("authorisation_by_id", id),
    findByResource: (kind, resource) => ofResource(resource, { kind }),
    findByApprovalRequest: async (request) => {
      const [row] = await ofApprovalRequest.execute({ id: request });
      return row && toAuthorisation(row);
    },
    findByRequest: (kind, tppId, request) => ofRequest(request, { kind, tppId }),
    earlierSelection: async (ofTppId, psuId) => {
      const [row] = await earlier.execute({ tppId: ofTppId, psuId });
      return row?.selection ?? [];
    },
    isOpenRedirectUri: async (tppId, redirectUri, now) => {
      const found = await openRedirectUri.execute({ tppId, redirectUri, now: now.toISOString() });
      return found.length > 0;
    },
  } satisfies Partial<AuthorisationStore>;
}

/** Each is one conditional update; `failed` may follow every open state. */
function changes(db: Database) {
  const { scaStatus, psuId, failedAttempts, selection, expiresAt } = authorisation;
  const { codesSent, codesUndelivered, codeFingerprint, codeExpiresAt } = authorisation;
  const { linkHash, approvalNonce, approvalRequest, approvalPollAt } = authorisation;
  /** What is open for something else, as another selection, ends. */
  const kept = (chosen: readonly AccountId[], linked: string) => {
    const same = and(eq(selection, [...chosen]), eq(linkHash, linked));
    const keptIf = (name: keyof typeof nothingOpen) =>
      [name, sql`case when ${same} then ${authorisation[name]} end`] as const;
    const names = Object.keys(nothingOpen) as (keyof typeof nothingOpen)[];
    return { linkHash: linked, ...Object.fromEntries(names.map(keptIf)) } satisfies Values;
  };
  /** One code, or request to the app, more. */
  const counted = (chosen: readonly AccountId[], linked: string) =>
    ({
      ...kept(chosen, linked),
      scaStatus: "started",
      selection: [...chosen],
      codesSent: sql`${codesSent} + 1`,
    }) satisfies Values;
  const isLastPoll = ({ nonce, pollAt }: ApprovalPoll) =>
    and(eq(approvalNonce, nonce), eq(approvalPollAt, pollAt));
  const takenBack = sql`greatest(${failedAttempts} - 1, 0)`;
  const uncounted = (undeliveredMax: number) => ({
    codesSent: sql`case when ${codesUndelivered} < ${undeliveredMax}
      then ${codesSent} - 1 else ${codesSent} end`,
    codesUndelivered: sql`${codesUndelivered} + 1`,
  });
  const changed = async (id: AuthorisationId, to: ScaStatus, now: Date, change: Change) =>
    (await updateOpen(db, id, to, now, change)) !== undefined;
  return {
    takeAttempt: (id, attemptsMax, now) =>
      updateOpen(db, id, "failed", now, {
        set: { failedAttempts: sql`${failedAttempts} + 1` },
        onlyIf: lt(failedAttempts, attemptsMax),
      }),

    giveBackAttempt: async (id, now) => {
      await updateOpen(db, id, "failed", now, { set: { failedAttempts: takenBack } });
    },

    authenticate: (id, psu, now, proof = { means: "password" }) => {
      const first = inArray(scaStatus, statesBefore("psuAuthenticated"));
      const set = {
        psuId: psu,
        scaStatus: sql`case when ${first} then 'psuAuthenticated' else ${scaStatus} end`,
        failedAttempts: proof.means === "password" ? takenBack : failedAttempts,
        proofs: withProof({ element: "login", ...proof, at: now }),
      };
      const onlyIf = or(isNull(psuId), eq(psuId, psu));
      return changed(id, "failed", now, { set, onlyIf });
    },

    select: (id, chosen, now, only) => {
      const ended = { ...nothingOpen, linkHash: null };
      const set: Values = { scaStatus: "started", selection: [...chosen], ...ended };
      const onlyIf = only && sql`${linkHash} is not distinct from ${only.linkHash ?? null}::text`;
      return changed(id, "started", now, { set, onlyIf });
    },

    startPasskeyChallenge: (id, shown, { nonce, expiresAt, linkHash: linked }, now) => {
      const set = { ...kept(shown, linked), passkeyNonce: nonce, passkeyExpiresAt: expiresAt };
      const onlyIf = and(eq(scaStatus, "started"), eq(selection, [...shown]));
      return changed(id, "started", now, { set, onlyIf });
    },

    startChallenge: (id, chosen, challenge, codesSentMax, now) => {
      const { codeFingerprint: fingerprint, expiresAt: codeEnd, linkHash: linked } = challenge;
      const set = {
        ...counted(chosen, linked),
        codeFingerprint: fingerprint,
        codeExpiresAt: codeEnd,
      };
      const onlyIf = lt(codesSent, codesSentMax);
      return changed(id, "started", now, { set, onlyIf });
    },

    countAppRequest: (id, chosen, linked, codesSentMax, now) => {
      const set = counted(chosen, linked);
      return changed(id, "started", now, { set, onlyIf: lt(codesSent, codesSentMax) });
    },

    uncountAppRequest: async (id, undeliveredMax, now) => {
      await updateOpen(db, id, "failed", now, { set: uncounted(undeliveredMax) });
    },

    startApproval: (id, shown, { nonce, expiresAt, request, linkHash: linked }, now) => {
      const set = {
        ...kept(shown, linked),
        approvalNonce: nonce,
        approvalExpiresAt: expiresAt,
        approvalRequest: request?.id ?? null,
        approvalPollAt: request?.pollAt ?? null,
      };
      const onlyIf = and(eq(scaStatus, "started"), eq(selection, [...shown]));
      return changed(id, "started", now, { set, onlyIf });
    },

    takeApprovalPoll: (id, { nonce, pollAt, isNotified }, now) => {
      const isDue = isNotified ? isNotNull(approvalRequest) : lte(approvalPollAt, now);
      const onlyIf = and(eq(approvalNonce, nonce), isDue);
      return changed(id, "started", now, { set: { approvalPollAt: pollAt }, onlyIf });
    },

    postponeApprovalPoll: async (id, poll, until, now) => {
      const onlyIf = isLastPoll(poll);
      await updateOpen(db, id, "started", now, { set: { approvalPollAt: until }, onlyIf });
    },

    endApproval: async (id, poll, now) => {
      await updateOpen(db, id, "started", now, { set: noApproval, onlyIf: isLastPoll(poll) });
    },

    /** A newer code stays. */
    withdrawCode: async (id, fingerprint, undeliveredMax, now) => {
      const isThis = eq(codeFingerprint, fingerprint);
      const set = {
        codeFingerprint: sql`case when ${isThis} then null else ${codeFingerprint} end`,
        codeExpiresAt: sql`case when ${isThis} then null else ${codeExpiresAt} end`,
        ...uncounted(undeliveredMax),
      };
      await updateOpen(db, id, "failed", now, { set });
    },

    /** Only while it runs: what the sweep is about to end is not brought back. */
    extendWindow: (id, until, now) =>
      updateOpen(db, id, "failed", now, {
        set: { expiresAt: sql`greatest(${expiresAt}, ${sql.param(until, expiresAt)})` },
      }),
  } satisfies Partial<AuthorisationStore>;
}

const nothingOpen = { ...noChallenge, ...noApproval };

type Values = PgUpdateSetSource<typeof authorisation>;
type Change = { readonly set: Values; readonly onlyIf?: SQL | undefined };

/** Changes an authorisation whose window runs and whose status may still become `to`. */
async function updateOpen(
  db: Database,
  id: AuthorisationId,
  to: ScaStatus,
  now: Date,
  { set, onlyIf }: Change,
): Promise<Authorisation | undefined> {
  const isOpen = and(
    inArray(authorisation.scaStatus, statesBefore(to)),
    gt(authorisation.expiresAt, now),
  );
  const [row] = await db
    .update(authorisation)
    .set(set)
    .where(and(eq(authorisation.id, id), isOpen, onlyIf))
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
