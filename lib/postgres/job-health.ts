import { sql } from "drizzle-orm";
import type { Database } from "./client";

/** What those who look after the servers want to know of the database. All of it was recorded at that instant. */
export type Operations = {
  readonly jobs: readonly { readonly name: string; readonly endedAt: Date }[];
  /** When the payment was authorised that has waited longest for the core bank to accept it, by the bank's clock. */
  readonly paymentWaitsSince?: Date;
  readonly sealedAt?: Date;
  /** Since when a seal waits to be sent elsewhere. */
  readonly sealUnsentSince?: Date;
  readonly countedTo?: Date;
  /** When a server has last noticed that the keys of a setting were others. */
  readonly keyChanges: ReadonlyMap<string, Date>;
  readonly webhooks: {
    /** What the bank's own systems have not taken yet, and of how many of these an attempt has failed. */
    readonly waiting: number;
    readonly failing: number;
    /** When the oldest of them happened. */
    readonly since?: Date;
  };
};

export async function operationsOf(db: Database): Promise<Operations> {
  type Row = { readonly name: string; readonly at: string | null };
  const rows = await db.execute<Row>(sql`
    select 'job ' || name as name, ended_at::text as at from job_run
    union all select 'paymentWaitsSince', (select min(status_at)::text
      from payment_submission join payment_state using (payment_id) where status = 'ACTC')
    union all select 'sealedAt', (select sealed_at::text from event_seal order by number desc limit 1)
    union all select 'sealUnsentSince', (select sealed_at::text from event_seal where sent_at is null order by number limit 1)
    union all select 'countedTo', (select counted_to::text from day_count_position)
    union all select 'changed ' || split_part(file, ' ', 1), max(recorded_at)::text
      from event, jsonb_array_elements_text(detail->'files') file
      where retention = 'administration' and kind = 'key-changed' group by 1`);
  const known = rows.flatMap(({ name, at }) =>
    at === null ? [] : [[name, new Date(at)] as const],
  );
  const named = (kind: string) =>
    known.flatMap(([name, at]) =>
      name.startsWith(kind) ? [[name.slice(kind.length), at] as const] : [],
    );
  const [outbox] = await db.execute<Record<"waiting" | "failing" | "since", string | null>>(sql`
    select count(*) as waiting, count(*) filter (where attempts > 1) as failing, min(at)::text as since
    from webhook where tpp_id is null`);
  const since = outbox?.since;
  const webhooks = {
    ...{ waiting: Number(outbox?.waiting), failing: Number(outbox?.failing) },
    ...(since && { since: new Date(since) }),
  };
  return {
    jobs: named("job ").map(([name, endedAt]) => ({ name, endedAt })),
    keyChanges: new Map(named("changed ")),
    webhooks,
    ...Object.fromEntries(known.filter(([name]) => !name.includes(" "))),
  };
}
