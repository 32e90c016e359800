import { not, type Param, type Placeholder, type SQL, sql } from "drizzle-orm";
import { fundsCheckBudget } from "@/drizzle/schema/drawbridge";

type Value = Param | Placeholder | SQL;

/** What the count of a consent's checks goes by: the bank's instant, and how fast checks come back. */
export type CheckRate = {
  readonly now: Value;
  readonly checksSavedMax: Value;
  readonly secondsPerCheck: Value;
};

/**
 * Checks come back by the millisecond, and are kept as fractions: less than a millisecond's worth is
 * not to decide, so that whoever waits as long as told is admitted.
 */
const ROUNDING = sql.raw("1e-6");

/** What a consent's row has come to by now; a clock that was set back takes nothing away. */
export function checksLeft({ now, checksSavedMax, secondsPerCheck }: CheckRate): SQL<number> {
  const { checksLeft: before, at } = fundsCheckBudget;
  const seconds = sql`greatest(0, extract(epoch from ${now}::timestamptz - ${at})::float8)`;
  return sql`least(${checksSavedMax}::float8, ${before} + ${seconds} / ${secondsPerCheck}::float8)`;
}

/** Whether there is none left; what is a moment old is right in this, since time only gives back. */
export function isSpent(left: SQL): SQL<boolean> {
  return sql`${left} < 1 - ${ROUNDING}`;
}

/** The `do update` of a check: one is taken if there is one, else nothing changes. */
export function takeCheck(rate: CheckRate) {
  const { at } = fundsCheckBudget;
  return {
    target: fundsCheckBudget.consentId,
    set: {
      checksLeft: sql`greatest(0, ${checksLeft(rate)} - 1)`,
      at: sql`greatest(${at}, ${rate.now}::timestamptz)`,
    },
    setWhere: not(isSpent(checksLeft(rate))),
  };
}
