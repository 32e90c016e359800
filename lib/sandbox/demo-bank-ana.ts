import { addDays, type IsoDate } from "@/lib/domain/iso-date";
import { DAYS_OF_HISTORY, type Movement, minor, settled } from "./demo-bank-movement";
import { parties } from "./demo-bank-parties";
import { purchasesOn } from "./demo-bank-purchases";
import { seededRandom } from "./demo-bank-random";
import { regularsOn } from "./demo-bank-regulars";

/** Everything on Ana's current account up to today. */
export function anaCurrent(today: IsoDate): readonly Movement[] {
  const random = seededRandom(101);
  const first = addDays(today, -DAYS_OF_HISTORY);
  const days = Array.from({ length: DAYS_OF_HISTORY }, (_, index) => addDays(first, index));
  return [
    {
      account: "anaCurrent",
      amountMinor: minor("9600.00"),
      enteredOn: first,
      bookedOn: first,
      valueOn: first,
      party: parties.formerBank,
      code: "PMNT-RCDT-DMCT",
      remittance: "Balance brought from my former bank",
    },
    ...days.flatMap((day) => [
      ...regularsOn(day, today, random),
      ...purchasesOn(day, today, random),
    ]),
    ...pending(today),
  ];
}

/** Entered today and not booked yet; a card reservation has no value date until the shop claims it. */
function pending(today: IsoDate): readonly Movement[] {
  const reservation = (name: string, amount: string): Movement => ({
    account: "anaCurrent",
    amountMinor: minor(amount),
    enteredOn: today,
    party: { name },
    code: "PMNT-CCRD-POSD",
    remittance: `Card ending 4417, ${name}, reserved`,
  });
  return [
    reservation("Băcănia din Colț", "-86.40"),
    reservation("Stația Dealu Mare", "-250.00"),
    {
      account: "anaCurrent",
      amountMinor: minor("120.00"),
      ...settled(today, 1, today),
      party: parties.ioana,
      code: "PMNT-RCDT-DMCT",
      remittance: "For the theatre on Saturday",
      endToEndId: `IC-${today}`,
    },
  ];
}
