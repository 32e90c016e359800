import { asc, eq, inArray, sql } from "drizzle-orm";
import { webhook, webhookReceiver } from "@/drizzle/schema/drawbridge";
import type { Webhook } from "@/lib/domain/webhooks";
import type { Database } from "./client";

/** A message that this server delivers now: until its lease is over, no other does. */
export type LeasedWebhook = Webhook & {
  readonly id: bigint;
  readonly resource: string;
  /** With the one that begins. */
  readonly attempts: number;
};

type Lease = { readonly limit: number; readonly seconds: number };

/** What the bank's own systems have not been told yet. Each method is one statement or one transaction. */
export type WebhookOutbox = ReturnType<typeof webhookOutbox>;

export function webhookOutbox(db: Database) {
  return {
    /** From now on the triggers put into the outbox what happens. */
    open: async (now: Date): Promise<void> => {
      await db.insert(webhookReceiver).values({ since: now }).onConflictDoNothing();
    },
    /** Nobody is to be told any more, not even of what waits. */
    close: (): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.delete(webhookReceiver);
        await tx.delete(webhook);
      }),
    /** Messages that are due, of each resource the earliest, and never one before an earlier one was taken. */
    lease: async ({ limit, seconds }: Lease): Promise<readonly LeasedWebhook[]> => {
      const due = sql`select id from ${webhook} one where due_at <= clock_timestamp()
        and not exists (select from ${webhook} earlier where earlier.resource = one.resource and earlier.id < one.id)
        order by due_at limit ${limit} for update skip locked`;
      return db
        .update(webhook)
        .set({
          dueAt: sql`clock_timestamp() + make_interval(secs => ${seconds})`,
          attempts: sql`${webhook.attempts} + 1`,
        })
        .where(sql`${webhook.id} in (${due})`)
        .returning();
    },
    /** The receiver has taken it. */
    remove: async (id: bigint): Promise<void> => {
      await db.delete(webhook).where(eq(webhook.id, id));
    },
    /** Whatever is about the same resource waits with it. */
    postpone: async ({ resource }: LeasedWebhook, seconds: number): Promise<void> => {
      await db
        .update(webhook)
        .set({ dueAt: sql`clock_timestamp() + make_interval(secs => ${seconds})` })
        .where(eq(webhook.resource, resource));
    },
    /** Drops the oldest beyond `most`, in one batch; yields how many. */
    trim: async (most: number, batch: number): Promise<number> => {
      const [first] = await db.execute<{ id: string }>(
        sql`select id from ${webhook} order by id desc offset ${most} limit 1`,
      );
      if (first === undefined) return 0;
      const oldest = db
        .select({ id: webhook.id })
        .from(webhook)
        .where(sql`${webhook.id} <= ${first.id}::bigint`)
        .orderBy(asc(webhook.id))
        .limit(batch)
        .for("update", { skipLocked: true });
      return (await db.delete(webhook).where(inArray(webhook.id, oldest))).count;
    },
  };
}
