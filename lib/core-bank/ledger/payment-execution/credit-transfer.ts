import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { Counterparty } from "@/lib/domain/account-access/bank-account";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { convert } from "@/lib/domain/payment/exchange-rate";
import { accountOwner } from "../../../../drizzle/schema/ledger/account-owner";
import { customer } from "../../../../drizzle/schema/ledger/customer";
import type { LedgerTransaction } from "../database";
import type { LedgerPayment } from "./claim-due-payment";
import type { Transfer } from "./enter-transfers";
import type { LockedAccount } from "./lock-accounts";
import { referencesOf } from "./references";
import { transactionCodes } from "./transaction-codes";

/** ISO 20022 Max70Text, where an owner's name may have 140 characters. */
const NAME_CHARACTERS = 70;

/** What the creditor's account gets: the amount of the order, in the account's currency. */
export async function creditTransfer(
  tx: LedgerTransaction,
  payment: LedgerPayment,
  { id: accountId, currency }: LockedAccount,
): Promise<Transfer> {
  const { id, product, remittance, endToEndId, amountMinor } = payment;
  const sent = { currency: payment.currency, minorUnits: amountMinor };
  return {
    id: randomUUID(),
    accountId,
    amountMinor: convert(sent, currency, aspspProfile).minorUnits,
    counterparty: await debtorOf(tx, payment),
    reference: referencesOf(id).credit,
    code: transactionCodes[product].received,
    remittance,
    endToEndId,
  };
}

/** An owner of the debited account: the PSU where it is one, else whoever it acts for. */
async function debtorOf(
  tx: LedgerTransaction,
  { accountId, debtorIban, psuId }: LedgerPayment,
): Promise<Counterparty> {
  const [owner] = await tx
    .select({ name: customer.name })
    .from(accountOwner)
    .innerJoin(customer, eq(customer.id, accountOwner.customerId))
    .where(and(eq(accountOwner.accountId, accountId), eq(accountOwner.role, "owner")))
    .orderBy(desc(sql`${customer.id}::text = ${psuId}`), asc(customer.name))
    .limit(1);
  const name = owner && { name: owner.name.slice(0, NAME_CHARACTERS) };
  return { ...name, iban: debtorIban, bic: aspspProfile.bic };
}
