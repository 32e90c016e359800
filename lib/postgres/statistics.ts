import { type SQL, sql } from "drizzle-orm";
import {
  COUNT_DAYS_KEPT,
  type ConsentCount,
  type CountsAsked,
  counted,
  type DayCount,
  type Statistics,
  type TppTraffic,
} from "@/lib/domain/statistics";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";
import { utcText } from "./columns";

/** Nothing takes longer from the time of an event or a read to its place in the table, but a command that changes thousands. */
const GRACE_SECONDS = 15;
/** In one transaction. */
const HOURS_AT_ONCE = 1;
/** In the place of a TPP, with the sums over all of them and over callers that are not known. */
const ALL = "*";
const REMOVED_AT_ONCE = 1_000;

export function statistics(db: Database): Statistics {
  return {
    days: (...asked) => days(db, ...asked),
    byTpp: async ({ from, to }) => {
      const rows = await db.execute<TppTraffic>(sql`
        select tpp_id as "tppId", coalesce(sum(count) filter (where what = 'read'), 0)::integer as reads,
          coalesce(sum(count) filter (where what in ('consent-requested', 'payment-requested')), 0)::integer as requests,
          coalesce(sum(count) filter (where what = 'request-refused'), 0)::integer as refused
        from day_count where day between ${from}::date and ${to}::date and tpp_id <> ${ALL} group by tpp_id`);
      return [...rows];
    },
    consents: async (tppId) => {
      const ofTpp = tppId === undefined ? sql`tpp_id is null` : sql`tpp_id = ${tppId}`;
      const rows = await db.execute<ConsentCount>(sql`
        select kind, status, count::integer from consent_count where ${ofTpp} and count > 0 order by kind, status`);
      return [...rows];
    },
    countedTo: async () => {
      const [row] = await db.execute<{ at: string }>(
        sql`select counted_to::text as at from day_count_position`,
      );
      return row && new Date(row.at);
    },
  };
}

/** In which nothing has one place. */
const place = sql`(day, what, coalesce(value, ''), coalesce(part, ''))`;

async function days(
  db: Database,
  { from, to, tppId }: CountsAsked,
  page?: Parameters<Statistics["days"]>[1],
): Promise<readonly DayCount[]> {
  const after = page?.after;
  const isAfter =
    after &&
    sql`and ${place} > (${after.day}::date, ${after.what}::text, coalesce(${after.value ?? null}::text, ''),
      coalesce(${after.part ?? null}::text, ''))`;
  type Row = Pick<DayCount, "day" | "what" | "count"> & Record<"value" | "part", string | null>;
  const rows = await db.execute<Row>(sql`
    select day::text, what, value, part, count::double precision as count from day_count
    where day between ${from}::date and ${to}::date and tpp_id = ${tppId ?? ALL} ${isAfter}
    order by ${place} limit ${page?.limit ?? null}::bigint`);
  return rows.map(withoutNulls);
}

/**
 * Adds what has been recorded since the last time to the counts; true when there is more. The row of the position is locked, so
 * that each event is counted once, whichever server counts it.
 */
export async function countDays(
  db: Database,
  timeZone: string,
  graceSeconds = GRACE_SECONDS,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [span] = await tx.execute<Span & { more: boolean }>(spanToCount(graceSeconds));
    if (span === undefined || span.to <= span.from) return false;
    await tx.execute(addCounts(span, timeZone));
    await tx.execute(addConsents(span));
    await tx.execute(sql`update day_count_position set counted_to = ${span.to}::timestamptz`);
    await tx.execute(sql`delete from day_count where ctid = any(array(select ctid from day_count
      where day < current_date - ${COUNT_DAYS_KEPT}::integer order by day limit ${REMOVED_AT_ONCE}))`);
    return span.more;
  });
}

/** Instants as PostgreSQL writes and reads them. */
type Span = { readonly from: string; readonly to: string };

/** From where the last one has ended, for an hour at most. None while another server counts. */
function spanToCount(graceSeconds: number): SQL {
  const whole = sql`clock_timestamp() - make_interval(secs => ${graceSeconds})`;
  const end = sql`counted_to + make_interval(hours => ${HOURS_AT_ONCE})`;
  return sql`select ${utcText(sql`counted_to`)} as "from", ${utcText(sql`least(${whole}, ${end})`)} as "to", ${whole} > ${end} as more
    from day_count_position for update skip locked`;
}

function addCounts({ from, to }: Span, timeZone: string): SQL {
  const moved = sql`(select make_interval(secs => coalesce(max(offset_milliseconds), 0) / 1000.0) from sandbox_clock)`;
  return sql`
    insert into day_count (day, what, tpp_id, value, part, count)
    select (at at time zone ${timeZone})::date, what, counted.tpp_id, value, part, sum(times) from (
      select e.at, e.kind as what, e.tpp_id,
        case when e.kind in ('consent-status', 'payment-status') then e.detail->>'to'
          else coalesce(e.detail->>'code', e.detail->>'because', e.detail->>'means', e.detail->>'to') end as value,
        coalesce(e.detail->>'element', p.product, e.resource_kind) as part,
        1 + coalesce((e.detail->>'moreSinceTheLast')::bigint, 0) as times
      from event e left join payment p on e.resource_kind = 'PIS' and p.id = e.resource_id
      where ${within({ from, to })} and e.kind in (${sql.join(countedEvents, sql`, `)})
      union all
      select at, 'read', tpp_id, what, case when attended then 'attended' else 'unattended' end, 1
      from access_log where at >= ${from}::timestamptz + ${moved} and at < ${to}::timestamptz + ${moved}
    ) happened cross join lateral (values (happened.tpp_id), (${ALL})) counted (tpp_id) group by 1, 2, 3, 4, 5
    on conflict (tpp_id, day, what, value, part) do update set count = day_count.count + excluded.count`;
}

const countedEvents = counted.filter((one) => one !== "read").map((one) => sql`${one}`);
const within = ({ from, to }: Span) =>
  sql`e.recorded_at >= ${from}::timestamptz and e.recorded_at < ${to}::timestamptz`;

/** One more where a consent has come to a state, one less where it was; of its TPP and of all. */
function addConsents(span: Span): SQL {
  return sql`
    insert into consent_count (tpp_id, kind, status, count)
    select counted.tpp_id, resource_kind, status, sum(times) from (
      select tpp_id, resource_kind, 'received' as status, 1 as times from event e
        where ${within(span)} and kind = 'consent-requested'
      union all
      select e.tpp_id, e.resource_kind, step.status, step.times from event e
        cross join lateral (values (e.detail->>'from', -1), (e.detail->>'to', 1)) step (status, times)
        where ${within(span)} and e.kind = 'consent-status'
    ) change cross join lateral (values (change.tpp_id), (null)) counted (tpp_id)
    group by 1, 2, 3
    on conflict (tpp_id, kind, status) do update set count = consent_count.count + excluded.count`;
}

/** Notes that the job has come to its end, for those who look after the servers. */
export async function noteJobRun(db: Database, name: string): Promise<void> {
  await db.execute(sql`insert into job_run (name, ended_at) values (${name}, clock_timestamp())
    on conflict (name) do update set ended_at = excluded.ended_at`);
}
