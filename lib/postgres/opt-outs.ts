import { and, asc, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { actor, optOut as table, tpp } from "@/drizzle/schema/drawbridge";
import type { OptOutPosition, OptOutStore } from "@/lib/domain/opt-outs";
import type { PermissionKind } from "@/lib/domain/permissions";
import type { PsuId, TppId } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";

export function optOutStore(db: Database): OptOutStore {
  const { id, psuId, kind, setAt, setBy, endedAt } = table;
  return {
    set: async (optOut, at) => {
      const row = { ...optOut, setAt: at };
      const rows = await db.insert(table).values(row).onConflictDoNothing().returning({ id });
      return rows.length === 1;
    },
    end: async (optOut, at) => {
      const set = { endedAt: at, endedBy: actor };
      const ended = await db
        .update(table)
        .set(set)
        .where(standing(optOut.psuId, optOut.kind, optOut.tppId));
      return ended.count === 1;
    },
    list: async (psu, page) => {
      const isNewest = "newest" in page;
      const after = isNewest ? undefined : page.after;
      const rows = await db
        .select({ id, psuId, kind, tppId: table.tppId, setAt, setBy, tppName: tpp.name })
        .from(table)
        .leftJoin(tpp, eq(tpp.id, table.tppId))
        .where(and(eq(psuId, psu), isNull(endedAt), after && gt(id, idOf(after))))
        .orderBy(isNewest ? desc(id) : asc(id))
        .limit(isNewest ? page.newest : page.limit);
      return rows.map(({ id, ...row }) => ({
        ...withoutNulls(row),
        position: id.toString() as OptOutPosition,
      }));
    },
    kinds: async (psu, of) => {
      const rows = await db
        .select({ kind })
        .from(table)
        .where(and(eq(psuId, psu), isOf(of), isNull(endedAt)));
      return rows.map((row) => row.kind);
    },
    refuses: async (psu, of, by) => {
      const rows = await db
        .select({ id })
        .from(table)
        .where(refusing(psu, of, by))
        .limit(1);
      return rows.length > 0;
    },
  };
}

/** What stands against requests of this kind by this TPP; two entries of one index. */
export function refusing(psuId: PsuId | SQL, kind: PermissionKind, tppId: TppId | SQL) {
  return or(standing(psuId, kind, undefined), standing(psuId, kind, tppId));
}

function standing(psuId: PsuId | SQL, kind: PermissionKind, tppId: TppId | SQL | undefined) {
  const { psuId: psu, kind: of, endedAt } = table;
  return and(eq(psu, psuId), eq(of, kind), isOf(tppId), isNull(endedAt));
}

/** Of this TPP alone; of any, where there is none. The index is on this expression. */
function isOf(tppId: TppId | SQL | undefined): SQL {
  return sql`coalesce(${table.tppId}, '') = ${tppId ?? sql`''`}`;
}

/** What cannot be a position comes after all. */
function idOf(after: OptOutPosition): bigint {
  return /^\d{1,18}$/.test(after) ? BigInt(after) : BigInt("9223372036854775807");
}
