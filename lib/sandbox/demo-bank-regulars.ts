import type { IsoDate } from "@/lib/domain/iso-date";
import { type Movement, minor, settled } from "./demo-bank-movement";
import { holderOf, type Party, parties } from "./demo-bank-parties";
import type { Random } from "./demo-bank-random";

/** `day` is `dd`, or `mm-dd` for once a year; up to `spread` minor units more are taken or given. */
type Regular = readonly [
  day: string,
  amount: string,
  spread: number,
  party: Party,
  text: string,
  code: string,
  counter?: "anaSavings" | "anaLoan" | "joint",
];

const order = "PMNT-ICDT-STDO";
const debit = "PMNT-RDDT-PMDD";
const paid = "PMNT-ICDT-DMCT";
const received = "PMNT-RCDT-DMCT";

const regulars: readonly Regular[] = [
  ["01", "-2350.00", 0, parties.landlord, "Rent", order],
  ["05", "-218.40", 9_000, parties.housing, "Maintenance M14, flat 22", debit],
  [
    "07",
    "-26.99",
    0,
    { name: "Muzarium Streaming AB" },
    "Card ending 4417, streaming",
    "PMNT-CCRD-POSD",
  ],
  ["10", "8450.00", 0, parties.employer, "Salary", "PMNT-RCDT-SALA"],
  ["12", "-500.00", 0, holderOf("anaSavings"), "Rainy days", order, "anaSavings"],
  ["15", "-900.00", 0, holderOf("joint"), "Household", order, "joint"],
  ["17", "-55.00", 0, parties.internet, "Internet and telephone", debit],
  ["18", "-96.20", 8_500, parties.electricity, "Electricity, meter 00418277", debit],
  ["19", "-61.75", 16_000, parties.gas, "Gas, meter 5518-09", debit],
  ["20", "-840.00", 0, holderOf("anaLoan"), "Car loan, instalment", "LDAS-FTLN-PPAY", "anaLoan"],
  ["26", "-40.00", 9_000, parties.radu, "Concert tickets", paid],
  ["28", "25.00", 7_000, parties.ioana, "My half, thank you!", received],
  ["03-14", "-1140.00", 0, parties.insurer, "Home and travel insurance, one year", debit],
  ["06-22", "436.00", 0, parties.taxOffice, "Income tax, repayment", received],
];

/** What falls due on Ana's current account on this day. */
export function regularsOn(day: IsoDate, today: IsoDate, random: Random): readonly Movement[] {
  return regulars
    .filter(([due]) => day.endsWith(`-${due}`))
    .map(([, amount, spread, party, text, code, counter]) => {
      const more = BigInt(random.integer(0, spread));
      const amountMinor = minor(amount);
      // Within the bank money moves on the day itself, weekends included.
      const dates = counter
        ? { enteredOn: day, bookedOn: day, valueOn: day, counter }
        : settled(day, 0, today);
      return {
        account: "anaCurrent",
        amountMinor: amountMinor < 0n ? amountMinor - more : amountMinor + more,
        ...dates,
        party,
        code,
        remittance: `${text} ${day.slice(0, 7)}`,
        ...(code.startsWith("PMNT-CCRD") ? {} : { endToEndId: `${day}-${code.slice(5)}` }),
      };
    });
}
