import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import type { MessageCode } from "../../../lib/domain/errors";
import { type Area, areas, type Outcome, outcomes } from "../../../lib/domain/interface-figures";
import { day, instant, oneOf } from "../columns";

// What a bank publishes each quarter of its interfaces (RTS art. 32(4), EBA/GL/2018/07): raw rows, out of which every
// figure can be computed again.

/** How many requests of an area ended in which way in a minute, over all servers, which add to it. */
export const requestMinute = pgTable(
  "request_minute",
  (t) => ({
    minute: instant("minute").notNull(),
    area: t.text("area").$type<Area>().notNull(),
    outcome: t.text("outcome").$type<Outcome>().notNull(),
    requests: t.integer("requests").notNull(),
    /** Of all of them together. */
    tookMicroseconds: t.bigint("took_microseconds", { mode: "number" }).notNull(),
  }),
  (row) => [
    primaryKey({ columns: [row.minute, row.area, row.outcome] }),
    check("request_minute_area", oneOf(row.area, areas)),
    check("request_minute_outcome", oneOf(row.outcome, outcomes)),
  ],
);

/** The same of a local day of the bank, summed when it is over: a quarter has a hundred and thirty thousand minutes. */
export const requestDay = pgTable(
  "request_day",
  (t) => ({
    day: day("day").notNull(),
    area: t.text("area").$type<Area>().notNull(),
    outcome: t.text("outcome").$type<Outcome>().notNull(),
    requests: t.bigint("requests", { mode: "number" }).notNull(),
    tookMicroseconds: t.bigint("took_microseconds", { mode: "number" }).notNull(),
  }),
  (row) => [primaryKey({ columns: [row.day, row.area, row.outcome] })],
);

/** How many requests of an area were refused with which code on a local day of the bank, over all servers, which add to it. */
export const refusalDay = pgTable(
  "refusal_day",
  (t) => ({
    day: day("day").notNull(),
    area: t.text("area").$type<Area>().notNull(),
    /** No CHECK: a release with one more code would not be counted under this one's. */
    code: t.text("code").$type<MessageCode>().notNull(),
    requests: t.bigint("requests", { mode: "number" }).notNull(),
  }),
  (row) => [primaryKey({ columns: [row.day, row.area, row.code] })],
);

/** Consecutive requests of the prober that all had a reply, or all had none; a pause of the prober begins another. */
export const probeRun = pgTable(
  "probe_run",
  (t) => ({
    interface: t.text("interface").notNull(),
    /** When the first of them was sent, and the last. */
    beganAt: instant("began_at").notNull(),
    lastAt: instant("last_at").notNull(),
    answered: t.boolean("answered").notNull(),
    probes: t.integer("probes").notNull(),
  }),
  (row) => [
    primaryKey({ columns: [row.interface, row.beganAt] }),
    index("probe_run_last_at").on(row.lastAt),
    check("probe_run_order", sql`${row.beganAt} <= ${row.lastAt}`),
  ],
);

/** Announced beforehand: downtime in it is planned. */
export const plannedDowntime = pgTable(
  "planned_downtime",
  (t) => ({
    id: t.uuid("id").primaryKey(),
    interface: t.text("interface").notNull(),
    beginsAt: instant("begins_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    reason: t.text("reason").notNull(),
    announcedAt: instant("announced_at").notNull(),
    announcedBy: t.text("announced_by").notNull(),
  }),
  (row) => [check("planned_downtime_order", sql`${row.beginsAt} < ${row.endsAt}`)],
);

/** The figures of a day of a channel of the bank that is not this server, such as its app, as the bank has given them. */
export const channelDay = pgTable(
  "channel_day",
  (t) => ({
    channel: t.text("channel").notNull(),
    day: day("day").notNull(),
    plannedDowntime: t.doublePrecision("planned_downtime").notNull(),
    unplannedDowntime: t.doublePrecision("unplanned_downtime").notNull(),
    accountsMilliseconds: t.doublePrecision("accounts_milliseconds"),
    paymentsMilliseconds: t.doublePrecision("payments_milliseconds"),
    errors: t.doublePrecision("errors"),
  }),
  (row) => [
    primaryKey({ columns: [row.channel, row.day] }),
    check(
      "channel_day_shares",
      sql`${row.plannedDowntime} >= 0 and ${row.unplannedDowntime} >= 0 and ${row.plannedDowntime} + ${row.unplannedDowntime} <= 1 and ${row.errors} between 0 and 1`,
    ),
  ],
);
