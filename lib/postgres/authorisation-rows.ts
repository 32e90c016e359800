import { and, eq, gt, inArray, lte, notExists, type SQL, sql } from "drizzle-orm";
import { makePgArray } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import { authorisation, passkeyEvidence, tppBlock } from "@/drizzle/schema/drawbridge";
import {
  type Authorisation,
  type Challenge,
  type Confirmed,
  type FailureReason,
  type PasskeyChallenge,
  type ResourceKind,
  type Start,
  statesBefore,
  type WayBack,
} from "@/lib/domain/authorisation";
import type { AccountId, AuthorisationId, TppId } from "@/lib/domain/values";
import type { Database, Transaction } from "./client";
import { inForce } from "./tpps";

/** The slots of a TPP: an open authorisation holds one of them. */
type Slots = Pick<Authorisation, "tppId"> & { readonly openMax: number };
type Attempt = "first" | "next";

/**
 * A CTE with a slot for an authorisation that starts, or without one when the TPP holds all its slots. The first
 * attempt takes one at random and reads nothing, since most are free; where that one is held, or another request has
 * taken it at the same time, the unique index refuses the statement and the next attempt looks for one that is free,
 * see `choosingAgain`.
 */
export function freeSlot(
  sql: postgres.Sql,
  { tppId, openMax }: Slots,
  attempt: Attempt,
): postgres.Fragment {
  if (attempt === "first")
    return sql`free as (select floor(random() * ${openMax}::int)::int as slot)`;
  // At random, so that of many requests that look at once few choose the same one.
  return sql`free as (select (
    select slot from generate_series(0, ${openMax}::int - 1) slot
    where not exists (select from authorisation
      where tpp_id = ${tppId} and open_slot = slot and decided_at is null)
    order by random() limit 1) as slot)`;
}

/**
 * Starts an authorisation, and keeps the row of what it is for, which `inserted` inserts from `started`: both in one
 * statement, or neither. The unique request id decides between two that arrive together, and the later one starts
 * nothing.
 */
export function startingWith(
  { $client }: Database,
  begun: Authorisation,
  openMax: number,
  inserted: (sql: postgres.Sql) => postgres.Fragment,
): Promise<Start> {
  const { kind, tppId, requestId } = begun;
  return choosingAgain(async (attempt) => {
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
    if (row === undefined) throw new Error("a start has no outcome");
    return row.outcome;
  });
}

/** The more of them there are, the fewer slots are left: then it is `full`. */
const ATTEMPTS_MAX = 20;

/** Another slot, when the one that was chosen is held. */
export async function choosingAgain<Result>(
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

/**
 * Locks the authorisation; yields its TPP only while this PSU's very challenge is the open one and runs,
 * and the bank serves the TPP.
 */
export async function lockOpenChallenge(
  tx: Transaction,
  judged: Judged,
): Promise<TppId | undefined> {
  const block = tx
    .select({ id: tppBlock.id })
    .from(tppBlock)
    .where(and(eq(tppBlock.tppId, authorisation.tppId), inForce(judged.at)));
  const [open] = await tx
    .select({ tppId: authorisation.tppId })
    .from(authorisation)
    .where(
      and(
        eq(authorisation.id, judged.authorisationId),
        eq(authorisation.kind, judged.kind),
        eq(authorisation.resourceId, judged.resourceId),
        eq(authorisation.psuId, judged.psuId),
        isAsked(judged),
        judged.selection && eq(authorisation.selection, [...judged.selection]),
        gt(authorisation.expiresAt, judged.at),
        inArray(authorisation.scaStatus, statesBefore("finalised")),
        notExists(block),
      ),
    )
    .for("no key update");
  return open?.tppId;
}

/** This very challenge is open and runs. */
function isAsked(judged: Confirmed): SQL | undefined {
  const { codeFingerprint, codeExpiresAt, passkeyNonce, passkeyExpiresAt } = authorisation;
  return "codeFingerprint" in judged
    ? and(eq(codeFingerprint, judged.codeFingerprint), gt(codeExpiresAt, judged.at))
    : and(eq(passkeyNonce, judged.passkeyNonce), gt(passkeyExpiresAt, judged.at));
}

/**
 * Whichever was answered, no other can be any more. The attempt is given back: it was no failure. What a
 * passkey has signed is kept with the decision, in the same transaction.
 */
export async function closeChallenge(
  tx: Transaction,
  decision: Confirmed & Pick<Judged, "authorisationId">,
): Promise<void> {
  const { authorisationId, psuId, at } = decision;
  if ("evidence" in decision) {
    const { evidence } = decision;
    await tx.insert(passkeyEvidence).values({ authorisationId, psuId, at, ...evidence });
  }
  await tx
    .update(authorisation)
    .set({
      scaStatus: "finalised",
      failedAttempts: sql`greatest(${authorisation.failedAttempts} - 1, 0)`,
      codeFingerprint: null,
      codeExpiresAt: null,
      passkeyNonce: null,
      passkeyExpiresAt: null,
      decidedAt: at,
    })
    .where(eq(authorisation.id, authorisationId));
}

/** Locks the authorisation of a resource: whoever changes both takes it first. */
export async function lockAuthorisationOf(
  tx: Transaction,
  kind: ResourceKind,
  resourceId: string,
): Promise<AuthorisationId | undefined> {
  const [own] = await tx
    .select({ id: authorisation.id })
    .from(authorisation)
    .where(and(eq(authorisation.kind, kind), eq(authorisation.resourceId, resourceId)))
    .for("no key update");
  return own?.id;
}

type Failing = {
  readonly id: AuthorisationId;
  readonly because: FailureReason;
  readonly at: Date;
};

/** `failed`, and its challenges with it; undefined when it was decided already, or is not over. */
export async function failOpenAuthorisation(tx: Transaction, { id, because, at }: Failing) {
  const [failed] = await tx
    .update(authorisation)
    .set({
      scaStatus: "failed",
      failedBecause: because,
      codeFingerprint: null,
      codeExpiresAt: null,
      passkeyNonce: null,
      passkeyExpiresAt: null,
      decidedAt: at,
    })
    .where(
      and(
        eq(authorisation.id, id),
        inArray(authorisation.scaStatus, statesBefore("failed")),
        // The PSU may have been given more time since somebody saw that the window was over.
        because === "window-over" ? lte(authorisation.expiresAt, at) : undefined,
      ),
    )
    .returning({ kind: authorisation.kind, resourceId: authorisation.resourceId });
  return failed;
}

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

/** Inserts one that starts, in the slot of `free`; where from, the statement says. */
export function insertedAuthorisation(
  sql: postgres.Sql,
  started: Authorisation,
): postgres.Fragment {
  const { wayBack, challenge, passkeyChallenge } = started;
  return sql`
    insert into authorisation (id, kind, resource_id, tpp_id, request_id, body_digest, sca_status, redirect_uri,
      nok_redirect_uri, login_hint, psu_id, failed_attempts, selection, code_fingerprint, code_expires_at, codes_sent,
      passkey_nonce, passkey_expires_at, created_at, failed_because, expires_at, open_slot)
    select ${started.id}, ${started.kind}, ${started.resourceId}, ${started.tppId}, ${started.requestId},
      ${started.bodyDigest ?? null}, ${started.scaStatus}, ${wayBack.redirectUri},
      ${wayBack.nokRedirectUri ?? null}, ${started.loginHint ?? null}, ${started.psuId ?? null},
      ${started.failedAttempts}, ${makePgArray([...started.selection])},
      ${challenge?.codeFingerprint ?? null}, ${challenge?.expiresAt ?? null}, ${started.codesSent},
      ${passkeyChallenge?.nonce ?? null}, ${passkeyChallenge?.expiresAt ?? null}, ${started.createdAt},
      ${started.failedBecause ?? null}, ${started.expiresAt}, (select slot from free)`;
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
