import { type SQL, sql } from "drizzle-orm";
import { isNotRequested, isRequested } from "@/drizzle/schema/drawbridge/events";
import {
  type EventFilter,
  type EventLine,
  type EventLog,
  type EventReader,
  eventKinds,
  keptMonths,
  type NewEvent,
  retentions,
} from "@/lib/domain/events";
import type { PsuId } from "@/lib/domain/values";
import type { Database } from "./client";
import { utcText } from "./columns";

/** Months of which there are partitions before the first event of them comes. */
const MONTHS_AHEAD = 3;

export function eventLog({ $client }: Pick<Database, "$client">): EventLog {
  return {
    record: async ({ kind, tppId, requestId, resource, psuId, actor, detail = {} }: NewEvent) => {
      await $client.run(
        (tag) => tag`select event_record(${kind}, ${eventKinds[kind]}, ${tppId ?? null}::text,
          ${requestId ?? null}::uuid, ${resource?.kind ?? null}::text, ${resource?.id ?? null}::uuid,
          ${psuId ?? null}::text, ${actor ?? null}::text, ${JSON.stringify(detail)}::text::jsonb)`,
      );
    },
  };
}

export function eventReader(db: Database): EventReader {
  return { list: (filter, page) => listEvents(db, filter, page) };
}

/** Makes the partitions of the coming months, and removes the months that have been kept for long enough. */
export async function keepMonths(db: Database): Promise<void> {
  await db.execute(sql`select event_months_ahead(${MONTHS_AHEAD})`);
  for (const retention of retentions) {
    const old = await db.execute<{ readonly month: string }>(sql`
      select to_date(right(relname, 7), 'YYYY_MM')::text as month from pg_class
      where relispartition and relkind = 'r' and relname ~ ${`^event_${retention}_\\d{4}_\\d{2}$`}
        and to_date(right(relname, 7), 'YYYY_MM') < now() - make_interval(months => ${keptMonths[retention] + 1})
      order by relname`);
    // Each in a transaction of its own: requests wait while a month goes.
    for (const { month } of old)
      await db.execute(sql`select event_remove_month(${retention}, ${month}::date)`);
  }
}

/** In the order of their texts, which is the database's. */
const LAST = retentions.toSorted().at(-1);

type Row = Readonly<Record<string, unknown>> & Omit<EventLine, "line">;

/** In the order in which they were recorded, from the one after `after` on. */
export async function listEvents(
  db: Database,
  { from, to, isSealed, retention, kind, tppId, requestId, resourceId, psuId }: EventFilter,
  { after, limit }: Parameters<EventReader["list"]>[1],
): Promise<readonly EventLine[]> {
  const conditions = [
    from !== undefined && sql`recorded_at >= ${from}::timestamptz`,
    to !== undefined && sql`recorded_at < ${to}::timestamptz`,
    isSealed && sql`recorded_at < (select "to" from event_seal order by number desc limit 1)`,
    retention !== undefined && sql`retention = ${retention}`,
    // Its retention leaves out the partitions of others, and the last condition lets a plan for any kind take the index.
    kind !== undefined && sql`retention = ${eventKinds[kind]} and kind = ${kind}`,
    kind !== undefined && !isRequested(kind) && isNotRequested(sql`kind`),
    tppId !== undefined && sql`tpp_id = ${tppId}`,
    requestId !== undefined && sql`request_id = ${requestId}::uuid`,
    resourceId !== undefined && sql`resource_id = ${resourceId}::uuid`,
    // The first condition alone leaves out the months before.
    after !== undefined &&
      sql`recorded_at >= ${after.recordedAt}::timestamptz
        and (recorded_at, id, retention) > (${after.recordedAt}::timestamptz, ${after.id}::bigint, ${after.retention ?? LAST})`,
  ].filter((condition) => condition !== false && condition !== undefined);
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const rows = await db.execute<Row>(sql`
    select id::text, ${utcText(sql`recorded_at`)} as "recordedAt",
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, retention, kind, tpp_id as "tppId",
      request_id as "requestId", resource_kind as "resourceKind", resource_id as "resourceId", subject, actor,
      detail::text as detail
    from ${psuId === undefined ? sql`event where ${where}` : ofCustomer(psuId, where, limit)}
    order by event.recorded_at, event.id, event.retention limit ${limit}`);
  return rows.map(toLine);
}

/** Month by month: in each the customer has one pseudonym, which is looked for in that month's partitions alone. */
function ofCustomer(psuId: PsuId, where: SQL, limit: number): SQL {
  return sql`event_key cross join lateral (
    select * from event where subject = event_pseudonym(${psuId}, month) and ${where}
      and recorded_at >= month::timestamp at time zone 'UTC'
      and recorded_at < (month + interval '1 month') at time zone 'UTC'
    order by recorded_at, id, retention limit ${limit}) event`;
}

function toLine(row: Row): EventLine {
  const { detail, ...members } = row;
  const known = Object.entries(members).filter(([, value]) => value !== null);
  // As PostgreSQL writes it, which is one way for one value.
  const line = `${JSON.stringify(Object.fromEntries(known)).slice(0, -1)},"detail":${detail}}`;
  const { id, recordedAt, retention, kind } = row;
  return { id, recordedAt, retention, kind, line };
}

export const PAGE = 2_000;

/** All of them, a page at a time. */
export async function* everyEvent(db: Database, filter: EventFilter): AsyncGenerator<EventLine> {
  let after: EventLine | undefined;
  for (;;) {
    const page = await listEvents(db, filter, { after, limit: PAGE });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}
