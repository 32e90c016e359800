import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { psuAttempts as table } from "@/drizzle/schema/drawbridge";
import {
  type AttemptLimits,
  attemptsLeft,
  blockNotices,
  type PsuAttempts,
  type SignInElement,
  type UserKey,
} from "@/lib/domain/sca/psu-attempts";
import type { Database } from "./client";

const { userKey, failures, secondFailures, lastAt, noticesDue } = table;

/**
 * Milliseconds for which the judgement of a last attempt is waited for: a password takes a tenth of a
 * second, and a server that ended in between leaves a failure.
 */
const JUDGING_MS = 3_000;
const LOOK_AGAIN_MS = 50;
/** Of those who wait each tries this often, however many have been judged to be right meanwhile. */
const TRIES_MAX = 5;

/** The failures in a row of each user ID; every server counts in the same place. */
export function psuAttempts(db: Database, judgingMs = JUDGING_MS) {
  const verdicts = new Map<string, Promise<boolean>>();

  /** Whether it may be tried again. However many wait for the same verdict, one of them asks. */
  function mayTryAgain(waiting: Taking): Promise<boolean> {
    const which = `${waiting.element} ${waiting.user}`;
    const asked = verdicts.get(which) ?? verdict(db, waiting, judgingMs);
    verdicts.set(which, asked);
    return asked.finally(() => verdicts.delete(which));
  }

  return {
    take: async (user, element, limits, now) => {
      const taking = { user, element, limits, now };
      for (let tries = 1; ; tries += 1) {
        const taken = await take(db, taking);
        if (taken !== undefined || tries === TRIES_MAX) return taken;
        if (!(await mayTryAgain(taking))) return undefined;
      }
    },

    block: (user, takenAt, limits) => block(db, user, takenAt, limits),

    giveBack: async (user, element) => {
      const second = element === "second" ? 1 : 0;
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

    forget: async (user) =>
      (await db.delete(table).where(eq(userKey, user)).returning({ userKey })).length === 1,

    /** What `take` would begin anew anyway, `rowsMax` at most; yields how many went. */
    destroyForgotten: async (limits: AttemptLimits, rowsMax: number): Promise<number> => {
      const old = sql`${userKey} in (
        select ${userKey} from ${table} where ${isForgotten(limits)}
        order by ${lastAt} limit ${rowsMax} for update skip locked)`;
      return (await db.delete(table).where(old).returning({ userKey })).length;
    },
  } satisfies PsuAttempts & Record<string, unknown>;
}

type Taking = {
  readonly user: UserKey;
  readonly element: SignInElement;
  readonly limits: AttemptLimits;
  readonly now: Date;
};

/** The row's lock decides: the condition sees the newest count, however many attempts wait for it. */
async function take(
  db: Database,
  { user, element, limits, now }: Taking,
): Promise<{ readonly attemptsLeft: number } | undefined> {
  const second = element === "second" ? 1 : 0;
  const forgotten = isForgotten(limits);
  const usedUp = sql`${failures} >= ${limits.failuresMax}`;
  const beginsAgain = sql`(${forgotten}) or (${usedUp})`;
  const mayBeJudged = sql`(not (${usedUp}) or ${lte(lastAt, limits.blockOver)})`;
  const [counted] = await db
    .insert(table)
    .values({ userKey: user, failures: 1, secondFailures: second, lastAt: now, judged: false })
    .onConflictDoUpdate({
      target: userKey,
      set: {
        failures: sql`case when ${beginsAgain} then 1 else ${failures} + 1 end`,
        secondFailures: sql`case when ${forgotten} then 0 else ${secondFailures} end + ${second}::int`,
        noticesDue: sql`case when ${forgotten} then 0 else ${noticesDue} end`,
        lastAt: now,
        judged: false,
      },
      setWhere:
        second === 0
          ? mayBeJudged
          : sql`${mayBeJudged} and ${secondFailures} < ${limits.secondFailuresMax}`,
    })
    .returning({ failures, secondFailures });
  return counted && { attemptsLeft: attemptsLeft(counted, limits, element) };
}

/** The notice that is due is asked for under the row's lock: of two callers one gets it. */
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
 * reads, at growing intervals: of strangers who try many passwords at once most wait here.
 */
async function verdict(
  db: Database,
  { user, element, limits, now }: Taking,
  judgingMs: number,
): Promise<boolean> {
  const end = performance.now() + judgingMs;
  for (let pause = LOOK_AGAIN_MS; ; pause *= 2) {
    const [row] = await db.select().from(table).where(eq(userKey, user));
    if (row === undefined || attemptsLeft(row, limits, element) > 0) return true;
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
