import { eq, ne } from "drizzle-orm";
import { psuLanguage as table } from "@/drizzle/schema/drawbridge";
import type { PsuLanguages } from "@/lib/domain/sca/block-notice";
import type { Database } from "./client";

export function psuLanguages(db: Database): PsuLanguages {
  return {
    of: async (psuId) => {
      const [row] = await db.select().from(table).where(eq(table.psuId, psuId));
      return row?.language;
    },
    keep: async (psuId, language) => {
      await db
        .insert(table)
        .values({ psuId, language })
        .onConflictDoUpdate({
          target: table.psuId,
          set: { language },
          setWhere: ne(table.language, language),
        });
    },
  };
}
