import { COUNT_DAYS_SHOWN_MAX, type Counted, type DayCount } from "@/lib/domain/statistics";
import { addDays, dayIn, type IsoDate } from "@/lib/domain/values";
import { columnsOf, dayAsked, type Query, type Table } from "./table";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import { daysTable } from "./tpps";
import type { StaffVisit } from "./visit";

const DAYS_SHOWN = 30;

/** Days of the bank's time, as the address of a page or file asks for them: a month up to today without it. */
function spanAsked({ from, to }: Query, timeZone: string, now: Date) {
  const today = dayIn(timeZone, now);
  const last = dayAsked(to) ?? today;
  const first = dayAsked(from) ?? addDays(last, 1 - DAYS_SHOWN);
  const earliest = addDays(last, 1 - COUNT_DAYS_SHOWN_MAX);
  const isTooLong = first < earliest;
  return { from: isTooLong ? earliest : first, to: last };
}

const sums = {
  payments: "payment-status",
  refusals: "request-refused",
  proofs: "sca-proved",
  outcomes: "sca-status",
} as const satisfies Readonly<Record<string, Counted>>;

export async function statisticsView(visit: StaffVisit, asked: Query) {
  const { services, language, now } = visit;
  const span = spanAsked(asked, services.profile.timeZone, now);
  const [all, consents, countedTo] = await Promise.all([
    statisticsTable(visit, [], asked),
    services.statistics.consents(),
    services.statistics.countedTo(),
  ]);
  const texts = staffTextsFor(language);
  const inState = consents.map(({ kind, status, count }): Sum => {
    return { part: texts.cases.kinds[kind], value: status, count };
  });
  const counts = (Object.keys(sums) as (keyof typeof sums)[]).map((name) => {
    return { name, table: sumTable(texts, sumsOf(all.rows, sums[name])) };
  });
  return {
    ...{ span, all, countedTo, given: perDay(all.rows, span) },
    sums: [{ name: "consents" as const, table: sumTable(texts, inState) }, ...counts],
  };
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

type Sum = Pick<DayCount, "value" | "part" | "count">;

/** Over all days, the most frequent first. */
function sumsOf(days: readonly DayCount[], wanted: Counted): readonly Sum[] {
  const found = new Map<string, Sum>();
  for (const one of days) {
    if (one.what !== wanted) continue;
    const key = `${one.value} ${one.part}`;
    found.set(key, { ...one, count: one.count + (found.get(key)?.count ?? 0) });
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count);
}

function sumTable({ tpps }: StaffTexts, rows: readonly Sum[]): Table<Sum> {
  const columns = columnsOf(tpps.trafficColumns, {
    part: ({ part = "–" }: Sum) => part,
    value: ({ value = "–" }) => value,
    count: { text: ({ count }) => String(count), order: ({ count }) => count },
  });
  return { rows, columns, keyOf: ({ part, value }) => `${part} ${value}` };
}

export async function statisticsTable(
  { services, language, now }: StaffVisit,
  _ids: readonly string[],
  asked: Query,
) {
  const { statistics, profile } = services;
  const days = await statistics.days(spanAsked(asked, profile.timeZone, now));
  return daysTable(staffTextsFor(language), days);
}
