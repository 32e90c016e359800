import type { MinuteCount } from "@/lib/domain/interface-figures";
import type { Run } from "./guard";

/**
 * Adds to what other servers have counted, in one statement; refusals by code to those of a day of the bank. Its rows come in
 * the order of the keys, so that two servers that add to the same rows do not wait for each other crosswise.
 */
export async function addRequestCounts(
  run: Run,
  counts: readonly MinuteCount[],
  timeZone: string,
): Promise<void> {
  const given = JSON.stringify(counts);
  await run(
    (sql) => sql`
      with given as (
        select * from jsonb_to_recordset(${given}::text::jsonb)
          as given (minute timestamptz, area text, outcome text, requests int, "tookMicroseconds" bigint, codes jsonb)
      ), refusals as (
        insert into refusal_day as known (day, area, code, requests)
        select (minute at time zone ${timeZone}::text)::date, area, code, sum(times::int)
        from given, jsonb_each_text(codes) told (code, times) group by 1, 2, 3 order by 1, 2, 3
        on conflict (day, area, code) do update set requests = known.requests + excluded.requests
      )
      insert into request_minute as known (minute, area, outcome, requests, took_microseconds)
      select minute, area, outcome, requests, "tookMicroseconds" from given
      order by minute, area, outcome
      on conflict (minute, area, outcome) do update set requests = known.requests + excluded.requests,
        took_microseconds = known.took_microseconds + excluded.took_microseconds`,
  );
}
