import { asc, eq, type SQL, sql } from "drizzle-orm";
import { accountConsent, accountGrant } from "@/drizzle/schema";
import type { AccountConsent, GrantedAccount } from "@/lib/domain/consent/account-consent";
import type { ConsentId } from "@/lib/domain/identifiers";
import type { Database } from "./client";

type ConsentRow = typeof accountConsent.$inferSelect;
type GrantRow = typeof accountGrant.$inferInsert;

export async function selectConsent(
  db: Database,
  where: SQL | undefined,
): Promise<AccountConsent | undefined> {
  const [consent] = await selectConsents(db, where, 1);
  return consent;
}

/** Reads consents and the accounts they grant in one query, hence as of one instant; oldest SCA first. */
export async function selectConsents(
  db: Database,
  where: SQL | undefined,
  limit: number,
): Promise<readonly AccountConsent[]> {
  const grants = db
    .select({ list: grantList.as("list") })
    .from(accountGrant)
    .where(eq(accountGrant.consentId, accountConsent.id))
    .as("grants");
  const rows = await db
    .select({ consent: accountConsent, grantedAccounts: grants.list })
    .from(accountConsent)
    .crossJoinLateral(grants)
    .where(where)
    .orderBy(asc(accountConsent.authorisedAt))
    .limit(limit);
  return rows.map(({ consent, grantedAccounts }) => toConsent(consent, grantedAccounts));
}

const grantList = sql<readonly GrantedAccount[]>`coalesce(json_agg(json_build_object(
  'resourceId', ${accountGrant.resourceId},
  'accountId', ${accountGrant.accountId},
  'iban', ${accountGrant.iban},
  'currency', ${accountGrant.currency},
  'rights', json_build_object(
    'balances', ${accountGrant.balances},
    'transactions', ${accountGrant.transactions},
    'ownerName', ${accountGrant.ownerName}
  )
) order by ${accountGrant.position}), '[]')`;

function toConsent(row: ConsentRow, grantedAccounts: readonly GrantedAccount[]): AccountConsent {
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
    ...(row.psuId !== null && { psuId: row.psuId }),
    ...(row.authorisedAt !== null && { authorisedAt: row.authorisedAt }),
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
