import { randomUUID } from "node:crypto";
import { and, eq, max } from "drizzle-orm";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { accountOwner } from "../../../drizzle/schema/ledger/account-owner";
import type { LedgerTransaction } from "../ledger/database";
import type { Statement } from "./statement";
import { refuse } from "./statement-error";

export type OpenedAccount = { readonly id: AccountId; readonly isNew: boolean };

/**
 * The account of a statement, opened for the owner when the ledger does not have it. From here on no
 * other import changes it before this one ends: who opens it holds it, who finds it locks it. Refuses
 * an account that is closed or somebody else's.
 */
export async function openAccount(
  tx: LedgerTransaction,
  statement: Statement,
  ownerId: PsuId,
): Promise<OpenedAccount> {
  const opened = await insertAccount(tx, statement, ownerId);
  return opened ? { id: opened, isNew: true } : lockAccount(tx, statement, ownerId);
}

/** Undefined when the ledger has the IBAN in this currency. */
async function insertAccount(
  tx: LedgerTransaction,
  { account }: Statement,
  ownerId: PsuId,
): Promise<AccountId | undefined> {
  const [last] = await tx.select({ position: max(ledgerAccount.position) }).from(ledgerAccount);
  // The first account of an IBAN is its default one; a second currency of it is none.
  for (const isDefault of [true, false]) {
    const [row] = await tx
      .insert(ledgerAccount)
      .values({
        ...account,
        id: randomUUID() as string as AccountId,
        usage: "PRIV",
        status: "enabled",
        isDefault,
        overdraftMinor: 0n,
        position: (last?.position ?? 0) + 1,
      })
      .onConflictDoNothing()
      .returning({ id: ledgerAccount.id });
    if (row) {
      await tx
        .insert(accountOwner)
        .values({ accountId: row.id, customerId: ownerId, role: "owner" });
      return row.id;
    }
  }
  return undefined;
}

async function lockAccount(
  tx: LedgerTransaction,
  { place, account }: Statement,
  ownerId: PsuId,
): Promise<OpenedAccount> {
  const { iban, currency } = account;
  const [row] = await tx
    .select({ id: ledgerAccount.id, status: ledgerAccount.status })
    .from(ledgerAccount)
    .where(and(eq(ledgerAccount.iban, iban), eq(ledgerAccount.currency, currency)))
    .for("update");
  if (row === undefined) return refuse(place, `account ${iban} ${currency} cannot be opened`);
  if (row.status === "deleted") refuse(place, `account ${iban} ${currency} is closed`);
  const owners = await tx
    .select({ id: accountOwner.customerId })
    .from(accountOwner)
    .where(and(eq(accountOwner.accountId, row.id), eq(accountOwner.customerId, ownerId)));
  if (owners.length === 0) {
    refuse(place, `account ${iban} ${currency} is in the ledger and belongs to somebody else`);
  }
  return { id: row.id, isNew: false };
}
