import { eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { signInThrottle as table } from "@/drizzle/schema/drawbridge";
import type {
  SignInThrottle,
  ThrottleKey,
  ThrottleLimits,
} from "@/lib/domain/sca/sign-in-throttle";
import type { Database } from "./client";

const { key, failures, since, lastAt } = table;

/**
 * Wrong passwords of networks; every server counts in the same place. The condition of each upsert is judged
 * under its row's lock, so that parallel attempts cannot outrun it. No statement holds two rows.
 */
export function signInThrottle(db: Database) {
  const giveBack = async (which: ThrottleKey) => {
    const one = { failures: sql`greatest(${failures} - 1, 0)` };
    await db.update(table).set(one).where(eq(key, which));
  };
  return {
    take: async ({ network, networkAndUser }, limits, now) => {
      const ofNetwork = networkRule(limits, now);
      if (!(await count(db, network, ofNetwork, now))) return wait(db, network, ofNetwork, now);
      const ofUser = userRule(limits, now);
      if (await count(db, networkAndUser, ofUser, now)) return undefined;
      await giveBack(network);
      return wait(db, networkAndUser, ofUser, now);
    },
    wasRight: async ({ network, networkAndUser }) => {
      await db.delete(table).where(eq(key, networkAndUser));
      await giveBack(network);
    },
    giveBack: async ({ network, networkAndUser }) => {
      await giveBack(networkAndUser);
      await giveBack(network);
    },

    /** What `take` would begin again anyway, `rowsMax` at most; yields how many went. */
    destroyForgotten: async (before: Date, rowsMax: number): Promise<number> => {
      const old = db
        .select({ key })
        .from(table)
        .where(lte(lastAt, before))
        .orderBy(lastAt)
        .limit(rowsMax)
        .for("update", { skipLocked: true });
      return (await db.delete(table).where(inArray(key, old)).returning({ key })).length;
    },
  } satisfies SignInThrottle & Record<string, unknown>;
}

type Rule = {
  /** What was counted before is no longer of this row. */
  readonly isOver: SQL;
  readonly isFree: SQL;
  /** When there is another attempt. */
  readonly freeAt: SQL;
};

function networkRule(
  { networkFailuresMax, networkWindowSeconds }: ThrottleLimits,
  now: Date,
): Rule {
  const end = sql`${since} + make_interval(secs => ${networkWindowSeconds})`;
  const isOver = sql`${end} <= ${instant(now)}`;
  return { isOver, isFree: sql`${failures} < ${networkFailuresMax}`, freeAt: end };
}

function userRule({ pauseSecondsAfterFailure, forgotten }: ThrottleLimits, now: Date): Rule {
  const pauses = sql`${`{${pauseSecondsAfterFailure.join(",")}}`}::int[]`;
  const pause = sql`(${pauses})[least(${failures}, ${pauseSecondsAfterFailure.length})]`;
  const freeAt = sql`${lastAt} + make_interval(secs => ${pause})`;
  return {
    isOver: sql`${lastAt} <= ${instant(forgotten)}`,
    isFree: sql`${failures} = 0 or ${freeAt} <= ${instant(now)}`,
    freeAt,
  };
}

async function count(db: Database, which: ThrottleKey, rule: Rule, now: Date): Promise<boolean> {
  const counted = await db
    .insert(table)
    .values({ key: which, failures: 1, since: now, lastAt: now })
    .onConflictDoUpdate({
      target: key,
      set: {
        failures: sql`case when ${rule.isOver} then 1 else ${failures} + 1 end`,
        since: sql`case when ${rule.isOver} then ${instant(now)} else ${since} end`,
        lastAt: now,
      },
      setWhere: sql`(${rule.isOver}) or (${rule.isFree})`,
    })
    .returning({ key });
  return counted.length === 1;
}

async function wait(db: Database, which: ThrottleKey, { freeAt }: Rule, now: Date) {
  const left = sql<number>`ceil(extract(epoch from ${freeAt} - ${instant(now)}))::int`;
  const [row] = await db.select({ left }).from(table).where(eq(key, which));
  // It may have become free in between.
  return { waitSeconds: Math.max(1, row?.left ?? 1) };
}

function instant(at: Date): SQL {
  return sql`${at.toISOString()}::timestamptz`;
}
