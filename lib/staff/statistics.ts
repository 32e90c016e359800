import { COUNT_DAYS_SHOWN_MAX, type Counted, type DayCount } from "@/lib/domain/statistics";
import { addDays, dayIn, type IsoDate, parseIsoDate } from "@/lib/domain/values";
import type { Params } from "./forms";
import { staffTextsFor } from "./texts/texts-for";
import { dayColumns } from "./tpps";
import type { StaffVisit } from "./visit";

const DAYS_SHOWN = 30;

type Asked = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Days of the bank's time, as the address of a page or file asks for them: a month up to today without it. */
export function spanAsked({ from, to }: Asked, timeZone: string, now: Date) {
  const dayOf = (text: Asked[string]) =>
    typeof text === "string" ? parseIsoDate(text) : undefined;
  const today = dayIn(timeZone, now);
  const last = dayOf(to) ?? today;
  const first = dayOf(from) ?? addDays(last, 1 - DAYS_SHOWN);
  const earliest = addDays(last, 1 - COUNT_DAYS_SHOWN_MAX);
  const isTooLong = first < earliest;
  return { from: isTooLong ? earliest : first, to: last };
}

export async function statisticsView({ services, now }: StaffVisit, asked: Asked) {
  const { statistics, profile } = services;
  const span = spanAsked(asked, profile.timeZone, now);
  const [days, consents, countedTo] = await Promise.all([
    statistics.days(span),
    statistics.consents(),
    statistics.countedTo(),
  ]);
  return { span, days, consents, countedTo, given: perDay(days, span) };
}

/** Consents that customers have given, for each day of the span. */
function perDay(days: readonly DayCount[], { from, to }: { from: IsoDate; to: IsoDate }) {
  const counts = new Map<string, number>();
  for (const { day, what, value, count } of days) {
    if (what !== "consent-status" || value !== "valid") continue;
    counts.set(day, (counts.get(day) ?? 0) + count);
  }
  const shown: { readonly day: string; readonly value: number }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    shown.push({ day, value: counts.get(day) ?? 0 });
  }
  return shown;
}

/** Over all days, the most frequent first. */
export function sumsOf(
  days: readonly DayCount[],
  wanted: Counted,
): readonly Omit<DayCount, "day">[] {
  const sums = new Map<string, Omit<DayCount, "day">>();
  for (const { day: _, ...one } of days) {
    if (one.what !== wanted) continue;
    const key = `${one.value} ${one.part}`;
    sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].toSorted((one, other) => other.count - one.count);
}

/** All counts of the days, for the file. */
export async function statisticsTable(
  { services, language, now }: StaffVisit,
  _params: Params,
  asked: Asked,
) {
  const { statistics, profile } = services;
  const rows = await statistics.days(spanAsked(asked, profile.timeZone, now));
  return { rows, columns: dayColumns(staffTextsFor(language)) };
}
