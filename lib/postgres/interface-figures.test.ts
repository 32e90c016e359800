import { expect, it } from "vitest";
import { dailyFigures, type MinuteCount, type Outcome } from "@/lib/domain/interface-figures";
import { addTime, type IsoDate } from "@/lib/domain/values";
import { guardedClient } from "./guarded-client";
import { forgetInterfaceFigures, interfaceFigures } from "./interface-figures";
import { addRequestCounts } from "./request-counts";
import { fileDatabase } from "./testing";

const { db, sql, url } = await fileDatabase();
const statistics = interfaceFigures(db);
const timeZone = "Europe/Bucharest";
const day = "2026-11-24" as IsoDate;
const begin = new Date("2026-11-23T22:00:00Z");

function counted(minute: number, outcome: Outcome, requests = 1): MinuteCount {
  const at = addTime(begin, minute, "minute");
  return { minute: at, area: "aisp", outcome, requests, tookMicroseconds: requests * 2_000 };
}

it("servers add to the same minutes at the same time, and no request is lost or counted twice", async () => {
  const servers = [1, 2, 3, 4].map(() => guardedClient(url, { max: 1 }));
  const rounds = servers.flatMap(({ run }, server) =>
    Array.from({ length: 25 }, (_, nth) =>
      addRequestCounts(
        run,
        [
          counted((nth + server) % 3, "granted", 2),
          counted(nth % 3, "failed"),
          { ...counted(2 - (nth % 3), "refused"), codes: { FORMAT_ERROR: 1 } },
        ],
        timeZone,
      ),
    ),
  );
  await Promise.all(rounds);
  const [all] =
    await sql`select sum(requests)::int as requests, sum(took_microseconds)::int as took,
    count(*)::int as rows from request_minute`;
  expect(all).toEqual({ requests: 400, took: 800_000, rows: 9 });
  await Promise.all(servers.map(({ close }) => close()));
});

it("refusals are counted by local day, area and code, and those of all servers add up", async () => {
  const { run, close } = guardedClient(url, { max: 1 });
  const refused = (minute: number, codes: MinuteCount["codes"]) =>
    ({ ...counted(minute, "refused", 0), area: "pisp", codes }) as const;
  const given = [
    refused(-1, { CONSENT_INVALID: 3 }),
    refused(0, { CONSENT_INVALID: 2, ACCESS_EXCEEDED: 1 }),
    refused(1_439, { CONSENT_INVALID: 4 }),
  ];
  await addRequestCounts(run, given, timeZone);
  await close();
  const rows =
    await sql`select day::text, area, code, requests::int from refusal_day order by 1, 2, 3`;
  expect(rows.map((row) => Object.values(row).join(" "))).toEqual([
    "2026-11-23 pisp CONSENT_INVALID 3",
    "2026-11-24 aisp FORMAT_ERROR 100",
    "2026-11-24 pisp ACCESS_EXCEEDED 1",
    "2026-11-24 pisp CONSENT_INVALID 6",
  ]);
  await sql`delete from request_minute where area = 'pisp'`;
});

it("the figures of a day are those that its raw rows give, also when it is summed twice", async () => {
  const { run, close } = guardedClient(url, { max: 1 });
  await addRequestCounts(
    run,
    [counted(-1, "failed", 1_000), counted(1_440, "failed", 1_000)],
    timeZone,
  );
  await close();
  await Promise.all([statistics.sumDays(day, timeZone), statistics.sumDays(day, timeZone)]);
  const asked = { from: day, to: day, timeZone };
  const read = await statistics.read(asked);
  const raw = await sql<{ outcome: Outcome; requests: number; took: number }[]>`
    select outcome, requests, took_microseconds::int as took from request_minute
    where minute >= ${begin} and minute < ${addTime(begin, 1, "day")}`;
  const counts = raw.map(({ outcome, requests, took }) => {
    return { day, area: "aisp" as const, outcome, requests, tookMicroseconds: took };
  });
  const published = dailyFigures("xs2a", read, asked);
  expect(published).toEqual(dailyFigures("xs2a", { ...read, counts }, asked));
  expect(published).toMatchObject([{ requests: 400, errors: 0.25, meanMilliseconds: { aisp: 2 } }]);
});

it("a day that no server has summed in time is summed later, and one that is not over is not", async () => {
  const later = ["2026-11-21", "2026-11-22", "2026-11-26", "2026-11-27"] as const;
  const { run, close } = guardedClient(url, { max: 1 });
  await addRequestCounts(
    run,
    later.map((text) => ({ ...counted(0, "granted"), minute: new Date(`${text}T12:00:00Z`) })),
    timeZone,
  );
  await close();
  await statistics.sumDays("2026-11-26" as IsoDate, timeZone);
  const summed = await sql`select distinct day::text from request_day order by day`;
  expect(summed.map(({ day }) => day)).toEqual([
    "2026-11-21",
    "2026-11-22",
    "2026-11-23",
    "2026-11-24",
    "2026-11-25",
    "2026-11-26",
  ]);
});

it("a run of probes that goes on is one row, and planned downtime is read with the days that it touches", async () => {
  const run = { interface: "xs2a", beganAt: begin, answered: false } as const;
  const later = addTime(begin, 30, "second");
  await statistics.keepRuns([{ ...run, lastAt: begin, probes: 1 }]);
  await statistics.keepRuns([{ ...run, lastAt: later, probes: 6 }]);
  const window = { interface: "xs2a", from: addTime(begin, -1, "hour"), until: later } as const;
  await statistics.announceDowntime({ ...window, reason: "upgrade", by: "maria", at: begin });
  const { runs, planned } = await statistics.read({ from: day, to: day, timeZone });
  expect(runs).toEqual([{ ...run, lastAt: later, probes: 6 }]);
  expect(planned).toEqual([window]);
  const next = "2026-11-25" as IsoDate;
  expect(await statistics.read({ from: next, to: next, timeZone })).toMatchObject({
    runs: [],
    planned: [],
  });
});

it("the figures of another channel replace those that were given of the same day", async () => {
  const given = { channel: "app", day, plannedDowntime: 0, unplannedDowntime: 0.01, errors: 0 };
  await statistics.keepChannelDays([given, { ...given, channel: "web", accountsMilliseconds: 90 }]);
  await statistics.keepChannelDays([{ ...given, unplannedDowntime: 0.02 }]);
  expect(await statistics.channelDays(day, day)).toEqual([
    { ...given, unplannedDowntime: 0.02 },
    { ...given, channel: "web", accountsMilliseconds: 90 },
  ]);
});

it("raw rows go when their quarters are published no more", async () => {
  expect(await forgetInterfaceFigures(db, addTime(begin, 500, "day"), 100)).toBe(0);
  expect(await forgetInterfaceFigures(db, addTime(begin, 600, "day"), 100)).toBeGreaterThan(0);
  const [rows] = await sql`select (select count(*) from request_minute)::int
    + (select count(*) from request_day)::int + (select count(*) from probe_run)::int
    + (select count(*) from refusal_day)::int as left`;
  expect(rows).toEqual({ left: 0 });
});
