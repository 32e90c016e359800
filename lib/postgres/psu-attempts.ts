import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { psuAttempts as table, signInThrottle as throttle } from "@/drizzle/schema/drawbridge";
import { eventKinds } from "@/lib/domain/events";
import {
  type AttemptLimits,
  type AttemptMeans,
  attemptsLeft,
  blockNotices,
  isSecond,
  type PsuAttempts,
  type UserKey,
} from "@/lib/domain/psu-attempts";
import type { SignInThrottle, ThrottleKey, ThrottleLimits } from "@/lib/domain/sign-in-throttle";
import type { Database } from "./client";
import { deleteOldest } from "./columns";

const { userKey, failures, secondFailures, lastAt, noticesDue } = table;

/**
 * How long the judgement of a last attempt is waited for: a password takes a tenth of a second, and a
 * server that has crashed meanwhile leaves a failure.
 */
const JUDGING_MS = 3_000;
const POLL_MS = 50;
const TRIES_MAX = 5;

/** The failures in a row of each user ID, over all servers. */
export function psuAttempts(db: Database, judgingMs = JUDGING_MS) {
  const verdicts = new Map<string, Promise<boolean>>();

  /** Whether it may be tried again. Of all who wait for the same verdict one asks the database. */
  function mayTryAgain(waiting: Taking): Promise<boolean> {
    const which = `${waiting.means} ${waiting.user}`;
    const asked = verdicts.get(which) ?? verdict(db, waiting, judgingMs);
    verdicts.set(which, asked);
    return asked.finally(() => verdicts.delete(which));
  }

  return {
    take: async (user, means, limits, now) => {
      const taking = { user, means, limits, now };
      for (let tries = 1; ; tries += 1) {
        const taken = await take(db, taking);
        if (taken !== undefined || tries === TRIES_MAX) return taken;
        if (!(await mayTryAgain(taking))) return undefined;
      }
    },

    block: (user, takenAt, limits) => block(db, user, takenAt, limits),

    giveBack: async (user, means) => {
      const second = isSecond(means) ? 1 : 0;
      await db
        .update(table)
        .set({
          failures: sql`greatest(${failures} - 1, 0)`,
          secondFailures: sql`greatest(${secondFailures} - ${second}, 0)`,
        })
        .where(eq(userKey, user));
    },

    isBlockedForGood: async (user, { secondFailuresMax }) => {
      const forGood = and(eq(userKey, user), gte(secondFailures, secondFailuresMax));
      return (await db.select({ userKey }).from(table).where(forGood)).length === 1;
    },

    blockOf: async (user, { failuresMax, secondFailuresMax, blockOver }) => {
      const [row] = await db.select().from(table).where(eq(userKey, user));
      if (row === undefined) return "none";
      if (row.secondFailures >= secondFailuresMax) return "for-good";
      return row.failures >= failuresMax && row.lastAt > blockOver ? "for-a-while" : "none";
    },

    rename: (user, others) => rename(db, user, others),

    forget: async (user) => (await db.delete(table).where(eq(userKey, user))).count === 1,

    unlock: async (users, psu) => {
      const recorded = await db.execute(sql`
        with lifted as (delete from ${table} where ${inArray(userKey, [...users])} returning 1)
        select event_record('customer-unlocked', ${eventKinds["customer-unlocked"]}, null, null, null, null,
          ${psu}::text, null, '{}')
        where exists (select from lifted)`);
      return recorded.length === 1;
    },

    destroyForgotten: (limits: AttemptLimits, limit: number): Promise<number> =>
      deleteOldest(db, table, isForgotten(limits), { key: [userKey], orderBy: lastAt, limit }),
  } satisfies PsuAttempts & Record<string, unknown>;
}

/** In one statement: another server may do the same, or the other way around with its own list of secrets. */
async function rename(db: Database, user: UserKey, others: readonly UserKey[]): Promise<void> {
  await db.execute(sql`
    with former as (delete from psu_attempts where user_key in ${others} returning *)
    insert into psu_attempts (user_key, failures, second_failures, last_at, means, judged, notices_due)
    select ${user}, max(failures), max(second_failures), max(last_at),
      (array_agg(means order by last_at desc))[1], bool_and(judged), max(notices_due)
    from former having count(*) > 0
    on conflict (user_key) do update set
      failures = greatest(psu_attempts.failures, excluded.failures),
      second_failures = greatest(psu_attempts.second_failures, excluded.second_failures),
      notices_due = greatest(psu_attempts.notices_due, excluded.notices_due)`);
}

type Taking = {
  readonly user: UserKey;
  readonly means: AttemptMeans;
  readonly limits: AttemptLimits;
  readonly now: Date;
};

/** The condition is evaluated under the row's lock, so that parallel attempts cannot outrun it. */
async function take(
  db: Database,
  { user, means, limits, now }: Taking,
): Promise<{ readonly attemptsLeft: number } | undefined> {
  const second = isSecond(means) ? 1 : 0;
  const forgotten = isForgotten(limits);
  const usedUp = sql`${failures} >= ${limits.failuresMax}`;
  const beginsAgain = sql`(${forgotten}) or (${usedUp})`;
  const mayBeJudged = sql`(not (${usedUp}) or ${lte(lastAt, limits.blockOver)})`;
  const [counted] = await db
    .insert(table)
    .values({
      userKey: user,
      failures: 1,
      secondFailures: second,
      lastAt: now,
      means,
      judged: false,
    })
    .onConflictDoUpdate({
      target: userKey,
      set: {
        failures: sql`case when ${beginsAgain} then 1 else ${failures} + 1 end`,
        secondFailures: sql`case when ${forgotten} then 0 else ${secondFailures} end + ${second}::int`,
        noticesDue: sql`case when ${forgotten} then 0 else ${noticesDue} end`,
        lastAt: now,
        means,
        judged: false,
      },
      setWhere:
        second === 0
          ? mayBeJudged
          : sql`${mayBeJudged} and ${secondFailures} < ${limits.secondFailuresMax}`,
    })
    .returning({ failures, secondFailures });
  return counted && { attemptsLeft: attemptsLeft(counted, limits, means) };
}

/** Under the row's lock, so that one of two callers gets the notice that is due. */
async function block(
  db: Database,
  user: UserKey,
  takenAt: Date,
  { failuresMax, secondFailuresMax }: AttemptLimits,
) {
  const level = sql`case when ${secondFailures} >= ${secondFailuresMax} then 3
    when ${secondFailures} >= ${failuresMax} then 2 else 1 end`;
  const [row] = await db.execute<{ readonly before: number; readonly due: number }>(sql`
    with known as (
      select ${userKey} as user_key, ${noticesDue} as before, ${level} as due from ${table}
      where ${userKey} = ${user} and ${lastAt} = ${takenAt.toISOString()}::timestamptz for update)
    update ${table} set judged = true, notices_due = greatest(known.before, known.due)
    from known where ${table}.user_key = known.user_key returning known.before, known.due`);
  return row !== undefined && row.due > row.before ? blockNotices[row.due - 1] : undefined;
}

/**
 * Waits until the last attempt is judged; true when it was no failure, so that there is another. It only
 * reads, at growing intervals: an attacker's parallel passwords wait here.
 */
async function verdict(
  db: Database,
  { user, means, limits, now }: Taking,
  judgingMs: number,
): Promise<boolean> {
  const end = performance.now() + judgingMs;
  for (let pause = POLL_MS; ; pause *= 2) {
    const [row] = await db.select().from(table).where(eq(userKey, user));
    if (row === undefined || attemptsLeft(row, limits, means) > 0) return true;
    const since = now.getTime() - row.lastAt.getTime();
    if (row.judged || since >= judgingMs || performance.now() >= end) return false;
    await sleep(Math.min(pause, judgingMs));
  }
}

/** What is blocked for good is not forgotten by itself. */
function isForgotten(limits: AttemptLimits): SQL {
  const { secondFailuresMax, forgotten, passwordsForgotten } = limits;
  return sql`${secondFailures} < ${secondFailuresMax} and (${lte(lastAt, forgotten)}
    or (${secondFailures} = 0 and ${lte(lastAt, passwordsForgotten)}))`;
}

/**
 * Wrong passwords of networks, over all servers. The condition of each upsert is evaluated under its row's
 * lock, so that parallel attempts cannot outrun it. No statement locks two rows.
 */
export function signInThrottle(db: Database) {
  const giveBack = async (which: ThrottleKey) => {
    const one = { failures: sql`greatest(${throttle.failures} - 1, 0)` };
    await db.update(throttle).set(one).where(eq(throttle.key, which));
  };
  return {
    take: async ({ network, networkAndUser }, limits, now) => {
      const ofNetwork = networkRule(limits, now);
      if (!(await countFailures(db, network, ofNetwork, now)))
        return wait(db, network, ofNetwork, now);
      const ofUser = userRule(limits, now);
      if (await countFailures(db, networkAndUser, ofUser, now)) return undefined;
      await giveBack(network);
      return wait(db, networkAndUser, ofUser, now);
    },
    wasRight: async ({ network, networkAndUser }) => {
      await db.delete(throttle).where(eq(throttle.key, networkAndUser));
      await giveBack(network);
    },
    giveBack: async ({ network, networkAndUser }) => {
      await giveBack(networkAndUser);
      await giveBack(network);
    },

    destroyForgotten: (before: Date, limit: number): Promise<number> => {
      const { key, lastAt: orderBy } = throttle;
      return deleteOldest(db, throttle, lte(orderBy, before), { key: [key], orderBy, limit });
    },
  } satisfies SignInThrottle & Record<string, unknown>;
}

type Rule = {
  /** What was counted before does not count any more. */
  readonly isOver: SQL;
  readonly isFree: SQL;
  readonly freeAt: SQL;
};

function networkRule(
  { networkFailuresMax, networkWindowSeconds }: ThrottleLimits,
  now: Date,
): Rule {
  const end = sql`${throttle.since} + make_interval(secs => ${networkWindowSeconds})`;
  const isOver = sql`${end} <= ${instant(now)}`;
  return { isOver, isFree: sql`${throttle.failures} < ${networkFailuresMax}`, freeAt: end };
}

function userRule({ pauseSecondsAfterFailure, forgotten }: ThrottleLimits, now: Date): Rule {
  const pauses = sql`${`{${pauseSecondsAfterFailure.join(",")}}`}::int[]`;
  const pause = sql`(${pauses})[least(${throttle.failures}, ${pauseSecondsAfterFailure.length})]`;
  const freeAt = sql`${throttle.lastAt} + make_interval(secs => ${pause})`;
  return {
    isOver: sql`${throttle.lastAt} <= ${instant(forgotten)}`,
    isFree: sql`${throttle.failures} = 0 or ${freeAt} <= ${instant(now)}`,
    freeAt,
  };
}

async function countFailures(
  db: Database,
  which: ThrottleKey,
  rule: Rule,
  now: Date,
): Promise<boolean> {
  const { count } = await db
    .insert(throttle)
    .values({ key: which, failures: 1, since: now, lastAt: now })
    .onConflictDoUpdate({
      target: throttle.key,
      set: {
        failures: sql`case when ${rule.isOver} then 1 else ${throttle.failures} + 1 end`,
        since: sql`case when ${rule.isOver} then ${instant(now)} else ${throttle.since} end`,
        lastAt: now,
      },
      setWhere: sql`(${rule.isOver}) or (${rule.isFree})`,
    });
  return count === 1;
}

async function wait(db: Database, which: ThrottleKey, { freeAt }: Rule, now: Date) {
  const left = sql<number>`ceil(extract(epoch from ${freeAt} - ${instant(now)}))::int`;
  const [row] = await db.select({ left }).from(throttle).where(eq(throttle.key, which));
  // It may have become free in between.
  return { waitSeconds: Math.max(1, row?.left ?? 1) };
}

function instant(at: Date): SQL {
  return sql`${at.toISOString()}::timestamptz`;
}
