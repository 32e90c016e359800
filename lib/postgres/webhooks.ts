import { desc, eq, isNotNull, sql } from "drizzle-orm";
import { webhook, webhookReceiver } from "@/drizzle/schema/drawbridge";
import type { TppId } from "@/lib/domain/values";
import type { Webhook } from "@/lib/domain/webhooks";
import type { Database } from "./client";

/** A message that this server delivers now: until its lease is over, no other does. */
export type LeasedWebhook = Webhook & {
  readonly id: bigint;
  readonly resource: string;
  /** Absent of the bank's own. */
  readonly tppId: TppId | null;
  /** With the one that begins. */
  readonly attempts: number;
};

type Lease = {
  readonly limit: number;
  readonly perReceiver: number;
  readonly seconds: number;
  /** Of each that this server delivers already. */
  readonly besides?: readonly (TppId | null)[];
};

type Whose = {
  readonly of: "bank" | "tpps";
  /** A message that was taken stays, to be seen and sent again. */
  readonly keepsTaken?: boolean;
};

/** What the bank's own systems, or TPPs, have not been told yet. Each method is one statement or one transaction. */
export type WebhookOutbox = ReturnType<typeof webhookOutbox>;

export function webhookOutbox(db: Database, { of, keepsTaken = false }: Whose = { of: "bank" }) {
  const own = of === "bank" ? sql`tpp_id is null` : sql`tpp_id is not null`;
  return {
    /** From now on the triggers put into the outbox what happens. */
    open: async (now: Date): Promise<void> => {
      await db.insert(webhookReceiver).values({ since: now }).onConflictDoNothing();
    },
    /** Nobody is to be told any more, not even of what waits. */
    close: (): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.delete(webhookReceiver);
        await tx.delete(webhook).where(own);
      }),
    /**
     * Messages that are due, of each resource the earliest, and never one before an earlier one was taken. So many of one
     * TPP, with those besides: its receiver may keep them waiting. None of a TPP that the bank has blocked.
     */
    lease: async (asked: Lease): Promise<readonly LeasedWebhook[]> => {
      const { limit, perReceiver, seconds, besides = [] } = asked;
      const first = sql`select id, tpp_id, row_number() over (partition by tpp_id order by due_at) as place from ${webhook} one
        where due_at <= statement_timestamp() and taken_at is null and ${own} and not exists (select from ${webhook} earlier
          where earlier.resource = one.resource and earlier.id < one.id and earlier.taken_at is null)
        and not exists (select from tpp_block block where block.tpp_id = one.tpp_id and lifted_at is null
          and (until is null or until > statement_timestamp()))`;
      const due = sql`select id from ${webhook} where due_at <= statement_timestamp() and taken_at is null
        and id in (select id from (${first}) ranked where place <= ${perReceiver} - (
          select count(*) from jsonb_array_elements_text(${JSON.stringify(besides)}::jsonb) receiver where receiver = tpp_id))
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
    taken: async (id: bigint): Promise<void> => {
      const taken = { takenAt: sql`clock_timestamp()` };
      const told = keepsTaken ? db.update(webhook).set(taken) : db.delete(webhook);
      await told.where(eq(webhook.id, id));
    },
    remove: async (id: bigint): Promise<void> => {
      await db.delete(webhook).where(eq(webhook.id, id));
    },
    /** Whatever is about the same resource waits with it. */
    postpone: async (
      { id, resource }: LeasedWebhook,
      { seconds, failure }: { readonly seconds: number; readonly failure: string },
    ): Promise<void> => {
      await db
        .update(webhook)
        .set({
          dueAt: sql`clock_timestamp() + make_interval(secs => ${seconds})`,
          failure: sql`case when ${webhook.id} = ${id} then ${failure} else ${webhook.failure} end`,
        })
        .where(eq(webhook.resource, resource));
    },
    /** Drops the oldest of each receiver beyond `most`, in one batch; yields how many that nobody has taken. */
    trim: async (most: number, batch: number): Promise<number> => {
      const oldest = sql`select id from (select id, row_number() over (partition by tpp_id order by id desc) as place
        from ${webhook} where ${own}) ranked where place > ${most} order by id limit ${batch}`;
      const locked = sql`select id from ${webhook} where id in (${oldest}) for update skip locked`;
      const { id, takenAt } = webhook;
      const dropped = await db
        .delete(webhook)
        .where(sql`${id} in (${locked})`)
        .returning({ takenAt });
      return dropped.filter((one) => one.takenAt === null).length;
    },
  };
}

export type ShownNotification = Pick<
  typeof webhook.$inferSelect,
  "id" | "data" | "at" | "attempts" | "failure" | "takenAt"
> & { readonly tppId: TppId; readonly url: string };

/** What TPPs were told in a sandbox, and what they are still to be told. */
export function sandboxNotifications(db: Database) {
  return {
    newest: async (limit: number): Promise<readonly ShownNotification[]> => {
      const rows = await db
        .select()
        .from(webhook)
        .where(isNotNull(webhook.tppId))
        .orderBy(desc(webhook.id))
        .limit(limit);
      return rows.flatMap(({ tppId, url, ...row }) =>
        tppId === null || url === null ? [] : [{ ...row, tppId, url }],
      );
    },
    /** It is sent once more, with the same id. */
    replay: async (id: bigint): Promise<void> => {
      await db
        .update(webhook)
        .set({ takenAt: null, failure: null, attempts: 0, dueAt: sql`clock_timestamp()` })
        .where(sql`${webhook.id} = ${id} and ${webhook.tppId} is not null`);
    },
  };
}
