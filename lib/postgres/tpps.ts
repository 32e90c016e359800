import { and, arrayContains, asc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { makePgArray } from "drizzle-orm/pg-core";
import {
  tppBlock as table,
  tpp,
  tppAllowance as tppAllowanceTable,
  tppCertificate,
} from "@/drizzle/schema/drawbridge";
import type { TppAllowance } from "@/lib/domain/request-context";
import type {
  Blocking,
  BlockOrder,
  KnownTpp,
  SeenTpps,
  StopList,
  Tpp,
  TppCertificate,
  TppRegister,
} from "@/lib/domain/tpp";
import type { TppId } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import { atomically, type Database, type Transaction } from "./client";
import { rowInserter } from "./columns";

export function tppRegister(db: Database): TppRegister {
  const byId = db
    .select()
    .from(tpp)
    .where(eq(tpp.id, sql.placeholder("id")))
    .prepare("tpp_by_id");
  return {
    remember: (seen, now) => remember(db, seen, now),
    find: async (id) => {
      const [row] = await byId.execute({ id });
      return row && toTpp(row);
    },
    hasQwacFor: async (role, id, now) => {
      const { tppId, roles, notAfter } = tppCertificate;
      const hasRole = and(eq(tppId, id), arrayContains(roles, [role]), gt(notAfter, now));
      return (await db.select({ tppId }).from(tppCertificate).where(hasRole).limit(1)).length > 0;
    },
  };
}

/** What is on record already takes no lock; `on conflict do update` alone would lock and log the row each time. */
async function remember({ $client }: Database, seen: Tpp, now: Date): Promise<void> {
  const { id, name, authorityName, authorityId } = seen;
  const row = { id, name, authorityName, authorityId, changedAt: now };
  await $client.run(
    (sql) => sql`
      ${insertedTpp(sql, { ...row, roles: sql`qwacs.roles` })}
      from (select array(select unnest(${makePgArray([...seen.roles])}::text[])
        union select unnest(roles) from tpp_certificate where tpp_id = ${id} and not_after > ${now}::timestamptz
        order by 1) as roles) qwacs
      where not exists (select from tpp where id = ${id} and name = ${name} and authority_name = ${authorityName}
        and authority_id = ${authorityId} and tpp.roles = qwacs.roles)
      on conflict (id) do update set name = excluded.name, authority_name = excluded.authority_name,
        authority_id = excluded.authority_id, roles = excluded.roles, changed_at = excluded.changed_at`,
  );
}

const insertedTpp = rowInserter(tpp);

export function toTpp(row: typeof tpp.$inferSelect): Tpp {
  const { changedAt: _, ...known } = row;
  return known;
}

/** Of one TPP; the others have been replaced long since. */
const CERTIFICATES_SHOWN_MAX = 20;

type CertificateRow = Omit<TppCertificate, "notAfter" | "firstSeenAt"> & {
  readonly notAfter: string;
  readonly firstSeenAt: string;
};

const certificates: SQL<readonly TppCertificate[]> =
  sql`(select coalesce(json_agg(json_build_object('kind', one.kind, 'thumbprint', one.thumbprint,
      'serialNumber', one.serial_number, 'issuer', one.issuer, 'notAfter', one.not_after,
      'firstSeenAt', one.first_seen_at) order by one.not_after desc), '[]')
    from (select * from ${tppCertificate} where ${tppCertificate.tppId} = ${tpp.id}
      order by ${tppCertificate.notAfter} desc limit ${CERTIFICATES_SHOWN_MAX}) one)`.mapWith(
    (rows: readonly CertificateRow[]) =>
      rows.map((row) => ({
        ...row,
        notAfter: new Date(row.notAfter),
        firstSeenAt: new Date(row.firstSeenAt),
      })),
  );

export function seenTpps(db: Database): SeenTpps {
  const select = async (where: SQL | undefined, limit: number, now: Date) => {
    const rows = await db
      .select({ tpp, order: table, certificates })
      .from(tpp)
      .leftJoin(table, and(eq(tppId, tpp.id), inForce(now)))
      .where(where)
      .orderBy(asc(tpp.id))
      .limit(limit);
    return rows.map(({ tpp: row, order, certificates }): KnownTpp => {
      return { ...row, certificates, ...(order !== null && { blocked: toOrder(order) }) };
    });
  };
  return {
    keepCertificates: async (of, seen, now) => {
      const rows = seen.map(({ roles, ...one }) => ({
        ...one,
        tppId: of,
        firstSeenAt: now,
        roles: roles === undefined ? null : [...roles],
      }));
      await db
        .insert(tppCertificate)
        .values(rows)
        .onConflictDoUpdate({
          target: tppCertificate.thumbprint,
          set: { roles: sql`excluded.roles` },
          setWhere: sql`${tppCertificate.roles} is null and excluded.roles is not null`,
        });
    },
    endRoles: async (of, { serialNumber, issuer }, now) => {
      const at = sql`${now.toISOString()}::timestamptz`;
      await db.execute(sql`
        with revoked as (
          update tpp_certificate set roles = null
          where tpp_id = ${of} and serial_number = ${serialNumber} and issuer = ${issuer} and roles is not null
          returning thumbprint
        )
        update tpp set changed_at = ${at}, roles = array(
          select distinct unnest(roles) from tpp_certificate where tpp_id = ${of} and not_after > ${at}
            and thumbprint not in (select thumbprint from revoked) order by 1)
        where id = ${of} and exists (select from revoked)`);
    },
    list: ({ after, limit }, now) =>
      select(after === undefined ? undefined : gt(tpp.id, after), limit, now),
    find: async (wanted, now) => (await select(eq(tpp.id, wanted), 1, now))[0],
  };
}

const { id, tppId, blockedAt, until, liftedAt } = table;

export function stopList(db: Database): StopList {
  const standing = db
    .select()
    .from(table)
    .where(
      and(
        eq(tppId, sql.placeholder("tppId")),
        inForce(sql`${sql.placeholder("now")}::timestamptz`),
      ),
    )
    .prepare("order_of_tpp");
  return {
    find: async (wanted, now) => {
      const [row] = await standing.execute({ tppId: wanted, now: now.toISOString() });
      return row && toOrder(row);
    },
    block: async (order) =>
      order.until !== undefined && order.until <= order.blockedAt
        ? { outcome: "over-already" }
        : atomically(db, (tx) => blockIn(tx, order)),
    unblock: (wanted, now) => unblockIn(db, wanted, now),
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

/** The order in force, read in a transaction. */
export async function orderOf(
  tx: Transaction,
  wanted: TppId,
  now: Date,
): Promise<BlockOrder | undefined> {
  const [row] = await tx
    .select()
    .from(table)
    .where(and(eq(tppId, wanted), inForce(now)));
  return row && toOrder(row);
}

/** Neither lifted nor over. */
export function inForce(now: Date | SQL): SQL | undefined {
  return and(isNull(liftedAt), or(isNull(until), gt(until, now)));
}

/**
 * Locks the order that is not lifted, whether it is over or not, and ends it where the new one begins. Of two that
 * find none, the unique index refuses the later one, whose transaction is tried again and finds the other.
 */
export async function blockIn(tx: Transaction, order: BlockOrder): Promise<Blocking> {
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
}

/** False when no order was in force. */
export async function unblockIn(
  db: Database | Transaction,
  wanted: TppId,
  now: Date,
): Promise<boolean> {
  const lifted = await db
    .update(table)
    .set({ liftedAt: now })
    .where(and(eq(tppId, wanted), inForce(now)));
  return lifted.count === 1;
}

function toOrder({ tppId, reason, blockedAt, until }: typeof table.$inferSelect): BlockOrder {
  return withoutNulls({ tppId, reason, blockedAt, until });
}

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
  /** Nothing is left to lease until the minute is over. */
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

  /** Of all requests that wait for a lease one asks. */
  function lease(tppId: TppId, now: Date): Promise<void> {
    const asked = underWay.get(tppId) ?? add(tppId, now).finally(() => underWay.delete(tppId));
    underWay.set(tppId, asked);
    return asked;
  }

  async function add(tppId: TppId, now: Date): Promise<void> {
    const found = await leaseFrom(db, { tppId, now, block, perMinute });
    if (found === undefined) return;
    if (leases.size >= TPPS_KEPT)
      for (const [id, lease] of leases) if (isOver(lease, now.getTime())) leases.delete(id);
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
          // The next request that finds no lease asks again, and gets the error.
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

/** Also when it begins more than a minute from now: then the sandbox's clock was set back. */
function isOver({ startedAt }: Lease, now: number): boolean {
  return Math.abs(now - startedAt) >= MINUTE_MS;
}

type Wanted = {
  readonly tppId: TppId;
  readonly now: Date;
  readonly block: number;
  readonly perMinute: number;
};

/**
 * The row's lock decides. A block is at most an eighth of what is left, so that the last requests of a minute are not
 * kept by servers that do not need them. Undefined when the row was made while this ran, and nothing is left of it.
 */
async function leaseFrom(db: Database, { tppId, now, block, perMinute }: Wanted) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const over = sql`abs(extract(epoch from ${at} - known.started_at)) * 1000 >= ${MINUTE_MS}`;
  const before = sql`case when ${over} then 0 else known.leased end`;
  const share = (leased: typeof before) =>
    sql`least(${block}::int, greatest(1, (${perMinute}::int - ${leased}) / 8))`;
  const [row] = await db.execute<{ started_at: string; latest: number }>(sql`
    with leased as (
      insert into ${tppAllowanceTable} as known (tpp_id, started_at, leased, latest)
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
    select started_at, 0 from ${tppAllowanceTable}
    where tpp_id = ${tppId} and not exists (select from leased)`);
  return row && { startedAt: new Date(row.started_at).getTime(), leased: row.latest };
}
