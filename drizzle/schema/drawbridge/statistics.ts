import { sql } from "drizzle-orm";
import { check, index, pgTable, unique } from "drizzle-orm/pg-core";
import type { ResourceKind } from "../../../lib/domain/authorisation";
import type { Counted } from "../../../lib/domain/statistics";
import type { IsoDate, TppId } from "../../../lib/domain/values";

/** How often what has happened in a day of the bank's time. Added up by a job, so that no page reads events by the million. */
export const dayCount = pgTable(
  "day_count",
  (t) => ({
    day: t.date("day", { mode: "string" }).$type<IsoDate>().notNull(),
    what: t.text("what").$type<Counted>().notNull(),
    tppId: t.text("tpp_id").$type<TppId>(),
    /** A status, a code, a means: see lib/domain/statistics. */
    value: t.text("value"),
    part: t.text("part"),
    count: t.bigint("count", { mode: "number" }).notNull(),
  }),
  (row) => [
    unique("day_count_of_tpp")
      .on(row.tppId, row.day, row.what, row.value, row.part)
      .nullsNotDistinct(),
    index("day_count_of_day").on(row.day),
  ],
);

/** How many consents a TPP, or without one all of them, have in each state. Kept by the same job, from the same events. */
export const consentCount = pgTable(
  "consent_count",
  (t) => ({
    tppId: t.text("tpp_id").$type<TppId>(),
    kind: t.text("kind").$type<Exclude<ResourceKind, "PIS">>().notNull(),
    status: t.text("status").notNull(),
    count: t.bigint("count", { mode: "number" }).notNull(),
  }),
  (row) => [unique("consent_count_of_tpp").on(row.tppId, row.kind, row.status).nullsNotDistinct()],
);

/** Up to when events and reads have been counted, in the database's time; one row. */
export const dayCountPosition = pgTable(
  "day_count_position",
  (t) => ({
    id: t.boolean("id").primaryKey().default(true),
    countedTo: t.timestamp("counted_to", { withTimezone: true, mode: "string" }).notNull(),
  }),
  (row) => [check("day_count_position_one_row", sql`${row.id}`)],
);

/** When a job has last come to its end, on whichever server. */
export const jobRun = pgTable("job_run", (t) => ({
  name: t.text("name").primaryKey(),
  endedAt: t.timestamp("ended_at", { withTimezone: true, mode: "date" }).notNull(),
}));
