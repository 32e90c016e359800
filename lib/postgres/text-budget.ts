import { sql } from "drizzle-orm";
import { psuTextBudget as table } from "@/drizzle/schema/drawbridge";
import type { TextBudget } from "@/lib/domain/sca/text-budget";
import type { Database } from "./client";

/**
 * The row's lock decides: the condition of `do update` sees the newest texts, however many requests on
 * however many servers wait for it.
 */
export function textBudget(db: Database): TextBudget {
  return {
    take: async (psuId, { textsMax, since }, now) => {
      const at = sql`${now.toISOString()}::timestamptz`;
      const inWindow = sql`unnest(known.sent) one where one > ${since.toISOString()}::timestamptz`;
      const taken = await db.execute(sql`
        insert into ${table} as known (psu_id, sent) values (${psuId}, array[${at}])
        on conflict (psu_id) do update set sent = array(select one from ${inWindow}) || ${at}
        where (select count(*) from ${inWindow}) < ${textsMax}
        returning psu_id`);
      return taken.length === 1;
    },
  };
}
