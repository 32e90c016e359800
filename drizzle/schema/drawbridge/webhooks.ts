import { sql } from "drizzle-orm";
import { check, index, pgTable } from "drizzle-orm/pg-core";
import type { TppId } from "../../../lib/domain/values";
import { notificationType, type WebhookType, webhookTypes } from "../../../lib/domain/webhooks";
import { instant, oneOf } from "../columns";

/** There while somebody is to be told; one row. Without it the triggers of this release put nothing into the outbox. */
export const webhookReceiver = pgTable(
  "webhook_receiver",
  (t) => ({ id: t.boolean("id").primaryKey().default(true), since: instant("since").notNull() }),
  (row) => [check("webhook_receiver_one_row", sql`${row.id}`)],
);

/**
 * The outbox: what the bank's own systems, and TPPs, have not been told yet. Written by triggers, in the transaction that changes
 * what it tells of; a row is removed when its receiver has taken it.
 */
export const webhook = pgTable(
  "webhook",
  (t) => ({
    id: t.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    /** By which the receiver knows a message that comes again. */
    messageId: t.uuid("message_id").notNull().defaultRandom(),
    type: t.text("type").$type<WebhookType>().notNull(),
    /** What it is about: of one resource the earlier is delivered first. */
    resource: t.text("resource").notNull(),
    data: t.jsonb("data").$type<Readonly<Record<string, string>>>().notNull(),
    /** By the bank's clock. */
    at: instant("at").notNull(),
    /** By the database's clock, as a sandbox's may be moved and its receiver's not. */
    dueAt: instant("due_at").notNull().default(sql`clock_timestamp()`),
    attempts: t.integer("attempts").notNull().default(0),
    /** Of a notification: whom it is for, and where it goes; null for the bank's own systems. */
    tppId: t.text("tpp_id").$type<TppId>(),
    url: t.text("url"),
    /** Why the latest attempt failed. */
    failure: t.text("failure"),
    /** Only in a sandbox a message is kept when it was taken. */
    takenAt: instant("taken_at"),
  }),
  (row) => [
    index("webhook_due").on(row.dueAt).where(sql`${row.takenAt} is null`),
    index("webhook_of_tpp").on(row.tppId, row.id),
    index("webhook_of_resource").on(row.resource, row.id),
    check("webhook_type", oneOf(row.type, [...webhookTypes, notificationType])),
    check("webhook_url", sql`(${row.tppId} is null) = (${row.url} is null)`),
  ],
);
