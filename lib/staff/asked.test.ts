import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { EventReader } from "@/lib/domain/events";
import type { Statistics } from "@/lib/domain/statistics";
import { aspspProfile } from "@/lib/testing-profile";
import { eventsView } from "./events";
import { statisticsTable } from "./statistics";
import type { Query } from "./table";
import type { StaffVisit } from "./visit";

const now = new Date("2026-11-20T10:00:00Z");
beforeAll(() => vi.useFakeTimers({ now, toFake: ["Date"] }));
afterAll(() => vi.useRealTimers());

/** What the pages of statistics and events ask the database for. */
async function askedFor(query: Query) {
  const asked: { days?: unknown; hour?: unknown; after?: unknown } = {};
  const statistics: Pick<Statistics, "days"> = {
    days: async (span) => {
      asked.days = span;
      return [];
    },
  };
  const eventReader: EventReader = {
    list: async ({ from, to }, { after }) => {
      Object.assign(asked, { hour: [from, to], after });
      return [];
    },
  };
  const services = { profile: aspspProfile, statistics, eventReader };
  const visit = { services, language: "en", now } as unknown as StaffVisit;
  await statisticsTable(visit, [], query);
  await eventsView(visit, query);
  return asked;
}

const month = { from: "2026-10-22", to: "2026-11-20" };

it.each(["0001-01-01", "1999-12-31", "9999-12-31", "2026-02-30", "yesterday"])(
  "the day %s, which no bank's clock has, is taken for none",
  async (day) => {
    const usual = await askedFor({});
    expect(usual.days).toEqual(month);
    expect(await askedFor({ from: day, to: day, day, hour: "23" })).toEqual(usual);
  },
);

it("2000-01-01 and 2999-12-31, the first and the last day, are taken like any other", async () => {
  const first = await askedFor({ to: "2000-01-01", day: "2000-01-01" });
  expect(first.days).toEqual({ from: "1999-12-03", to: "2000-01-01" });
  const last = await askedFor({ to: "2999-12-31", day: "2999-12-31", hour: "23" });
  expect(last.days).toEqual({ from: "2999-12-02", to: "2999-12-31" });
  expect(last.hour).toEqual(["2999-12-31T23:00:00.000Z", "3000-01-01T00:00:00.000Z"]);
});

it.each([
  ["2026-11-20T09:59:59.123456Z", true],
  ["2026-99-99T99:99:99.999999Z", false],
  ["2026-02-30T10:00:00.000000Z", false],
  ["2026-11-20T10:60:00.000000Z", false],
  ["9999-12-31T23:59:59.999999Z", false],
])("the events after %s follow: %s", async (recordedAt, exists) => {
  const { after } = await askedFor({ after: `${recordedAt} 1 security` });
  expect(after).toEqual(exists ? { recordedAt, id: "1", retention: "security" } : undefined);
});
