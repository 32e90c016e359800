import { and, asc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import { accountConsent, accountGrant, oidcPayload } from "@/drizzle/schema/drawbridge";
import type { GrantedAccount } from "@/lib/domain/accounts";
import type { AccountConsentDecision } from "@/lib/domain/authorisation";
import {
  type AccountConsent,
  type ConsentStore,
  type ConsentTransition,
  consentMayBecome,
} from "@/lib/domain/consents";
import type {
  AccountId,
  AuthorisationId,
  ConsentId,
  Currency,
  Iban,
  ResourceId,
  TppId,
} from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import {
  closeChallenge,
  endWithAuthorisation,
  lockOpenChallenge,
  startingWith,
} from "./authorisation-rows";
import { atomically, type Database, type Transaction } from "./client";
import { finder, joined, rowInserter } from "./columns";
import { destroyPayloads } from "./oidc";

export function consentStore(db: Database): ConsentStore {
  const one = (name: string, where: SQL | undefined) =>
    finder(consentRows(db, where, 1).prepare(name), ({ consent, grants }) =>
      toConsent(consent, grants),
    );
  const id = sql.placeholder("id");
  const isTpps = eq(accountConsent.tppId, sql.placeholder("tppId"));
  const ofTpp = one("consent_of_tpp", and(eq(accountConsent.id, id), isTpps));
  return {
    insert: (consent, started, openMax) =>
      startingWith(db, started, openMax, (tag) => insertedConsent(tag, consent)),
    find: one("consent_by_id", eq(accountConsent.id, id)),
    findOfTpp: (consentId, tppId) => ofTpp(consentId, { tppId }),
    findByAuthorisation: one("consent_of_authorisation", eq(accountConsent.authorisationId, id)),
    end: (transition) => endConsent(db, transition),
  };
}

const insertedConsent = rowInserter(accountConsent);

/** Throws on a change that the table of states does not know. */
async function endConsent(db: Database, transition: ConsentTransition): Promise<boolean> {
  const { consentId, from, to, on, at, requestId } = transition;
  if (to === "valid" || !consentMayBecome(from, to))
    throw new Error(`no consent ends ${from} to ${to}`);
  return endWithAuthorisation(db, { kind: "AIS", resourceId: consentId, at, requestId }, (tx) =>
    tx
      .update(accountConsent)
      .set({ status: to, lastActionDate: on, endedAt: at })
      .where(and(eq(accountConsent.id, consentId), eq(accountConsent.status, from))),
  );
}

/**
 * Locks in the order of `endWithAuthorisation`, and writes only once every condition holds under the locks. Of
 * two recurring consents of one TPP and PSU that are authorised at once, the unique index refuses the later one,
 * which is tried again and then replaces the earlier one.
 */
export function finaliseAccountConsent(
  db: Database,
  decision: AccountConsentDecision,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const challenge = { ...decision, kind: "AIS", resourceId: decision.consentId } as const;
    const tppId = await lockOpenChallenge(tx, challenge);
    if (tppId === undefined) return false;
    const consents = await lockConsents(tx, tppId, decision);
    const own = consents.find(({ id }) => id === decision.consentId);
    if (own?.status !== "received") return false;
    const older =
      own.recurring && decision.keepsEarlier !== true
        ? consents.filter((consent) => consent !== own)
        : [];
    await expire(tx, older, decision);
    await grant(tx, decision);
    return true;
  });
}

type LockedConsent = {
  readonly id: ConsentId;
  readonly authorisationId: AuthorisationId;
  readonly status: string;
  readonly recurring: boolean;
};

/** This consent and the recurring ones it may replace. */
function lockConsents(
  tx: Transaction,
  tppId: TppId,
  { consentId, psuId }: AccountConsentDecision,
): Promise<readonly LockedConsent[]> {
  const replaceable = and(
    eq(accountConsent.tppId, tppId),
    eq(accountConsent.psuId, psuId),
    eq(accountConsent.status, "valid"),
    eq(accountConsent.recurringIndicator, true),
  );
  return tx
    .select({
      id: accountConsent.id,
      authorisationId: accountConsent.authorisationId,
      status: accountConsent.status,
      recurring: accountConsent.recurringIndicator,
    })
    .from(accountConsent)
    .where(or(eq(accountConsent.id, consentId), replaceable))
    .orderBy(asc(accountConsent.id))
    .for("no key update");
}

/** NextGenPSD2 1.3.12: a recurring consent that is authorised ends the former one of the same TPP. */
async function expire(
  tx: Transaction,
  older: readonly LockedConsent[],
  { on, at }: AccountConsentDecision,
): Promise<void> {
  if (older.length === 0) return;
  const ids = older.map(({ id }) => id);
  const authorisations = older.map(({ authorisationId }) => authorisationId);
  await tx
    .update(accountConsent)
    .set({ status: "expired", lastActionDate: on, endedAt: at })
    .where(inArray(accountConsent.id, ids));
  await destroyPayloads(tx, inArray(oidcPayload.accountId, authorisations));
}

async function grant(tx: Transaction, decision: AccountConsentDecision): Promise<void> {
  const { consentId, psuId, grantedAccounts, keepsEarlier = false, on, at } = decision;
  await closeChallenge(tx, decision);
  await tx
    .update(accountConsent)
    .set({ status: "valid", psuId, authorisedAt: at, lastActionDate: on, sole: !keepsEarlier })
    .where(eq(accountConsent.id, consentId));
  const grants = grantedAccounts.map(({ rights, ...account }, position) => {
    return { ...account, ...rights, consentId, position };
  });
  await tx.insert(accountGrant).values(grants);
}

type ConsentRow = typeof accountConsent.$inferSelect;

/** Consents and the accounts they grant in one query, hence as of one instant; oldest SCA first. */
function consentRows(db: Database, where: SQL | undefined, limit: number) {
  const grants = sql.raw(grantsOf("account_consent.id")).mapWith(toGrants);
  return db
    .select({ consent: accountConsent, grants })
    .from(accountConsent)
    .where(where)
    .orderBy(asc(accountConsent.authorisedAt))
    .limit(limit);
}

export async function selectConsents(
  db: Database,
  where: SQL | undefined,
  limit: number,
): Promise<readonly AccountConsent[]> {
  const rows = await consentRows(db, where, limit);
  return rows.map(({ consent, grants }) => toConsent(consent, grants));
}

/** What the consent of this id grants, in its order, as one value. */
const grantsOf = (
  id: string,
) => `(select coalesce(json_agg(json_build_array(resource_id, account_id, iban, currency,
    balances, transactions, owner_name) order by position), '[]') from account_grant where consent_id = ${id})`;

type Grant = readonly [ResourceId, AccountId, Iban, Currency, boolean, boolean, boolean];

function toGrants(grants: readonly Grant[]): readonly GrantedAccount[] {
  return grants.map(
    ([resourceId, accountId, iban, currency, balances, transactions, ownerName]) => ({
      resourceId,
      accountId,
      iban,
      currency,
      rights: { balances, transactions, ownerName },
    }),
  );
}

function toConsent(row: ConsentRow, grantedAccounts: readonly GrantedAccount[]): AccountConsent {
  const { requestedAccess, endedAt: _, sole: __, ...consent } = row;
  return { ...withoutNulls(consent), requestedAccess, grantedAccounts };
}

const { selection, read } = joined(accountConsent, "consent");

/** With the columns of a left join as `consent`, which are all null when there is none. */
export type ConsentColumns = { readonly grants: readonly Grant[] };

export function consentColumns(sql: postgres.Sql): postgres.Fragment {
  return sql`${sql.unsafe(`${selection}, ${grantsOf("consent.id")} as grants`)}`;
}

export function readConsent(row: ConsentColumns): AccountConsent | undefined {
  const consent = read(row);
  return consent && toConsent(consent, toGrants(row.grants));
}
