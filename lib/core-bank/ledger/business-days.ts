import { addDays, type IsoDate } from "@/lib/domain/iso-date";

/** Month and day on which TARGET is closed every year; T2 calendar of the Eurosystem. */
const CLOSED = new Set(["01-01", "05-01", "12-25", "12-26"]);

/** The first day after this one on which payments settle. */
export function nextBusinessDay(day: IsoDate): IsoDate {
  const next = addDays(day, 1);
  return isBusinessDay(next) ? next : nextBusinessDay(next);
}

export function isBusinessDay(day: IsoDate): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6 || CLOSED.has(day.slice(5))) return false;
  const easter = easterSunday(Number(day.slice(0, 4)));
  return day !== addDays(easter, -2) && day !== addDays(easter, 1);
}

/** Easter of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterSunday(year: number): IsoDate {
  const moon = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const skipped = century - Math.floor(century / 4);
  const drift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * moon + skipped - drift + 15) % 30;
  const leap = 2 * (century % 4) + 2 * Math.floor(inCentury / 4);
  const toSunday = (32 + leap - epact - (inCentury % 4)) % 7;
  const shift = Math.floor((moon + 11 * epact + 22 * toSunday) / 451);
  const days = epact + toSunday - 7 * shift + 114;
  const month = String(Math.floor(days / 31)).padStart(2, "0");
  return `${year}-${month}-${String((days % 31) + 1).padStart(2, "0")}` as IsoDate;
}
