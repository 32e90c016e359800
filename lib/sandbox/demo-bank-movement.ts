import { randomUUID } from "node:crypto";
import { nextBusinessDay } from "@/lib/core-bank/ledger/business-days";
import type { NewEntry } from "@/lib/core-bank/ledger/enter-books";
import type { TransactionId } from "@/lib/domain/identifiers";
import { addDays, type IsoDate } from "@/lib/domain/iso-date";
import { parseAmount } from "@/lib/domain/money";
import { type AccountIds, type AccountKey, clearingOf } from "./demo-bank-accounts";
import { holderOf, type Party } from "./demo-bank-parties";

/** Fifteen months: most of them older than the 90 days of art. 10a RTS. */
export const DAYS_OF_HISTORY = 460;

/** Money that came to or left an account of the demo bank. */
export type Movement = {
  readonly account: AccountKey;
  /** Negative leaves the account. */
  readonly amountMinor: bigint;
  readonly enteredOn: IsoDate;
  /** Absent as long as it is pending. */
  readonly bookedOn?: IsoDate;
  readonly valueOn?: IsoDate;
  readonly party: Party;
  readonly code: string;
  readonly remittance: string;
  readonly endToEndId?: string;
  /** The other side when it is one of ours too; else the clearing account of the currency. */
  readonly counter?: AccountKey;
};

export function minor(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === undefined) throw new Error(`${text} is no amount`);
  return amount;
}

/** Booked on the first business day from `delay` days later; pending, with a known value date, until then. */
export function settled(enteredOn: IsoDate, delay: number, today: IsoDate) {
  const day = nextBusinessDay(addDays(enteredOn, delay - 1));
  return day > today ? { enteredOn, valueOn: day } : { enteredOn, bookedOn: day, valueOn: day };
}

/** Both sides of the movement: what one account loses, another gets. */
export function entriesOf(
  movement: Movement,
  reference: string,
  ids: AccountIds,
  now: Date,
): readonly [NewEntry, NewEntry] {
  const { account, counter, amountMinor, enteredOn, bookedOn, valueOn, code } = movement;
  const morning = new Date(`${bookedOn ?? enteredOn}T06:00:00Z`);
  const common = {
    transferId: randomUUID(),
    status: bookedOn === undefined ? ("pending" as const) : ("booked" as const),
    enteredOn,
    bookedOn,
    valueOn,
    changedAt: morning < now ? morning : now,
  };
  const seenBy = (party: Party) => ({
    counterpartyName: party.name,
    counterpartyIban: party.iban,
    counterpartyBic: party.bic,
    remittance: movement.remittance,
    endToEndId: movement.endToEndId,
    entryReference: bookedOn === undefined ? undefined : reference,
  });
  return [
    {
      ...common,
      id: randomUUID() as string as TransactionId,
      accountId: ids[account],
      amountMinor,
      bankTransactionCode: code,
      ...seenBy(movement.party),
    },
    {
      ...common,
      id: randomUUID() as string as TransactionId,
      accountId: ids[counter ?? clearingOf(account)],
      amountMinor: -amountMinor,
      // Movements within the bank are told from the payer's side: the other one receives.
      bankTransactionCode: counter === undefined ? code : "PMNT-RCDT-BOOK",
      ...(counter === undefined ? {} : seenBy(holderOf(account))),
    },
  ];
}
