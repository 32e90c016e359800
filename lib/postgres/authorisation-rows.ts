import { and, eq, gt, inArray, lte, notExists, sql } from "drizzle-orm";
import type postgres from "postgres";
import {
  approvalEvidence,
  authorisation,
  oidcPayload,
  optOut,
  passkeyEvidence,
  tppBlock,
} from "@/drizzle/schema/drawbridge";
import {
  type Authorisation,
  type Confirmed,
  type Failure,
  type LoginProof,
  type ProvedByProvider,
  type ResourceKind,
  type Start,
  statesBefore,
} from "@/lib/domain/authorisation";
import { permissionOf } from "@/lib/domain/opt-outs";
import type { AccountId, AuthorisationId, RequestId, TppId } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import { isOpenIn, noApproval, noChallenge, toApproval, toChallenges } from "./challenges";
import { atomically, type Database, type Transaction } from "./client";
import { rowInserter } from "./columns";
import { destroyPayloads } from "./oidc";
import { refusing } from "./opt-outs";
import { inForce } from "./tpps";

/** The slots of a TPP: an open authorisation holds one of them. */
type Slots = Pick<Authorisation, "tppId"> & { readonly openMax: number };
type Attempt = "first" | "next";

/**
 * A CTE with a slot for a new authorisation, null when the TPP holds all its slots. The first attempt takes one at
 * random and reads nothing, since most are free. If it is held, the unique index refuses the statement, and the next
 * attempt looks for a free one: see `retryingSlots`.
 */
export function freeSlot(
  sql: postgres.Sql,
  { tppId, openMax }: Slots,
  attempt: Attempt,
): postgres.Fragment {
  if (attempt === "first")
    return sql`free as (select floor(random() * ${openMax}::int)::int as slot)`;
  // At random, so that few of many concurrent requests choose the same one.
  return sql`free as (select (
    select slot from generate_series(0, ${openMax}::int - 1) slot
    where not exists (select from authorisation
      where tpp_id = ${tppId} and open_slot = slot and decided_at is null)
    order by random() limit 1) as slot)`;
}

/**
 * Starts an authorisation and inserts its resource, which `inserted` selects from `started`, in one statement. The
 * unique request id decides between two concurrent requests; the later one starts nothing.
 */
export function startingWith(
  { $client }: Database,
  begun: Authorisation,
  openMax: number,
  inserted: (sql: postgres.Sql) => postgres.Fragment,
): Promise<Start> {
  const { kind, tppId, requestId } = begun;
  return retryingSlots(async (attempt) => {
    const [row] = await $client.run(
      (sql) => sql<{ outcome: Start }[]>`
        with ${freeSlot(sql, { tppId, openMax }, attempt)},
        started as (
          ${insertedAuthorisation(sql, begun)} from free where slot is not null
          on conflict (kind, tpp_id, request_id) do nothing returning id
        ),
        kept as (${inserted(sql)} from started)
        select case when exists (select from started) then 'kept'
          when slot is not null or exists (select from authorisation
            where kind = ${kind} and tpp_id = ${tppId} and request_id = ${requestId}) then 'used'
          else 'full' end as outcome from free`,
    );
    if (row === undefined) throw new Error("a start without an outcome");
    return row.outcome;
  });
}

const ATTEMPTS_MAX = 20;

/** Retries with another slot when the chosen one is held. */
export async function retryingSlots<Result>(
  start: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(attempt === 1 ? "first" : "next");
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isSlotTaken(error)) throw error;
    }
  }
}

function isSlotTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("constraint_name" in error) return error.constraint_name === "authorisation_open_slot";
  return isSlotTaken(error.cause);
}

type Judged = Confirmed & {
  readonly authorisationId: AuthorisationId;
  readonly kind: ResourceKind;
  readonly resourceId: string;
  /** The accounts that were shown, where the decision is about these alone. */
  readonly selection?: readonly AccountId[];
};

/** Locks the authorisation; yields its TPP only if this PSU's challenge is open and neither bank nor PSU refuses the TPP. */
export async function lockOpenChallenge(
  tx: Transaction,
  judged: Judged,
): Promise<TppId | undefined> {
  const block = tx
    .select({ id: tppBlock.id })
    .from(tppBlock)
    .where(and(eq(tppBlock.tppId, authorisation.tppId), inForce(judged.at)));
  const refusal = tx
    .select({ id: optOut.id })
    .from(optOut)
    .where(refusing(judged.psuId, permissionOf[judged.kind], sql`${authorisation.tppId}`));
  const [open] = await tx
    .select({ tppId: authorisation.tppId })
    .from(authorisation)
    .where(
      and(
        eq(authorisation.id, judged.authorisationId),
        eq(authorisation.kind, judged.kind),
        eq(authorisation.resourceId, judged.resourceId),
        eq(authorisation.psuId, judged.psuId),
        isOpenIn(authorisation, judged, judged.at),
        judged.selection && eq(authorisation.selection, [...judged.selection]),
        gt(authorisation.expiresAt, judged.at),
        inArray(authorisation.scaStatus, statesBefore("finalised")),
        notExists(block),
        notExists(refusal),
      ),
    )
    .for("no key update");
  return open?.tppId;
}

/**
 * Ends all challenges, and takes the attempt off the count again, which an approval by the identity provider did not
 * take. A passkey's signature and the provider's ID token are kept with the decision.
 */
export async function closeChallenge(
  tx: Transaction,
  decision: Confirmed & Pick<Judged, "authorisationId">,
): Promise<void> {
  const { authorisationId, psuId, at } = decision;
  if ("passkeyNonce" in decision) {
    const { evidence } = decision;
    await tx.insert(passkeyEvidence).values({ authorisationId, psuId, at, ...evidence });
  }
  if ("approvalNonce" in decision) {
    const { means, text, idToken } = decision.evidence;
    const evidence = { means, text, idToken };
    await tx.insert(approvalEvidence).values({ authorisationId, psuId, at, ...evidence });
  }
  const taken = "approvalNonce" in decision ? 0 : 1;
  await tx
    .update(authorisation)
    .set({
      scaStatus: "finalised",
      failedAttempts: sql`greatest(${authorisation.failedAttempts} - ${taken}, 0)`,
      ...noChallenge,
      ...noApproval,
      proofs: withProof({ element: "confirmation", ...proofOf(decision), at }),
      decidedAt: at,
    })
    .where(eq(authorisation.id, authorisationId));
}

function proofOf(decision: Confirmed): LoginProof | ConfirmationProof {
  if ("passkeyNonce" in decision) return { means: "passkey" };
  if (!("approvalNonce" in decision)) return { means: "code" };
  const { means, acr, amr, authTime } = decision.evidence;
  return { means, acr, amr, authTime };
}

type ConfirmationProof = ProvedByProvider & {
  readonly means: "ciba" | "code" | "oidc" | "passkey";
};
type ProofToKeep = (LoginProof | ConfirmationProof) & {
  readonly element: "login" | "confirmation";
  readonly at: Date;
};

/** What was proved is added to what was proved before. */
export function withProof(proof: ProofToKeep) {
  return sql`${authorisation.proofs} || ${JSON.stringify([proof])}::jsonb`;
}

type Ended = {
  readonly kind: ResourceKind;
  readonly resourceId: string;
  readonly at: Date;
  /** By which the TPP ends it; its events name it. */
  readonly requestId: RequestId | undefined;
};

/**
 * Ends a consent by `end`, and then its authorisation and tokens. Locks in the order of all transactions here: the
 * authorisation, consents by id, payloads. False when `end` changes no row.
 */
export function endWithAuthorisation(
  db: Database,
  { kind, resourceId, at, requestId }: Ended,
  end: (tx: Transaction) => PromiseLike<{ readonly count: number }>,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const [own] = await tx
      .select({ id: authorisation.id })
      .from(authorisation)
      .where(and(eq(authorisation.kind, kind), eq(authorisation.resourceId, resourceId)))
      .for("no key update");
    if (own === undefined) return false;
    if (requestId !== undefined)
      await tx.execute(sql`select set_config('drawbridge.request', ${requestId}, true)`);
    if ((await end(tx)).count === 0) return false;
    await failOpenAuthorisation(tx, { id: own.id, because: "withdrawn-by-tpp", at });
    await destroyPayloads(tx, eq(oidcPayload.accountId, own.id));
    return true;
  });
}

/** Undefined when it was decided already, or its window is not over. */
export async function failOpenAuthorisation(
  tx: Transaction,
  { id, because, at }: Omit<Failure, "on">,
) {
  const [failed] = await tx
    .update(authorisation)
    .set({
      scaStatus: "failed",
      failedBecause: because,
      ...noChallenge,
      ...noApproval,
      decidedAt: at,
    })
    .where(
      and(
        eq(authorisation.id, id),
        inArray(authorisation.scaStatus, statesBefore("failed")),
        // The PSU may have been given more time since the window was found to be over.
        because === "window-over" ? lte(authorisation.expiresAt, at) : undefined,
      ),
    )
    .returning({ kind: authorisation.kind, resourceId: authorisation.resourceId });
  return failed;
}

export function toAuthorisation(row: typeof authorisation.$inferSelect): Authorisation {
  const { redirectUri, nokRedirectUri, bodyDigest, loginHint, acceptLanguage, psuId } = row;
  const { linkHash, failedBecause } = row;
  const { notificationUri: uri, notificationContent: content } = row;
  return {
    id: row.id,
    kind: row.kind,
    resourceId: row.resourceId,
    tppId: row.tppId,
    requestId: row.requestId,
    scaStatus: row.scaStatus,
    redirectUris: withoutNulls({ redirectUri, nokRedirectUri }),
    ...(uri !== null && content !== null && { notification: { uri, content } }),
    failedAttempts: row.failedAttempts,
    selection: row.selection,
    ...toChallenges(row),
    ...toApproval(row),
    codesSent: row.codesSent,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    ...withoutNulls({ bodyDigest, loginHint, acceptLanguage, psuId, linkHash, failedBecause }),
  };
}

const insertedRow = rowInserter(authorisation);

/** Inserts it in the slot of `free`; the statement it is part of adds the FROM. */
export function insertedAuthorisation(
  sql: postgres.Sql,
  {
    redirectUris,
    notification,
    challenge,
    passkeyChallenge,
    approval,
    selection,
    ...started
  }: Authorisation,
): postgres.Fragment {
  return insertedRow(sql, {
    ...started,
    ...redirectUris,
    notificationUri: notification?.uri,
    notificationContent: notification && [...notification.content],
    selection: [...selection],
    codeFingerprint: challenge?.codeFingerprint,
    codeExpiresAt: challenge?.expiresAt,
    passkeyNonce: passkeyChallenge?.nonce,
    passkeyExpiresAt: passkeyChallenge?.expiresAt,
    approvalNonce: approval?.nonce,
    approvalExpiresAt: approval?.expiresAt,
    openSlot: sql`(select slot from free)`,
  });
}
