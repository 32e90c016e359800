import {
  type ChannelDay,
  type DayFigures,
  dailyFigures,
  type InterfaceFigures,
  lastPublishedDay,
  type ProbedInterface,
  probedInterfaces,
  publishedQuarters,
  type Quarter,
} from "./domain/interface-figures";
import { endOfDayIn, startOfDayIn } from "./domain/values";
import { systemClock } from "./system-clock";

type Services = {
  readonly interfaceFigures: InterfaceFigures;
  readonly profile: { readonly name: string; readonly timeZone: string };
};

/** A quarter as it is published: days that are over alone, so that no figure changes after it was read. */
export type PublishedQuarter = {
  readonly bank: string;
  readonly quarter: Quarter;
  readonly others: readonly Quarter[];
  readonly interfaces: Readonly<Record<ProbedInterface, readonly DayFigures[]>>;
  readonly channels: readonly ChannelDay[];
};

/** The quarter of this name, without one the running quarter. Undefined for one that is not published. */
export async function publishedQuarter(
  { interfaceFigures, profile }: Services,
  name?: string,
): Promise<PublishedQuarter | undefined> {
  // Requests are counted by the machine's clock, also in a sandbox whose own was moved.
  const now = await systemClock.now();
  const quarters = publishedQuarters(now, profile.timeZone);
  const quarter = quarters.find((one) => name === undefined || one.name === name);
  if (quarter === undefined) return undefined;
  const { from } = quarter;
  const [to = quarter.to] = [quarter.to, lastPublishedDay(now, profile.timeZone)].toSorted();
  const asked = { from, to, timeZone: profile.timeZone };
  const [raw, channels] = await Promise.all([
    interfaceFigures.read(asked),
    interfaceFigures.channelDays(from, to),
  ]);
  const [xs2a, pages] = probedInterfaces.map((one) => dailyFigures(one, raw, asked));
  return {
    bank: profile.name,
    quarter,
    others: quarters.filter((one) => one !== quarter),
    interfaces: { xs2a: xs2a ?? [], pages: pages ?? [] },
    channels,
  };
}

/** Undefined of a day in which no prober looked. */
export function uptimeOf({ plannedDowntime, unplannedDowntime, probed }: DayFigures) {
  return probed === 0 ? undefined : 1 - plannedDowntime - unplannedDowntime;
}

type Downtime = Pick<DayFigures, "day" | "plannedDowntime" | "unplannedDowntime">;

/** Planned or not, out of as many hours as the day had. */
export function downtimeMinutes(
  { day, plannedDowntime, unplannedDowntime }: Downtime,
  timeZone: string,
): number {
  const length = endOfDayIn(timeZone, day).getTime() - startOfDayIn(timeZone, day).getTime();
  return ((plannedDowntime + unplannedDowntime) * length) / 60_000;
}

/** Percentages with three digits, means with one: a second of a day is 0.001 %. */
export const percent = (share: number) => (share * 100).toFixed(3);
export const milliseconds = (mean: number | undefined) => mean?.toFixed(1);

const HEAD =
  "date,interface,uptime %,planned downtime %,unplanned downtime %,AIS ms,PIS ms,CoF ms,OAuth ms,own pages ms,errors %,requests,probed %";

export function csvOf({ interfaces, channels }: PublishedQuarter): string {
  const own = probedInterfaces.flatMap((of) =>
    interfaces[of].map((figures) => {
      const { aisp, pisp, cbpii, oauth, pages } = figures.meanMilliseconds;
      const uptime = uptimeOf(figures);
      const down = [figures.plannedDowntime, figures.unplannedDowntime];
      return [
        figures.day,
        of === "xs2a" ? "dedicated interface" : "own channel",
        ...(uptime === undefined
          ? [undefined, undefined, undefined]
          : [uptime, ...down].map(percent)),
        ...[aisp, pisp, cbpii, oauth, pages].map(milliseconds),
        percent(figures.errors),
        figures.requests,
        percent(figures.probed),
      ];
    }),
  );
  const given = channels.map((one) => [
    one.day,
    one.channel,
    percent(1 - one.plannedDowntime - one.unplannedDowntime),
    percent(one.plannedDowntime),
    percent(one.unplannedDowntime),
    milliseconds(one.accountsMilliseconds),
    milliseconds(one.paymentsMilliseconds),
    ...[undefined, undefined, undefined],
    one.errors === undefined ? undefined : percent(one.errors),
    ...[undefined, undefined],
  ]);
  return `${[HEAD, ...own.map((row) => row.join()), ...given.map((row) => row.join())].join("\r\n")}\r\n`;
}
