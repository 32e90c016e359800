import { and, asc, eq, inArray, type SQL } from "drizzle-orm";
import type { AccountOwner, BankAccount } from "@/lib/domain/account-access/bank-account";
import type { Iban } from "@/lib/domain/iban";
import { type AccountId, isUuid, type PsuId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import { accountOwner } from "../../../drizzle/schema/ledger-account-owner";
import { customer } from "../../../drizzle/schema/ledger-customer";
import type { LedgerReader } from "./database";
import { isPaymentAccount } from "./payment-account";

export async function paymentAccountsOf(
  database: LedgerReader,
  psuId: PsuId,
): Promise<readonly BankAccount[]> {
  if (!isUuid(psuId)) return [];
  const own = database
    .select({ id: accountOwner.accountId })
    .from(accountOwner)
    .where(eq(accountOwner.customerId, psuId));
  return readAccounts(database, inArray(ledgerAccount.id, own));
}

export async function accounts(
  database: LedgerReader,
  ids: readonly AccountId[],
): Promise<readonly BankAccount[]> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return [];
  const found = await readAccounts(database, inArray(ledgerAccount.id, known));
  const byId = new Map(found.map((account) => [account.id, account]));
  return known.flatMap((id) => byId.get(id) ?? []);
}

/** One row per account and owner, put together here; an account that nobody owns is not shown. */
async function readAccounts(database: LedgerReader, which: SQL): Promise<readonly BankAccount[]> {
  const rows = await database
    .select({ account: ledgerAccount, name: customer.name, role: accountOwner.role })
    .from(ledgerAccount)
    .innerJoin(accountOwner, eq(accountOwner.accountId, ledgerAccount.id))
    .innerJoin(customer, eq(customer.id, accountOwner.customerId))
    .where(and(which, isPaymentAccount))
    .orderBy(
      asc(ledgerAccount.position),
      asc(ledgerAccount.id),
      asc(customer.name),
      asc(customer.id),
    );
  const found = new Map<AccountId, BankAccount>();
  for (const { account, name, role } of rows) {
    const before = found.get(account.id)?.owners ?? [];
    found.set(account.id, toBankAccount(account, [...before, { name, role }]));
  }
  return [...found.values()];
}

function toBankAccount(
  account: typeof ledgerAccount.$inferSelect,
  owners: readonly AccountOwner[],
): BankAccount {
  return {
    id: account.id,
    // Only the bank's own accounts have none, and they are no payment accounts.
    iban: account.iban as Iban,
    currency: account.currency,
    bic: account.bic,
    name: account.name,
    product: account.product,
    usage: account.usage,
    status: account.status,
    isDefault: account.isDefault,
    owners,
  };
}
