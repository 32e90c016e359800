const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const BANK_TIME_ZONE = "Europe/Bucharest";

const bankTime = new Intl.DateTimeFormat("sv-SE", {
  timeZone: BANK_TIME_ZONE,
  dateStyle: "short",
  timeStyle: "medium",
});

/** So much later; back with a negative time. */
export function later(
  instant: Date,
  { days = 0, hours = 0, minutes = 0, seconds = 0 }: Partial<Record<Unit, number>>,
): Date {
  const time = ((hours * 60 + minutes) * 60 + seconds) * SECOND;
  return new Date(instant.getTime() + days * DAY + time);
}
type Unit = "days" | "hours" | "minutes" | "seconds";

/** The bank's local day at an instant, or so many days from it. */
export function bankDayAt(instant: Date, days = 0): string {
  return addDays(bankTime.format(instant).slice(0, 10), days);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** Midnight at the bank. Clocks are changed there at three or four in the morning, never at midnight. */
export function startOfBankDay(day: string): Date {
  const utc = new Date(`${day}T00:00:00Z`);
  const near = new Date(utc.getTime() - aheadOfUtc(utc));
  return new Date(utc.getTime() - aheadOfUtc(near));
}

/** The next day of the bank with so many hours, at least a fortnight from now. */
export function nextDayOf(hours: 23 | 25): string {
  const today = bankDayAt(new Date());
  const days = Array.from({ length: 380 }, (_, index) => addDays(today, 14 + index));
  const found = days.find((day) => lengthOf(day) === hours * 3_600 * SECOND);
  if (found === undefined) throw new Error(`no day of ${hours} hours in a year`);
  return found;
}

function lengthOf(day: string): number {
  return startOfBankDay(addDays(day, 1)).getTime() - startOfBankDay(day).getTime();
}

function aheadOfUtc(instant: Date): number {
  return Date.parse(`${bankTime.format(instant).replace(" ", "T")}Z`) - instant.getTime();
}
