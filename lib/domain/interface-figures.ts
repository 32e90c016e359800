import type { MessageCode } from "./errors";
import { addDays, addTime, dayIn, endOfDayIn, type IsoDate, startOfDayIn } from "./values";

// What a bank publishes each quarter of the interface for TPPs, and of the channels of its own customers beside it, day by
// day (RTS art. 32(4), EBA/GL/2018/07, guidelines 2 and 3).

/** What a request was for; `oauth` is part of the interface for TPPs, `pages` is the bank's own channel here. */
export const areas = ["aisp", "pisp", "cbpii", "oauth", "pages"] as const;
export type Area = (typeof areas)[number];

/**
 * `granted` below 400, `refused` by a rule, `failed` by a fault of the bank's (5xx), `unanswered` where the connection ended
 * before the answer was sent.
 */
export const outcomes = ["granted", "refused", "failed", "unanswered"] as const;
export type Outcome = (typeof outcomes)[number];

/** EBA/GL/2018/07, 2.3(d): of these is the rate of errors. */
export function isError(outcome: Outcome): boolean {
  return outcome === "failed" || outcome === "unanswered";
}

/** Both of them have to be published side by side; the prober asks both. */
export const probedInterfaces = ["xs2a", "pages"] as const;
export type ProbedInterface = (typeof probedInterfaces)[number];

const areasOf: Readonly<Record<ProbedInterface, readonly Area[]>> = {
  xs2a: ["aisp", "pisp", "cbpii", "oauth"],
  pages: ["pages"],
};

/** EBA/GL/2018/07, 2.4: down are five consecutive requests without a reply within 30 seconds altogether. */
export const probing = {
  consecutive: 5,
  withinSeconds: 30,
  /** Five probes, each with its time for an answer, are within those 30 seconds. */
  everySeconds: 6,
  answerSecondsMax: 5,
  /** Probes that are further apart are not consecutive: nobody looked in between. */
  gapSecondsMax: 7.5,
} as const;

/** A day is published this long after its end: what servers have counted during an outage has arrived by then. */
const settledAfterHours = 6;

/** How long the raw rows are kept: the quarter that runs, the four that are published, and one to correct them in. */
export const figuresKeptDays = 550;

type RequestCount = {
  readonly area: Area;
  readonly outcome: Outcome;
  readonly requests: number;
  readonly tookMicroseconds: number;
};
/** Of a minute of UTC, and of a local day of the bank. */
export type MinuteCount = RequestCount & {
  readonly minute: Date;
  /** Of refused requests, by what their TPPs were told first. */
  readonly codes?: Readonly<Partial<Record<MessageCode, number>>> | undefined;
};
export type DayCount = RequestCount & { readonly day: IsoDate };

/** Consecutive probes of one interface with the same result. */
export type ProbeRun = {
  readonly interface: ProbedInterface;
  readonly beganAt: Date;
  readonly lastAt: Date;
  readonly answered: boolean;
  readonly probes: number;
};

type PlannedDowntime = {
  readonly interface: ProbedInterface;
  readonly from: Date;
  readonly until: Date;
};

/** The next probe belongs to the run before it, or begins another. */
export function addProbe(
  run: ProbeRun | undefined,
  probe: { readonly interface: ProbedInterface; readonly at: Date; readonly answered: boolean },
): ProbeRun {
  const { at, answered } = probe;
  const isNext =
    run?.answered === answered &&
    at.getTime() - run.lastAt.getTime() <= probing.gapSecondsMax * 1_000;
  return isNext
    ? { ...run, lastAt: at, probes: run.probes + 1 }
    : { interface: probe.interface, beganAt: at, lastAt: at, answered, probes: 1 };
}

/** In milliseconds since 1970. */
type Interval = { readonly from: number; readonly until: number };

/**
 * When the interface was down: from the first of five unanswered probes on until the next answered one. Where the prober has
 * paused, until its last probe. The runs of one interface, in the order in which they began.
 */
function outagesOf(runs: readonly ProbeRun[]): readonly Interval[] {
  return runs.flatMap((run, nth) => {
    if (run.answered || run.probes < probing.consecutive) return [];
    const next = runs[nth + 1]?.beganAt.getTime() ?? Number.POSITIVE_INFINITY;
    const last = run.lastAt.getTime();
    const until = next - last <= probing.gapSecondsMax * 1_000 ? next : last;
    return [{ from: run.beganAt.getTime(), until }];
  });
}

/** Times in milliseconds, shares of one. A mean is missing where nothing was granted. */
export type DayFigures = {
  readonly day: IsoDate;
  readonly plannedDowntime: number;
  readonly unplannedDowntime: number;
  /** The share of the day in which the prober looked; the rest is not known to have been up. */
  readonly probed: number;
  readonly requests: number;
  /** Failed and unanswered requests among all. */
  readonly errors: number;
  readonly meanMilliseconds: Readonly<Partial<Record<Area, number>>>;
};

export type RawFigures = {
  readonly counts: readonly DayCount[];
  readonly runs: readonly ProbeRun[];
  readonly planned: readonly PlannedDowntime[];
};

type Asked = { readonly from: IsoDate; readonly to: IsoDate; readonly timeZone: string };

/** Of each local day from the first to the last, from the raw rows alone. */
export function dailyFigures(
  of: ProbedInterface,
  { counts, runs, planned }: RawFigures,
  { from, to, timeZone }: Asked,
): readonly DayFigures[] {
  const own = runs
    .filter((run) => run.interface === of)
    .toSorted((one, other) => one.beganAt.getTime() - other.beganAt.getTime());
  const outages = outagesOf(own);
  const looked = own.map(({ beganAt, lastAt }) => ({
    from: beganAt.getTime(),
    until: lastAt.getTime() + probing.everySeconds * 1_000,
  }));
  const windows = planned
    .filter((window) => window.interface === of)
    .map((window) => ({ from: window.from.getTime(), until: window.until.getTime() }));
  const days: DayFigures[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const whole = {
      from: startOfDayIn(timeZone, day).getTime(),
      until: endOfDayIn(timeZone, day).getTime(),
    };
    const share = (milliseconds: number) => milliseconds / (whole.until - whole.from);
    const down = within(outages, whole);
    const plannedMs = lengthOf(down.flatMap((outage) => within(united(windows), outage)));
    const ofDay = counts.filter((count) => count.day === day && areasOf[of].includes(count.area));
    days.push({
      day,
      plannedDowntime: share(plannedMs),
      unplannedDowntime: share(lengthOf(down) - plannedMs),
      probed: share(lengthOf(within(united(looked), whole))),
      ...requestFigures(ofDay),
    });
  }
  return days;
}

function requestFigures(counts: readonly DayCount[]) {
  const sum = (some: readonly DayCount[]) => some.reduce((all, { requests }) => all + requests, 0);
  const requests = sum(counts);
  const faults = sum(counts.filter(({ outcome }) => isError(outcome)));
  const means = areas.flatMap((area) => {
    const granted = counts.filter((one) => one.area === area && one.outcome === "granted");
    const took = granted.reduce((all, { tookMicroseconds }) => all + tookMicroseconds, 0);
    return sum(granted) === 0 ? [] : [[area, took / sum(granted) / 1_000] as const];
  });
  return {
    requests,
    errors: requests === 0 ? 0 : faults / requests,
    meanMilliseconds: Object.fromEntries(means),
  };
}

function within(intervals: readonly Interval[], { from, until }: Interval): readonly Interval[] {
  return intervals
    .map((one) => ({ from: Math.max(one.from, from), until: Math.min(one.until, until) }))
    .filter((one) => one.from < one.until);
}

/** Without overlaps. */
function united(intervals: readonly Interval[]): readonly Interval[] {
  const apart: Interval[] = [];
  for (const next of intervals.toSorted((one, other) => one.from - other.from)) {
    const last = apart.at(-1);
    if (last === undefined || last.until < next.from) apart.push(next);
    else apart.splice(-1, 1, { from: last.from, until: Math.max(last.until, next.until) });
  }
  return apart;
}

function lengthOf(intervals: readonly Interval[]): number {
  return intervals.reduce((all, { from, until }) => all + until - from, 0);
}

/** A quarter as people write it, `2026Q4`, and its days. */
export type Quarter = { readonly name: string; readonly from: IsoDate; readonly to: IsoDate };

const QUARTER = /^(?<year>2\d{3})Q(?<nth>[1-4])$/;

/** Undefined for a text that names no quarter. */
export function parseQuarter(name: string): Quarter | undefined {
  const { year, nth } = QUARTER.exec(name)?.groups ?? {};
  if (year === undefined || nth === undefined) return undefined;
  const month = (Number(nth) - 1) * 3;
  const at = (months: number) =>
    new Date(Date.UTC(Number(year), month + months, 1)).toISOString().slice(0, 10) as IsoDate;
  return { name, from: at(0), to: addDays(at(3), -1) };
}

/** The last day that is over and settled. */
export function lastPublishedDay(now: Date, timeZone: string): IsoDate {
  return addDays(dayIn(timeZone, addTime(now, -settledAfterHours, "hour")), -1);
}

/** The quarter that runs and the four before it, the newest first. */
export function publishedQuarters(now: Date, timeZone: string): readonly Quarter[] {
  const today = dayIn(timeZone, now);
  const nth = Number(today.slice(0, 4)) * 4 + Math.floor((Number(today.slice(5, 7)) - 1) / 3);
  return [0, 1, 2, 3, 4].flatMap((back) => {
    const quarter = parseQuarter(`${Math.floor((nth - back) / 4)}Q${((nth - back) % 4) + 1}`);
    return quarter === undefined ? [] : [quarter];
  });
}

/** The figures of a day of another channel of the bank's, such as its app, as the bank gives them. */
export type ChannelDay = {
  readonly channel: string;
  readonly day: IsoDate;
  readonly plannedDowntime: number;
  readonly unplannedDowntime: number;
  readonly accountsMilliseconds?: number | undefined;
  readonly paymentsMilliseconds?: number | undefined;
  /** Demanded of the interface for TPPs alone (EBA/GL/2018/07, 2.3(d)). */
  readonly errors?: number | undefined;
};

export type InterfaceFigures = {
  /** Replaces the run that began at the same instant. */
  readonly keepRuns: (runs: readonly ProbeRun[]) => Promise<void>;
  /** Sums the counts of the days up to this one of which that was not done, the latest first, a few at once. */
  readonly sumDays: (to: IsoDate, timeZone: string) => Promise<void>;
  /** Of the local days from the first to the last, as far as they were summed. */
  readonly read: (asked: Asked) => Promise<RawFigures>;
  /** Replaces what was given of the same days. */
  readonly keepChannelDays: (days: readonly ChannelDay[]) => Promise<void>;
  readonly channelDays: (from: IsoDate, to: IsoDate) => Promise<readonly ChannelDay[]>;
  readonly announceDowntime: (
    downtime: PlannedDowntime & { readonly reason: string; readonly by: string; readonly at: Date },
  ) => Promise<void>;
};
