import { afterEach, expect, it, vi } from "vitest";
import type { ChannelDay, InterfaceFigures, RawFigures } from "./domain/interface-figures";
import type { IsoDate } from "./domain/values";
import { csvOf, publishedQuarter } from "./published-statistics";

const profile = { name: "Example Bank", timeZone: "Europe/Bucharest" };
const day = "2026-10-01" as IsoDate;
const begin = Date.parse("2026-09-30T21:00:00Z");

function figuresOf(
  raw: Partial<RawFigures>,
  channels: readonly ChannelDay[] = [],
): InterfaceFigures {
  const never = () => Promise.reject(new Error("not read"));
  return {
    ...{ keepRuns: never, sumDay: never, keepChannelDays: never, announceDowntime: never },
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
