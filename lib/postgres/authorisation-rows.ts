import { and, eq, gt, inArray, lte, notExists, type SQL, sql } from "drizzle-orm";
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
import { type GivenTable, type GivenValues, givenStatement, givenTable } from "./statements";
import { inForce } from "./tpps";

const { decidedAt, kind, openSlot, requestId, tppId } = authorisation;

/** An open authorisation holds one of its TPP's slots; `from` has to yield the free one, see `freeSlot`. */
export const authorisations = givenTable(authorisation, {
  column: openSlot,
  value: sql`(select free.slot from free)`,
});

type Slots = Pick<Authorisation, "tppId"> & { readonly openMax: number };

/** How many slots the TPP has, and whose they are. */
export const slots: GivenValues<Slots> = {
  places: ["slots.count", "slots.tppId"],
  values: (of) => [of.openMax, of.tppId],
};

/**
 * The CTEs that a statement begins with whose authorisation needs a slot: `free` has it, or none when the
 * TPP holds all its slots. The first attempt takes one at random and reads nothing, since most are free;
 * where that one is held, or somebody who starts at the same time has taken it, the unique index refuses
 * the statement and the next attempt looks for one that is free, see `choosingAgain`.
 */
export function freeSlot(db: Database, attempt: "first" | "next") {
  const [count, tpp] = slots.places.map((place) => sql.placeholder(place));
  const all = db
    .$with("all_slots", {})
    .as(sql`select ${count}::int as count, ${tpp}::text as of_tpp`);
  const slot = {
    first: sql`floor(random() * count)::int`,
    // At random, so that of many who look at once few choose the same one.
    next: sql`(select slot from generate_series(0, count - 1) slot
      where not exists (select from ${authorisation}
        where ${tppId} = of_tpp and ${openSlot} = slot and ${decidedAt} is null)
      order by random() limit 1)`,
  }[attempt];
  const free = db.$with("free", {}).as(sql`select ${slot} as slot from all_slots`);
  return [all, free] as const;
}

/** For an insert of what needs the slot. */
export const ifFree = sql`from free where free.slot is not null`;

/**
 * Starts an authorisation, and keeps the row of what it is for: both in one statement, or neither. The
 * unique request id decides between two that arrive together, and the later one starts nothing.
 */
export function startingWith<Row>(db: Database, table: GivenTable<Row>) {
  const started = db.$with("started", {}).as(sql`${authorisations.insert(ifFree)}
    on conflict (${namesOf(kind, tppId, requestId)}) do nothing returning id`);
  const kept = db.$with("kept", {}).as(table.insert(sql`from started`));
  const [ofKind, ofTpp, ofRequest] = used.places.map((place) => sql.placeholder(place));
  const outcome = sql<Start>`case when exists (select from started) then 'kept'
    when free.slot is not null or exists (select from ${authorisation}
      where ${kind} = ${ofKind} and ${tppId} = ${ofTpp} and ${requestId} = ${ofRequest}) then 'used'
    else 'full' end`;
  const attempt = (which: "first" | "next") => {
    const statement = db
      .with(...freeSlot(db, which), started, kept)
      .select({ outcome })
      .from(sql`free`);
    return givenStatement(db, statement, [slots, authorisations, table, used]);
  };
  const attempts = { first: attempt("first"), next: attempt("next") };
  return (begun: Authorisation, row: Row, openMax: number): Promise<Start> =>
    choosingAgain(async (which) => {
      const ofTheTpp = { tppId: begun.tppId, openMax };
      const [found] = await attempts[which](ofTheTpp, fromAuthorisation(begun), row, begun);
      return startOf(found?.[0]);
    });
}

const used: GivenValues<Pick<Authorisation, "kind" | "tppId" | "requestId">> = {
  places: ["used.kind", "used.tppId", "used.requestId"],
  values: (by) => [by.kind, by.tppId, by.requestId],
};

function startOf(outcome: unknown): Start {
  if (outcome === "kept" || outcome === "used" || outcome === "full") return outcome;
  throw new Error("a start has no outcome");
}

/** The more of them there are, the fewer slots are left: then it is `full`. */
const ATTEMPTS_MAX = 20;

/** Another slot, when the one that was chosen is held. */
export async function choosingAgain<Result>(
  start: (attempt: "first" | "next") => Promise<Result>,
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

function namesOf(...columns: readonly { readonly name: string }[]): SQL {
  return sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
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
