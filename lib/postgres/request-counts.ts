import type { MinuteCount } from "@/lib/domain/interface-figures";
import type { Run } from "./guard";

/**
 * Adds to what other servers have counted, in one statement. Its rows come in the order of the key, so that two servers that
 * add to the same rows do not wait for each other crosswise.
 */
export async function addRequestCounts(run: Run, counts: readonly MinuteCount[]): Promise<void> {
  const given = JSON.stringify(counts);
  await run(
    (sql) => sql`
      insert into request_minute as known (minute, area, outcome, requests, took_microseconds)
      select minute, area, outcome, requests, "tookMicroseconds" from jsonb_to_recordset(${given}::text::jsonb)
        as given (minute timestamptz, area text, outcome text, requests int, "tookMicroseconds" bigint)
      order by minute, area, outcome
      on conflict (minute, area, outcome) do update set requests = known.requests + excluded.requests,
        took_microseconds = known.took_microseconds + excluded.took_microseconds`,
  );
}
