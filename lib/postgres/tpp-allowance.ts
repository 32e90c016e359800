import { sql } from "drizzle-orm";
import { tppAllowance as table } from "@/drizzle/schema/drawbridge";
import type { TppId } from "@/lib/domain/identifiers";
import type { TppAllowance } from "@/lib/domain/tpp/tpp-allowance";
import type { Database } from "./client";

const MINUTE_MS = 60_000;
/** A server leases a hundredth of a minute's requests at a time, so that few remain with one that needs none. */
const LEASES_A_MINUTE = 100;
const LEASE_MAX = 500;
/** TPPs whose leases are kept in memory; beyond that, those whose minute is over are removed. */
const TPPS_KEPT = 1_000;

/** What this process has leased of a TPP's minute. */
type Lease = {
  readonly startedAt: number;
  left: number;
  /** There is nothing more to lease in this minute: until it is over, nobody asks the database. */
  exhausted: boolean;
};

/**
 * Each process leases requests in blocks, and counts them in memory. What is leased is never more than the
 * limit, whatever becomes of a process; one that ends takes the rest of its lease with it, until the minute
 * is over. A lease is asked for in the background before it is used up, and waited for only when there is none.
 */
export function tppAllowance(db: Database, perMinute: number): TppAllowance {
  const leases = new Map<TppId, Lease>();
  const underWay = new Map<TppId, Promise<void>>();
  const block = Math.min(LEASE_MAX, Math.max(1, Math.floor(perMinute / LEASES_A_MINUTE)));
  const low = Math.floor(block / 4);

  const current = (tppId: TppId, now: number): Lease | undefined => {
    const lease = leases.get(tppId);
    return lease !== undefined && isOver(lease, now) ? undefined : lease;
  };

  /** However many requests wait for a lease, one of them asks. */
  function lease(tppId: TppId, now: Date): Promise<void> {
    const asked = underWay.get(tppId) ?? add(tppId, now).finally(() => underWay.delete(tppId));
    underWay.set(tppId, asked);
    return asked;
  }

  async function add(tppId: TppId, now: Date): Promise<void> {
    const found = await leaseFrom(db, { tppId, now, block, perMinute });
    if (found === undefined) return;
    if (leases.size >= TPPS_KEPT) removeOver(leases, now.getTime());
    const known = current(tppId, now.getTime());
    const same = known?.startedAt === found.startedAt ? known : undefined;
    leases.set(tppId, {
      startedAt: found.startedAt,
      left: (same?.left ?? 0) + found.leased,
      exhausted: found.leased === 0,
    });
  }

  return {
    take: async (tppId, now) => {
      for (;;) {
        const found = current(tppId, now.getTime());
        if (found !== undefined && found.left > 0) {
          found.left -= 1;
          // Where it fails, whoever finds no lease asks again, and is told.
          if (found.left < low && !found.exhausted) lease(tppId, now).catch(() => undefined);
          return "admitted";
        }
        if (found?.exhausted) {
          const endsIn = found.startedAt + MINUTE_MS - now.getTime();
          return { limit: perMinute, left: 0, resetSeconds: Math.ceil(endsIn / 1_000) };
        }
        await lease(tppId, now);
      }
    },
  };
}

/**
 * Also when it would begin more than a minute from now: the sandbox's clock was set back. Clocks of servers
 * that are apart by less share their minute.
 */
function isOver({ startedAt }: Lease, now: number): boolean {
  return Math.abs(now - startedAt) >= MINUTE_MS;
}

function removeOver(leases: Map<TppId, Lease>, now: number): void {
  for (const [tppId, lease] of leases) if (isOver(lease, now)) leases.delete(tppId);
}

type Wanted = {
  readonly tppId: TppId;
  readonly now: Date;
  readonly block: number;
  readonly perMinute: number;
};

/**
 * The row's lock decides. A block is at most an eighth of what is left, so that the last requests of a
 * minute are not kept by servers that do not need them. Undefined when the row was made while this ran, and
 * nothing is left of it: who asks again sees it.
 */
async function leaseFrom(db: Database, { tppId, now, block, perMinute }: Wanted) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const over = sql`abs(extract(epoch from ${at} - known.started_at)) * 1000 >= ${MINUTE_MS}`;
  const before = sql`case when ${over} then 0 else known.leased end`;
  const share = (leased: typeof before) =>
    sql`least(${block}::int, greatest(1, (${perMinute}::int - ${leased}) / 8))`;
  const [row] = await db.execute<{ started_at: string; latest: number }>(sql`
    with leased as (
      insert into ${table} as known (tpp_id, started_at, leased, latest)
      values (${tppId}, ${at}, ${share(sql`0`)}, ${share(sql`0`)})
      on conflict (tpp_id) do update set
        started_at = case when ${over} then ${at} else known.started_at end,
        leased = ${before} + ${share(before)},
        latest = ${share(before)}
      where ${before} < ${perMinute}::int
      returning started_at, latest
    )
    select started_at, latest from leased
    union all
    select started_at, 0 from ${table}
    where tpp_id = ${tppId} and not exists (select from leased)`);
  return row && { startedAt: new Date(row.started_at).getTime(), leased: row.latest };
}
