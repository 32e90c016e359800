import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { psuAttempts as table } from "@/drizzle/schema";
import type { AttemptLimits, PsuAttempts, UserKey } from "@/lib/domain/sca/psu-attempts";
import type { Database } from "./client";

const { userKey, failures, blockedBefore, lastAt } = table;

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
  const verdicts = new Map<UserKey, Promise<boolean>>();

  /** Whether it may be tried again. However many wait for the same verdict, one of them asks. */
  function mayTryAgain(user: UserKey, limits: AttemptLimits, now: Date): Promise<boolean> {
    const asked = verdicts.get(user) ?? verdict(db, { user, limits, now, judgingMs });
    verdicts.set(user, asked);
    return asked.finally(() => verdicts.delete(user));
  }

  return {
    take: async (user, limits, now) => {
      for (let tries = 1; ; tries += 1) {
        const taken = await take(db, user, limits, now);
        if (taken !== undefined || tries === TRIES_MAX) return taken;
        if (!(await mayTryAgain(user, limits, now))) return undefined;
      }
    },

    block: async (user, takenAt) => {
      const isThisOne = and(eq(userKey, user), eq(lastAt, takenAt));
      await db.update(table).set({ judged: true }).where(isThisOne);
    },

    giveBack: async (user) => {
      await db
        .update(table)
        .set({ failures: sql`greatest(${failures} - 1, 0)` })
        .where(eq(userKey, user));
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

/** The row's lock decides: the condition sees the newest count, however many attempts wait for it. */
async function take(
  db: Database,
  user: UserKey,
  limits: AttemptLimits,
  now: Date,
): Promise<{ readonly attemptsLeft: number } | undefined> {
  const { failuresMax } = limits;
  const forgotten = isForgotten(limits);
  const blockIsOver = sql`${failures} >= ${failuresMax} and not ${blockedBefore} and ${lte(lastAt, limits.blockOver)}`;
  const [counted] = await db
    .insert(table)
    .values({ userKey: user, failures: 1, blockedBefore: false, lastAt: now, judged: false })
    .onConflictDoUpdate({
      target: userKey,
      set: {
        failures: sql`case when (${forgotten}) or (${blockIsOver}) then 1 else ${failures} + 1 end`,
        blockedBefore: sql`not (${forgotten}) and (${blockedBefore} or (${blockIsOver}))`,
        lastAt: now,
        judged: false,
      },
      setWhere: sql`${failures} < ${failuresMax} or (${blockIsOver})`,
    })
    .returning({ failures });
  return counted && { attemptsLeft: failuresMax - counted.failures };
}

type Waiting = {
  readonly user: UserKey;
  readonly limits: AttemptLimits;
  readonly now: Date;
  readonly judgingMs: number;
};

/**
 * Waits until the last attempt is judged; true when it was no failure, so that there is another. It only
 * reads, at growing intervals: of strangers who try many passwords at once most wait here.
 */
async function verdict(db: Database, { user, limits, now, judgingMs }: Waiting): Promise<boolean> {
  const end = performance.now() + judgingMs;
  for (let pause = LOOK_AGAIN_MS; ; pause *= 2) {
    const [row] = await db.select().from(table).where(eq(userKey, user));
    if (row === undefined || row.failures < limits.failuresMax) return true;
    const since = now.getTime() - row.lastAt.getTime();
    if (row.judged || since >= judgingMs || performance.now() >= end) return false;
    await sleep(Math.min(pause, judgingMs));
  }
}

/** What is blocked for good is not forgotten by itself. */
function isForgotten({ failuresMax, forgotten }: AttemptLimits): SQL {
  return sql`${lte(lastAt, forgotten)} and not (${failures} >= ${failuresMax} and ${blockedBefore})`;
}
