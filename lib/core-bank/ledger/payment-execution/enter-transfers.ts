import { randomUUID } from "node:crypto";
import type { Counterparty } from "@/lib/domain/account-access/bank-account";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountId, TransactionId } from "@/lib/domain/identifiers";
import { dayIn } from "@/lib/domain/iso-date";
import { ledgerEntry } from "../../../../drizzle/schema/ledger/entry";
import type { LedgerTransaction } from "../database";

/** What a customer's account sees of a transfer; the clearing account sees the opposite. */
export type Transfer = {
  readonly id: string;
  readonly accountId: AccountId;
  /** Negative leaves the account. */
  readonly amountMinor: bigint;
  readonly counterparty: Counterparty;
  /** Unique within the account: the same transfer is never entered twice. */
  readonly reference: string;
  readonly code: string;
  readonly remittance: string | null;
  readonly endToEndId: string | null;
};

type Terms = {
  /** Of the account's currency. */
  readonly clearingId: AccountId;
  readonly status: "pending" | "booked";
  readonly now: Date;
};

/** Enters both sides; they count from today on, in local days of the bank. */
export async function enterTransfers(
  tx: LedgerTransaction,
  transfers: readonly Transfer[],
  terms: Terms,
): Promise<void> {
  await tx.insert(ledgerEntry).values(transfers.flatMap((transfer) => bothSides(transfer, terms)));
}

function bothSides(
  { id: transferId, accountId, amountMinor, counterparty, reference, code, ...texts }: Transfer,
  { clearingId, status, now }: Terms,
): readonly (typeof ledgerEntry.$inferInsert)[] {
  const today = dayIn(aspspProfile.timeZone, now);
  const common = {
    transferId,
    status,
    enteredOn: today,
    bookedOn: status === "booked" ? today : null,
    valueOn: today,
    bankTransactionCode: code,
    changedAt: now,
  };
  const newId = () => randomUUID() as string as TransactionId;
  return [
    {
      ...common,
      ...texts,
      id: newId(),
      accountId,
      amountMinor,
      entryReference: reference,
      counterpartyName: counterparty.name,
      counterpartyIban: counterparty.iban,
      counterpartyBic: counterparty.bic,
    },
    { ...common, id: newId(), accountId: clearingId, amountMinor: -amountMinor },
  ];
}
