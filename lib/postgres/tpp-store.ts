import { and, eq, sql } from "drizzle-orm";
import { tpp } from "@/drizzle/schema/drawbridge";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { TppRegister } from "@/lib/domain/tpp/tpp-register";
import type { Database } from "./client";

export function tppRegister(db: Database): TppRegister {
  const byId = db
    .select()
    .from(tpp)
    .where(eq(tpp.id, sql.placeholder("id")))
    .prepare("tpp_by_id");
  return {
    remember: (met, now) => remember(db, met, now),
    find: async (id) => {
      const [row] = await byId.execute({ id });
      return row && toTpp(row);
    },
  };
}

/**
 * Of many who bring the same news at once one writes it: whoever finds it on record takes no lock, where
 * `on conflict do update` alone would lock and log the row each time.
 */
async function remember(db: Database, met: Tpp, now: Date): Promise<void> {
  const { id, name, authorityName, authorityId } = met;
  const row = { name, authorityName, authorityId, roles: [...met.roles], changedAt: now };
  const same = and(
    eq(tpp.id, id),
    eq(tpp.name, row.name),
    eq(tpp.authorityName, row.authorityName),
    eq(tpp.authorityId, row.authorityId),
    eq(tpp.roles, row.roles),
  );
  const news = sql`select ${sql.param(id, tpp.id)}, ${sql.param(row.name, tpp.name)},
    ${sql.param(row.authorityName, tpp.authorityName)}, ${sql.param(row.authorityId, tpp.authorityId)},
    ${sql.param(row.roles, tpp.roles)}::text[], ${sql.param(now, tpp.changedAt)}::timestamptz
    where not exists (select from ${tpp} where ${same})`;
  await db.insert(tpp).select(news).onConflictDoUpdate({ target: tpp.id, set: row });
}

export function toTpp(row: typeof tpp.$inferSelect): Tpp {
  const { id, name, roles, authorityName, authorityId } = row;
  return { id, name, roles, authorityName, authorityId };
}
