import { and, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { tppBlockRequest as table, tpp, tppBlock } from "@/drizzle/schema/drawbridge";
import {
  type Affected,
  NOTICE_DAYS,
  type TppBlockDecision,
  type TppBlockRequest,
  type TppBlocks,
  type TppNotice,
  type Undecided,
  type WriteReport,
  whyUndecided,
} from "@/lib/domain/tpp-blocks";
import { addTime, isUuid, type PsuId, type TppId } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import { atomically, type Database, type Transaction } from "./client";
import { blockIn, inForce, orderOf, toTpp, unblockIn } from "./tpps";

export function tppBlocks(db: Database): TppBlocks {
  return {
    request: async ({ secrecy, ...terms }, by, now) => {
      const row = { ...terms, secrecy: secrecy?.ground, secrecyReason: secrecy?.reason };
      const [opened] = await db
        .insert(table)
        .values({ ...row, requestedBy: by, requestedAt: now })
        .onConflictDoNothing()
        .returning({ id: table.id });
      return opened ?? "open-already";
    },
    decide: (decision, writeReport) => decide(db, decision, writeReport),
    find: async (id) => (isUuid(id) ? findIn(db, id) : undefined),
    report: async (id) => {
      if (!isUuid(id)) return undefined;
      const [row] = await db.select({ report: table.report }).from(table).where(eq(table.id, id));
      return row?.report ?? undefined;
    },
    list: async ({ tppId, limit }) => {
      const rows = await db
        .select()
        .from(table)
        .where(tppId && eq(table.tppId, tppId))
        .orderBy(desc(table.requestedAt), desc(table.id))
        .limit(limit);
      return rows.map(toRequest);
    },
    affectedBy: (tppId) => affectedIn(db, tppId),
    noticesFor: (psuId, now) => noticesFor(db, psuId, now),
  };
}

/** Locks the request; what is approved is done in the same transaction, in the name of who approves it. */
async function decide(
  db: Database,
  decision: TppBlockDecision,
  writeReport: WriteReport,
): Promise<"decided" | Undecided> {
  const { id, outcome, by, at, note } = decision;
  if (!isUuid(id)) return "unknown";
  return atomically(db, async (tx) => {
    const request = await findIn(tx, id, "update");
    const why = whyUndecided(request, decision);
    if (request === undefined || why !== undefined) return why ?? "unknown";
    await tx.execute(sql`select set_config('drawbridge.actor', ${by}, true)`);
    const decided = { outcome, decidedBy: by, decidedAt: at, note };
    const report =
      outcome === "approved" ? await approve(tx, request, decision, writeReport) : undefined;
    await tx
      .update(table)
      .set({ ...decided, report })
      .where(eq(table.id, id));
    return "decided";
  });
}

async function approve(
  tx: Transaction,
  request: TppBlockRequest,
  approval: TppBlockDecision,
  writeReport: WriteReport,
) {
  const { action, tppId, reason, until } = request;
  const [row] = await tx.select().from(tpp).where(eq(tpp.id, tppId));
  const affected = await affectedIn(tx, tppId);
  if (action === "block") {
    await blockIn(tx, { tppId, reason, blockedAt: approval.at, ...(until && { until }) });
  } else {
    await unblockIn(tx, tppId, approval.at);
  }
  const inForce = await orderOf(tx, tppId, approval.at);
  return writeReport({
    ...{ request, approval, affected },
    ...(row && { tpp: toTpp(row) }),
    ...(inForce && { inForce }),
  });
}

async function findIn(
  db: Database | Transaction,
  id: string,
  lock?: "update",
): Promise<TppBlockRequest | undefined> {
  const asked = db.select().from(table).where(eq(table.id, id));
  const [row] = await (lock === undefined ? asked : asked.for(lock));
  return row && toRequest(row);
}

function toRequest(row: typeof table.$inferSelect): TppBlockRequest {
  const { outcome, decidedBy: by, decidedAt: at, note, report: _, ...asked } = row;
  const { secrecy: ground, secrecyReason: reason, ...terms } = asked;
  const isDecided = outcome !== null && by !== null && at !== null;
  return {
    ...withoutNulls(terms),
    ...(ground !== null && reason !== null && { secrecy: { ground, reason } }),
    ...(isDecided && { decision: withoutNulls({ outcome, by, at, note }) }),
  };
}

/** Of an index of either table alone, however many there are. */
async function affectedIn(db: Database | Transaction, tppId: TppId): Promise<Affected> {
  const [row] = await db.execute<{ permissions: number; psus: number }>(sql`
    select count(*)::integer as permissions, count(distinct psu_id)::integer as psus from (
      select psu_id from account_consent where tpp_id = ${tppId} and status = 'valid'
      union all
      select psu_id from funds_consent where tpp_id = ${tppId} and status = 'valid'
    ) consent`);
  return row ?? { permissions: 0, psus: 0 };
}

/**
 * Of a block for as long as it holds, of its end for some time unless the TPP is blocked again; of each TPP the latest, and
 * only where the PSU had given a consent that was in force then. What was blocked in an emergency after it is told of once
 * it was approved, too.
 */
async function noticesFor(db: Database, psuId: PsuId, now: Date): Promise<readonly TppNotice[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const since = sql`${addTime(now, -NOTICE_DAYS, "day").toISOString()}::timestamptz`;
  const ofPsu = (consents: string): SQL => sql`
    select a.tpp_id, c.authorised_at, c.ended_at from authorisation a
      cross join lateral (select * from ${sql.identifier(consents)} where authorisation_id = a.id offset 0) c
      where a.psu_id = ${psuId} and c.authorised_at is not null`;
  const rows = await db.execute<{ id: string }>(sql`
    with given as materialized (${ofPsu("account_consent")} union all ${ofPsu("funds_consent")})
    select latest.id from (select distinct tpp_id from given) one
      cross join lateral (
        select * from tpp_block_request r where r.tpp_id = one.tpp_id and r.outcome = 'approved'
          order by r.requested_at desc limit 1) latest
      left join tpp_block b on b.tpp_id = latest.tpp_id and b.lifted_at is null and (b.until is null or b.until > ${at})
    where latest.secrecy is null
      and exists (select from given where given.tpp_id = latest.tpp_id and given.authorised_at <= latest.decided_at
        and (given.ended_at is null or given.ended_at > latest.decided_at))
      and case latest.action when 'unblock' then latest.decided_at > ${since} and b.id is null
        else b.blocked_at <= latest.decided_at end`);
  if (rows.length === 0) return [];
  const noticed = await db
    .select({ request: table, tpp, until: tppBlock.until })
    .from(table)
    .innerJoin(tpp, eq(tpp.id, table.tppId))
    .leftJoin(tppBlock, and(eq(tppBlock.tppId, table.tppId), inForce(now)))
    .where(or(...rows.map(({ id }) => eq(table.id, id))))
    .orderBy(desc(table.decidedAt));
  return noticed.flatMap(({ request, tpp: row, until }) => {
    const { action, basis, decidedAt } = request;
    if (decidedAt === null) return [];
    return [{ ...withoutNulls({ action, basis, at: decidedAt, until }), tpp: toTpp(row) }];
  });
}
