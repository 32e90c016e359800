import { eq, ne, sql } from "drizzle-orm";
import { psuLanguage, psuTextBudget } from "@/drizzle/schema/drawbridge";
import type { TextBudget } from "@/lib/domain/psu";
import type { PsuLanguages } from "@/lib/domain/psu-attempts";
import type { Database } from "./client";

/** The condition of `do update` is evaluated under the row's lock, so that parallel requests cannot outrun it. */
export function textBudget(db: Database): TextBudget {
  return {
    take: async (psuId, { textsMax, since }, now) => {
      const at = sql`${now.toISOString()}::timestamptz`;
      const inWindow = sql`unnest(known.sent) one where one > ${since.toISOString()}::timestamptz`;
      const taken = await db.execute(sql`
        insert into ${psuTextBudget} as known (psu_id, sent) values (${psuId}, array[${at}])
        on conflict (psu_id) do update set sent = array(select one from ${inWindow}) || ${at}
        where (select count(*) from ${inWindow}) < ${textsMax}
        returning psu_id`);
      return taken.length === 1;
    },
  };
}

export function psuLanguages(db: Database): PsuLanguages {
  return {
    of: async (psuId) => {
      const [row] = await db.select().from(psuLanguage).where(eq(psuLanguage.psuId, psuId));
      return row?.language;
    },
    keep: async (psuId, language) => {
      await db
        .insert(psuLanguage)
        .values({ psuId, language })
        .onConflictDoUpdate({
          target: psuLanguage.psuId,
          set: { language },
          setWhere: ne(psuLanguage.language, language),
        });
    },
  };
}
