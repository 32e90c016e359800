import { and, asc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { tppBlock as table } from "@/drizzle/schema/drawbridge";
import type { Blocking, BlockOrder, StopList } from "@/lib/domain/tpp/stop-list";
import { atomically } from "./atomically";
import type { Database } from "./client";

const { id, tppId, blockedAt, until, liftedAt } = table;

export function stopList(db: Database): StopList {
  const standing = standingStatement(db);
  return {
    find: async (wanted, now) => {
      const [row] = await standing.execute({ tppId: wanted, now: now.toISOString() });
      return row && toOrder(row);
    },
    block: async (order) => block(db, order),
    unblock: async (wanted, now) => {
      const lifted = await db
        .update(table)
        .set({ liftedAt: now })
        .where(and(eq(tppId, wanted), inForce(now)))
        .returning({ id });
      return lifted.length === 1;
    },
    list: async (now) => {
      const rows = await db
        .select()
        .from(table)
        .where(inForce(now))
        .orderBy(asc(blockedAt), asc(id));
      return rows.map(toOrder);
    },
  };
}

function standingStatement(db: Database) {
  const now = sql`${sql.placeholder("now")}::timestamptz`;
  return db
    .select()
    .from(table)
    .where(and(eq(tppId, sql.placeholder("tppId")), inForce(now)))
    .prepare("order_of_tpp");
}

/** Neither lifted nor over. */
export function inForce(now: Date | SQL): SQL | undefined {
  return and(isNull(liftedAt), or(isNull(until), gt(until, now)));
}

/**
 * The order that stands is locked, whether it is over or not, and ends where the new one begins. Two who
 * find none meet at the unique index: the later one starts again and then finds the earlier one's.
 */
async function block(db: Database, order: BlockOrder): Promise<Blocking> {
  if (order.until !== undefined && order.until <= order.blockedAt) {
    return { outcome: "over-already" };
  }
  return atomically(db, async (tx) => {
    const [standing] = await tx
      .select()
      .from(table)
      .where(and(eq(tppId, order.tppId), isNull(liftedAt)))
      .for("update");
    if (standing !== undefined) {
      if (standing.until === null) return { outcome: "blocked-already" };
      if (order.until !== undefined && order.until <= standing.until) {
        return { outcome: "blocked-already", until: standing.until };
      }
      const isOver = standing.until <= order.blockedAt;
      const end = isOver ? standing.until : order.blockedAt;
      await tx.update(table).set({ liftedAt: end }).where(eq(id, standing.id));
    }
    await tx.insert(table).values(order);
    return { outcome: "blocked" };
  });
}

export function toOrder(row: typeof table.$inferSelect): BlockOrder {
  return {
    tppId: row.tppId,
    ...(row.reason !== null && { reason: row.reason }),
    blockedAt: row.blockedAt,
    ...(row.until !== null && { until: row.until }),
  };
}
