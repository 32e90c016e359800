import type { PsuId } from "@/lib/domain/identifiers";
import { clearingAccounts } from "../ledger/clearing-accounts";
import type { LedgerDatabase } from "../ledger/database";
import { type ImportedStatement, importStatement } from "./import-statement";
import type { Statement } from "./statement";

export type Import = {
  readonly statements: readonly Statement[];
  /** Whose account a new one becomes. */
  readonly ownerId: PsuId;
  readonly now: Date;
};

/**
 * Enters the statements of a file, all of them or none: a StatementError says which one the ledger
 * has no place for. Imports at the same time queue at the account, and locks are taken in one order,
 * by currency and then by account, so that two files never wait for each other.
 */
export async function importStatements(
  database: LedgerDatabase,
  { statements, ownerId, now }: Import,
): Promise<readonly ImportedStatement[]> {
  const inOrder = [...statements].sort((one, other) => compare(keyOf(one), keyOf(other)));
  const currencies = new Set(inOrder.map(({ account }) => account.currency));
  return database.transaction(async (tx) => {
    const clearing = await clearingAccounts(tx, [...currencies].sort());
    const imported: ImportedStatement[] = [];
    for (const statement of inOrder) {
      imported.push(await importStatement(tx, { statement, ownerId, clearing, now }));
    }
    return imported;
  });
}

function keyOf({ account }: Statement): string {
  return `${account.iban} ${account.currency}`;
}

/** Statements of one account keep the order of the file: each begins where the one before ends. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
