import { addDays } from "@/lib/domain/iso-date";
import type { NewEntry } from "./enter-entries";
import type { Statement } from "./statement";

/**
 * What the account had when it came here, as an entry of the day before the first booking: balances
 * are sums of entries and nothing else. None when there was nothing.
 */
export function openingEntry({ opening, entries }: Statement): readonly NewEntry[] {
  if (opening.amountMinor === 0n) return [];
  const days = entries.flatMap(({ status, day }) => (status === "booked" ? [day] : [])).sort();
  const [first] = days;
  const day = first === undefined ? opening.day : addDays(first, -1);
  return [
    {
      status: "booked",
      amountMinor: opening.amountMinor,
      day,
      valueOn: day,
      counterparty: {},
      remittance: "Opening balance",
      endToEndId: undefined,
      reference: undefined,
      // Account management, opening and closing, account opening.
      bankTransactionCode: "ACMT-OPCL-ACCO",
    },
  ];
}
