import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import type { ChannelDay, InterfaceFigures, RawFigures } from "./domain/interface-figures";
import { endOfDayIn, type IsoDate, startOfDayIn } from "./domain/values";
import { csvOf, downtimeMinutes, publishedQuarter } from "./published-statistics";

const profile = { name: "Example Bank", timeZone: "Europe/Bucharest" };
const day = "2026-10-01" as IsoDate;
const begin = Date.parse("2026-09-30T21:00:00Z");

function figuresOf(
  raw: Partial<RawFigures>,
  channels: readonly ChannelDay[] = [],
): InterfaceFigures {
  const never = () => Promise.reject(new Error("not read"));
  return {
    ...{ keepRuns: never, sumDays: never, keepChannelDays: never, announceDowntime: never },
    read: async () => ({ counts: [], runs: [], planned: [], ...raw }),
    channelDays: async () => channels,
  };
}

function atInstant(text: string) {
  vi.useFakeTimers({ now: new Date(text), toFake: ["Date"] });
}

afterEach(() => {
  vi.useRealTimers();
});

it("the CSV of a quarter has a line for each day and interface, and for each day of another channel", async () => {
  atInstant("2026-10-02T06:00:00Z");
  const count = { day, area: "aisp", outcome: "granted", requests: 40, tookMicroseconds: 810_000 };
  const failed = { ...count, outcome: "failed", requests: 10, tookMicroseconds: 0 };
  const run = { interface: "xs2a", beganAt: new Date(begin), answered: false, probes: 9 };
  const next = new Date(begin + 54_000);
  const raw = {
    counts: [count, failed],
    runs: [
      { ...run, lastAt: new Date(begin + 48_000) },
      {
        ...run,
        beganAt: next,
        lastAt: new Date(begin + 86_394_000),
        answered: true,
        probes: 14_391,
      },
    ],
  } as unknown as Partial<RawFigures>;
  const app = { channel: "app", day, plannedDowntime: 0.01, unplannedDowntime: 0, errors: 0.002 };
  const interfaceFigures = figuresOf(raw, [{ ...app, accountsMilliseconds: 91.25 }]);
  const published = await publishedQuarter({ interfaceFigures, profile });
  if (published === undefined) throw new Error("nothing is published");
  expect(csvOf(published).split("\r\n")).toEqual([
    "date,interface,uptime %,planned downtime %,unplanned downtime %,AIS ms,PIS ms,CoF ms,OAuth ms,own pages ms,errors %,requests,probed %",
    "2026-10-01,dedicated interface,99.938,0.000,0.063,20.3,,,,,20.000,50,100.000",
    "2026-10-01,own channel,,,,,,,,,0.000,0,0.000",
    "2026-10-01,app,99.000,1.000,0.000,91.3,,,,,0.200,,",
    "",
  ]);
});

it("no day is published before it is over and settled, and no quarter before the four last ones", async () => {
  atInstant("2026-10-01T12:00:00Z");
  const services = { interfaceFigures: figuresOf({}), profile };
  const running = await publishedQuarter(services);
  expect(running).toMatchObject({
    quarter: { name: "2026Q4" },
    interfaces: { xs2a: [], pages: [] },
  });
  expect((await publishedQuarter(services, "2026Q3"))?.interfaces.xs2a).toHaveLength(92);
  expect(await publishedQuarter(services, "2025Q3")).toBeUndefined();
  expect(await publishedQuarter(services, "2027Q1")).toBeUndefined();
});

it("minutes of downtime are planned and unplanned ones, of days that have 23 or 25 hours, too", () => {
  const down = { plannedDowntime: 0.02, unplannedDowntime: 0.03 };
  const minutes = ["2026-10-01", "2026-03-29", "2026-10-25"].map((text) =>
    Math.round(downtimeMinutes({ ...down, day: text as IsoDate }, profile.timeZone)),
  );
  expect(minutes).toEqual([72, 69, 75]);
});

const sample = (name: string) => {
  const text = readFileSync(new URL(`published-samples/${name}`, import.meta.url), "utf8");
  const [head = "none", ...lines] = text.trimEnd().split("\n");
  const names = head.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((cell, nth) => [names[nth], cell])),
  );
};
const figure = (row: Readonly<Record<string, string>>, name: string) => Number(row[name] ?? "NaN");

/**
 * N26, reporting period 2025 Q4: github.com/n26/psd2-tpp-docs, doc/assets/quarterly-report/2025, commit e12e6659 of
 * 2026-03-05, a PDF whose two tables are these two files. A day has as many requests as give its share of errors.
 */
it("the quarter that N26 has published for 2025Q4 comes out of raw rows that would give it", async () => {
  atInstant("2026-01-02T12:00:00Z");
  const bank = { name: "N26", timeZone: "Europe/Berlin" };
  const published = sample("n26-2025Q4-dedicated-interface.csv");
  const raw = published.map((row) => rawDay(row, bank.timeZone));
  const own = sample("n26-2025Q4-psu-interface.csv");
  const channels = own.map((row): ChannelDay => {
    const downtime = { plannedDowntime: 0, unplannedDowntime: figure(row, "% Downtime") / 100 };
    return {
      ...{ channel: "app", day: row["Date"] as IsoDate, ...downtime },
      accountsMilliseconds: figure(row, "Average in ms for AISP"),
      paymentsMilliseconds: figure(row, "Average in ms for PISP"),
    };
  });
  const interfaceFigures = figuresOf(
    { counts: raw.flatMap(({ counts }) => counts), runs: raw.flatMap(({ runs }) => runs) },
    channels,
  );
  const quarter = await publishedQuarter({ interfaceFigures, profile: bank }, "2025Q4");
  if (quarter === undefined) throw new Error("nothing is published");
  const lines = csvOf(quarter).split("\r\n");
  const means = (row: Readonly<Record<string, string>>) =>
    ["AISP", "PISP"]
      .map((service) => figure(row, `Average in ms for ${service}`).toFixed(1))
      .join();
  expect(lines.filter((line) => line.includes("dedicated interface"))).toEqual(
    published.map(
      (row) =>
        `${row["Date"]},dedicated interface,${row["% Uptime"]},0.000,${row["% Downtime"]},${means(row)},,,,${row["% errors"]},100000,100.000`,
    ),
  );
  expect(lines.filter((line) => line.includes(",app,"))).toEqual(
    own.map(
      (row) =>
        `${row["Date"]},app,${row["% Uptime"]},0.000,${row["% Downtime"]},${means(row)},,,,,,`,
    ),
  );
});

/** What servers and prober would have written of a day with these figures. */
function rawDay(row: Readonly<Record<string, string>>, timeZone: string) {
  const date = row["Date"] as IsoDate;
  const [from, until] = [startOfDayIn(timeZone, date), endOfDayIn(timeZone, date)];
  const probe = { interface: "xs2a", probes: 5 } as const;
  const down = from.getTime() + 3_600_000;
  const up = down + ((until.getTime() - from.getTime()) * figure(row, "% Downtime")) / 100;
  const at = (milliseconds: number) => new Date(milliseconds);
  const answered = { ...probe, answered: true };
  const runs =
    up === down
      ? [{ ...answered, beganAt: from, lastAt: at(until.getTime() - 6_000) }]
      : [
          { ...answered, beganAt: from, lastAt: at(down - 6_000) },
          { ...probe, answered: false, beganAt: at(down), lastAt: at(up - 6_000) },
          { ...answered, beganAt: at(up), lastAt: at(until.getTime() - 6_000) },
        ];
  const failed = Math.round(figure(row, "% errors") * 1_000);
  const granted = (["aisp", "pisp"] as const).map((area) => {
    const mean = figure(row, `Average in ms for ${area.toUpperCase()}`);
    return { area, outcome: "granted" as const, requests: 1_000, took: mean * 1_000 };
  });
  const rest = { area: "oauth" as const, requests: 98_000 - failed, took: 0 };
  const counts = [
    ...granted,
    { area: "oauth" as const, outcome: "failed" as const, requests: failed, took: 0 },
    { ...rest, outcome: "refused" as const },
  ].map(({ took, ...count }) => ({
    ...{ ...count, day: date, tookMicroseconds: Math.round(took * count.requests) },
  }));
  return { counts, runs };
}

/**
 * SEB, PSD2 KPI reports to 2024Q1: github.com/sebgroup/openbanking, PSD2statistics, commit af6a3a34 of 2024-07-02. SEB
 * publishes pictures of curves and no numbers, by day, with a curve for each channel of its own.
 */
it("each figure of which SEB publishes a curve is in the files, for several channels of one day", async () => {
  atInstant("2026-10-02T06:00:00Z");
  const app = { day, plannedDowntime: 0.01, unplannedDowntime: 0.02, accountsMilliseconds: 80 };
  const names = ["Internal 1", "Internal 2", "Internal 3"];
  const channels = names.map((channel) => ({ ...app, channel, paymentsMilliseconds: 120 }));
  const interfaceFigures = figuresOf({}, channels);
  const published = await publishedQuarter({ interfaceFigures, profile });
  if (published === undefined) throw new Error("nothing is published");
  const [head = "none", ...lines] = csvOf(published).split("\r\n");
  const curves = ["uptime %", "unplanned downtime %", "errors %", "AIS ms", "PIS ms", "CoF ms"];
  expect(head.split(",")).toEqual(expect.arrayContaining(curves));
  expect(lines.filter((line) => line.includes("Internal"))).toEqual(
    names.map((name) => `2026-10-01,${name},97.000,1.000,2.000,80.0,120.0,,,,,,`),
  );
});
