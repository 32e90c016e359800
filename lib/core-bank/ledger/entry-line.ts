import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import type { Iban } from "@/lib/domain/iban";
import type { TransactionId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Currency } from "@/lib/domain/money";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";

/** As the table keeps it and PostgreSQL sends it: all of it text, in the order of `ledger_entry_line`. */
export type EntryLine = readonly [
  id: TransactionId,
  status: Transaction["status"],
  amountMinor: string,
  day: IsoDate,
  counterpartyName: string | null,
  counterpartyIban: Iban | null,
  counterpartyBic: string | null,
  bankTransactionCode: string,
  valueOn: IsoDate | null,
  remittance: string | null,
  endToEndId: string | null,
  entryReference: string | null,
];

/** The line of an entry that was pending on this day; the one that it keeps is of how it is now. */
export function pendingLineOn(day: SQL): SQL {
  const entry = ledgerEntry;
  return sql`ledger_entry_line(${entry.id}, 'pending', ${entry.amountMinor}, ${day},
    ${entry.counterpartyName}, ${entry.counterpartyIban}, ${entry.counterpartyBic},
    ${entry.bankTransactionCode}, ${entry.valueOn}, ${entry.remittance}, ${entry.endToEndId},
    ${entry.entryReference})`;
}

export function toTransaction(line: EntryLine, currency: Currency): Transaction {
  const [id, status, amountMinor, day, name, iban, bic, bankTransactionCode, ...more] = line;
  const [valueDate, remittance, endToEndId, entryReference] = more;
  return {
    id,
    status,
    amount: { currency, minorUnits: BigInt(amountMinor) },
    day,
    counterparty: {
      name: name ?? undefined,
      iban: iban ?? undefined,
      bic: bic ?? undefined,
    },
    bankTransactionCode,
    valueDate: valueDate ?? undefined,
    remittance: remittance ?? undefined,
    endToEndId: endToEndId ?? undefined,
    entryReference: entryReference ?? undefined,
  };
}
