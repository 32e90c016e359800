import { asc, type SQL, sql } from "drizzle-orm";
import { accountConsent, accountGrant } from "@/drizzle/schema/drawbridge";
import type { AccountConsent, GrantedAccount } from "@/lib/domain/consent/account-consent";
import type { ConsentId } from "@/lib/domain/identifiers";
import type { Database } from "./client";

type ConsentRow = typeof accountConsent.$inferSelect;
type GrantRow = typeof accountGrant.$inferInsert;

/** Consents and the accounts they grant in one query, hence as of one instant; oldest SCA first. */
export function consentRows(db: Database, where: SQL | undefined, limit: number) {
  return db
    .select({
      consent: accountConsent,
      grants: sql`${grantsOf(accountConsent.id)}`.mapWith(toGrants),
    })
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

/** What a consent grants, in its order, as one value. */
export function grantsOf(id: typeof accountConsent.id): SQL<readonly GrantedAccount[]> {
  const { resourceId, accountId, iban, currency, balances, transactions, ownerName } = accountGrant;
  return sql`(select coalesce(json_agg(json_build_array(${resourceId}, ${accountId}, ${iban}, ${currency},
    ${balances}, ${transactions}, ${ownerName}) order by ${accountGrant.position}), '[]')
  from ${accountGrant} where ${accountGrant.consentId} = ${id})`.mapWith(toGrants);
}

type Grant = readonly [
  resourceId: GrantedAccount["resourceId"],
  accountId: GrantedAccount["accountId"],
  iban: GrantedAccount["iban"],
  currency: GrantedAccount["currency"],
  balances: boolean,
  transactions: boolean,
  ownerName: boolean,
];

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

export function toConsent(
  row: ConsentRow,
  grantedAccounts: readonly GrantedAccount[],
): AccountConsent {
  return {
    id: row.id,
    tppId: row.tppId,
    authorisationId: row.authorisationId,
    status: row.status,
    requestedAccess: row.requestedAccess,
    access: row.access,
    recurringIndicator: row.recurringIndicator,
    validUntil: row.validUntil,
    frequencyPerDay: row.frequencyPerDay,
    createdAt: row.createdAt,
    lastActionDate: row.lastActionDate,
    psuId: row.psuId ?? undefined,
    authorisedAt: row.authorisedAt ?? undefined,
    grantedAccounts,
  };
}

export function fromConsent(consent: AccountConsent): typeof accountConsent.$inferInsert {
  return {
    id: consent.id,
    tppId: consent.tppId,
    authorisationId: consent.authorisationId,
    status: consent.status,
    requestedAccess: consent.requestedAccess,
    access: consent.access,
    recurringIndicator: consent.recurringIndicator,
    validUntil: consent.validUntil,
    frequencyPerDay: consent.frequencyPerDay,
    createdAt: consent.createdAt,
    lastActionDate: consent.lastActionDate,
    psuId: consent.psuId,
    authorisedAt: consent.authorisedAt,
  };
}

export function fromGrants(consentId: ConsentId, grants: readonly GrantedAccount[]): GrantRow[] {
  return grants.map(({ resourceId, accountId, iban, currency, rights }, position) => ({
    resourceId,
    consentId,
    accountId,
    position,
    iban,
    currency,
    balances: rights.balances,
    transactions: rights.transactions,
    ownerName: rights.ownerName,
  }));
}
