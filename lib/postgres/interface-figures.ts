import { randomUUID } from "node:crypto";
import { and, asc, gte, lt, lte, sql } from "drizzle-orm";
import {
  channelDay,
  plannedDowntime,
  probeRun,
  refusalDay,
  requestDay,
  requestMinute,
} from "@/drizzle/schema/drawbridge";
import {
  type ChannelDay,
  figuresKeptDays,
  type InterfaceFigures,
  type ProbedInterface,
} from "@/lib/domain/interface-figures";
import { addTime, endOfDayIn, type IsoDate, startOfDayIn } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";
import { deleteOldest, excluded } from "./columns";

/** Days of which all minutes are still there. */
const DAYS_BACK = figuresKeptDays - 2;
const DAYS_AT_ONCE = 7;

export function interfaceFigures(db: Database): InterfaceFigures {
  return {
    keepRuns: async (runs) => {
      if (runs.length === 0) return;
      await db
        .insert(probeRun)
        .values([...runs])
        .onConflictDoUpdate({
          target: [probeRun.interface, probeRun.beganAt],
          set: excluded(probeRun, ["lastAt", "probes"]),
        });
    },
    sumDays: async (to, timeZone) => {
      const midnight = (days: number) =>
        sql`(at + make_interval(days => ${days}::int)) at time zone ${timeZone}`;
      await db.execute(sql`
        with unsummed as (
          select at::date as day, ${midnight(0)} as since, ${midnight(1)} as until
          from generate_series(${to}::timestamp - make_interval(days => ${DAYS_BACK}::int), ${to}::timestamp, interval '1 day') at
          where not exists (select from ${requestDay} known where known.day = at::date)
            and exists (select from ${requestMinute} where minute >= ${midnight(0)} and minute < ${midnight(1)})
          order by at desc limit ${DAYS_AT_ONCE}
        )
        insert into ${requestDay} (day, area, outcome, requests, took_microseconds)
        select day, area, outcome, sum(requests), sum(took_microseconds)
        from unsummed join ${requestMinute} on minute >= since and minute < until
        group by day, area, outcome on conflict do nothing`);
    },
    read: async ({ from, to, timeZone }) => {
      const [since, until] = [startOfDayIn(timeZone, from), endOfDayIn(timeZone, to)];
      const [counts, runs, planned] = await Promise.all([
        db
          .select()
          .from(requestDay)
          .where(and(gte(requestDay.day, from), lte(requestDay.day, to))),
        db
          .select()
          .from(probeRun)
          .where(and(gte(probeRun.lastAt, since), lt(probeRun.beganAt, until)))
          .orderBy(asc(probeRun.beganAt)),
        db
          .select()
          .from(plannedDowntime)
          .where(and(gte(plannedDowntime.endsAt, since), lt(plannedDowntime.beginsAt, until))),
      ]);
      return {
        counts,
        runs: runs.map((run) => ({ ...run, interface: run.interface as ProbedInterface })),
        planned: planned.map(({ beginsAt, endsAt, interface: of }) => {
          return { interface: of as ProbedInterface, from: beginsAt, until: endsAt };
        }),
      };
    },
    keepChannelDays: async (days) => {
      if (days.length === 0) return;
      await db
        .insert(channelDay)
        .values([...days])
        .onConflictDoUpdate({
          target: [channelDay.channel, channelDay.day],
          set: excluded(channelDay, [
            ...(["plannedDowntime", "unplannedDowntime", "errors"] as const),
            ...(["accountsMilliseconds", "paymentsMilliseconds"] as const),
          ]),
        });
    },
    channelDays: async (from, to) => {
      const rows = await db
        .select()
        .from(channelDay)
        .where(and(gte(channelDay.day, from), lte(channelDay.day, to)))
        .orderBy(asc(channelDay.channel), asc(channelDay.day));
      return rows.map((row): ChannelDay => withoutNulls(row));
    },
    announceDowntime: async ({ from, until, reason, by, at, interface: of }) => {
      const announced = { announcedBy: by, announcedAt: at, reason, interface: of };
      await db
        .insert(plannedDowntime)
        .values({ id: randomUUID(), beginsAt: from, endsAt: until, ...announced });
    },
  };
}

/** Raw rows whose quarters are published no more; yields how many were deleted. */
export async function forgetInterfaceFigures(
  db: Database,
  now: Date,
  limit: number,
): Promise<number> {
  const before = addTime(now, -figuresKeptDays, "day");
  const { minute, area, outcome } = requestMinute;
  const counts = await deleteOldest(db, requestMinute, lt(minute, before), {
    key: [minute, area, outcome],
    orderBy: minute,
    limit,
  });
  const runs = await deleteOldest(db, probeRun, lt(probeRun.lastAt, before), {
    key: [probeRun.interface, probeRun.beganAt],
    orderBy: probeRun.beganAt,
    limit,
  });
  const first = before.toISOString().slice(0, 10) as IsoDate;
  const days = await deleteOldest(db, requestDay, lt(requestDay.day, first), {
    key: [requestDay.day, requestDay.area, requestDay.outcome],
    orderBy: requestDay.day,
    limit,
  });
  const refusals = await deleteOldest(db, refusalDay, lt(refusalDay.day, first), {
    key: [refusalDay.day, refusalDay.area, refusalDay.code],
    orderBy: refusalDay.day,
    limit,
  });
  return Math.max(counts, runs, days, refusals);
}
