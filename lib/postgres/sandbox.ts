import { count, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import {
  sandboxMessage,
  sandboxTppClock,
  sandboxClock as table,
} from "@/drizzle/schema/drawbridge";
import type { TextMessage } from "@/lib/domain/psu";
import {
  addTime,
  type ClockReading,
  clockRange,
  type PsuId,
  type SandboxClock,
  type TppId,
} from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";

/** Each turn of a job goes through all of them. */
const TPP_CLOCKS_MAX = 500;

/**
 * The sandbox's clock: the database's own and how far it was moved, so that all servers on one
 * database agree. Read each time, because any of them may have moved it.
 */
export function sandboxClock(db: Database): SandboxClock {
  return {
    now: async (tppId) => (tppId === undefined ? (await read(db)).now : timeOf(db, tppId)),
    read: () => read(db),
    moveTo: (instant) => moveTo(db, instant),
    advance: (milliseconds) => advance(db, milliseconds),
    reset: async () => {
      await db.delete(table);
      return read(db);
    },
    aheadOf: (tppId) => aheadOf(db, tppId),
    setAhead: (tppId, seconds) => setAhead(db, tppId, seconds),
    tppClocks: async () => {
      const { now } = await read(db);
      const rows = await db.select().from(sandboxTppClock).limit(TPP_CLOCKS_MAX);
      return rows.map(({ tppId, aheadSeconds }) => {
        return { tppId, now: addTime(now, aheadSeconds, "second") };
      });
    },
  };
}

/** In one statement, so that a move of the sandbox's clock cannot come in between. */
async function timeOf(db: Database, tppId: TppId): Promise<Date> {
  const [row] = await db.execute<{ readonly now: number }>(sql`
    select ${unmoved}::float8 + coalesce((select offset_milliseconds from ${table}), 0)::float8
      + ${aheadSecondsOf(sql`${tppId}::text`)} * 1000::float8 as now`);
  if (row === undefined) throw new Error("the database did not say what time it is");
  return new Date(row.now);
}

/** For a statement that asks for more; `tppId` is of type text. 0 for a TPP without a clock of its own. */
export function aheadSecondsOf(tppId: SQL): SQL<number> {
  return sql<number>`coalesce((select own.ahead_seconds from sandbox_tpp_clock own where own.tpp_id = ${tppId}), 0)`;
}

async function aheadOf(db: Database, tppId: TppId): Promise<number> {
  const { aheadSeconds } = sandboxTppClock;
  const ofTpp = eq(sandboxTppClock.tppId, tppId);
  const [row] = await db.select({ aheadSeconds }).from(sandboxTppClock).where(ofTpp);
  return row?.aheadSeconds ?? 0;
}

/** One at a time, so that two together do not pass the limit. */
function setAhead(db: Database, tppId: TppId, aheadSeconds: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (aheadSeconds === 0) {
      await tx.delete(sandboxTppClock).where(eq(sandboxTppClock.tppId, tppId));
      return true;
    }
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('sandbox_tpp_clock', 0))`);
    const ofOthers = ne(sandboxTppClock.tppId, tppId);
    const [others] = await tx.select({ clocks: count() }).from(sandboxTppClock).where(ofOthers);
    if ((others?.clocks ?? 0) >= TPP_CLOCKS_MAX) return false;
    await tx
      .insert(sandboxTppClock)
      .values({ tppId, aheadSeconds })
      .onConflictDoUpdate({ target: sandboxTppClock.tppId, set: { aheadSeconds } });
    return true;
  });
}

/** As it was never moved, in whole milliseconds, which is all that a `Date` knows. */
const unmoved = sql`trunc(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The sandbox's time in milliseconds, for a statement that asks for more than the time. */
export function movedTime(tag: postgres.Sql): postgres.Fragment {
  return tag`(trunc(extract(epoch from clock_timestamp()) * 1000)::bigint
    + coalesce((select offset_milliseconds from sandbox_clock), 0))::float8`;
}

/** The same of a TPP's own clock, which is null for one that has none; the TPP is `named.tpp_id`. */
export function ownAheadSeconds(tag: postgres.Sql): postgres.Fragment {
  return tag`(select ahead_seconds from sandbox_tpp_clock own where own.tpp_id = named.tpp_id)`;
}

/** Both fit a double: 2^53 milliseconds are 285,000 years. */
type Row = { readonly unmoved: number; readonly offset: number | null };
const reading = sql`${unmoved}::float8 as "unmoved", offset_milliseconds::float8 as "offset"`;

async function read(db: Database): Promise<ClockReading> {
  return readingOf(
    await db.execute<Row>(sql`
      select ${reading} from (values (1)) as one left join ${table} on true`),
  );
}

async function moveTo(db: Database, instant: Date): Promise<ClockReading> {
  return readingOf(
    await db.execute<Row>(sql`
      insert into ${table} (id, offset_milliseconds)
      values (true, ${instant.getTime()}::bigint - ${unmoved})
      on conflict (id) do update set offset_milliseconds = excluded.offset_milliseconds
      returning ${reading}`),
  );
}

/** The row's lock makes parallel calls add up; the condition sees where the last one left it. */
async function advance(db: Database, milliseconds: number): Promise<ClockReading | undefined> {
  const by = sql`${milliseconds}::bigint`;
  const end = sql`${clockRange.to.getTime()}::bigint`;
  const rows = await db.execute<Row>(sql`
    insert into ${table} as clock (id, offset_milliseconds)
    select true, ${by} where ${by} <= ${end} - ${unmoved}
    on conflict (id) do update
    set offset_milliseconds = clock.offset_milliseconds + excluded.offset_milliseconds
    where clock.offset_milliseconds + excluded.offset_milliseconds <= ${end} - ${unmoved}
    returning ${reading}`);
  return rows.length === 0 ? undefined : readingOf(rows);
}

function readingOf([row]: readonly Row[]): ClockReading {
  if (row === undefined) throw new Error("the database did not say what time it is");
  const { unmoved: milliseconds, offset } = row;
  if (offset === null) return { now: new Date(milliseconds) };
  return { now: new Date(milliseconds + offset), offsetMilliseconds: offset };
}

const { id, psuId, sentAt, text, code } = sandboxMessage;

export function messageStore(db: Database) {
  return {
    keep: async (message: TextMessage): Promise<void> => {
      await db.insert(sandboxMessage).values(message);
    },
    /** Newest first, as they arrived: the sandbox's clock may have been moved between two of them. */
    of: async (psu: PsuId, limit: number): Promise<readonly TextMessage[]> => {
      const rows = await db
        .select({ psuId, sentAt, text, code })
        .from(sandboxMessage)
        .where(eq(psuId, psu))
        .orderBy(desc(id))
        .limit(limit);
      return rows.map(withoutNulls);
    },
  };
}
