import type { Database } from "./client";

export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** The last two: PostgreSQL ended one of two transactions; the first: a unique index chose the other. */
const lostRaces = new Set<unknown>(["23505", "40001", "40P01"]);
const attemptsMax = 10;

/**
 * Runs the work in one transaction. Whoever loses a race starts again and sees what the winner left;
 * what still fails then is thrown.
 */
export async function atomically<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (attempt === attemptsMax || !lostRaces.has(sqlState(error))) throw error;
    }
  }
}

/** Drizzle wraps the driver's error; the state is in whichever of the two has one. */
function sqlState(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? error.code : sqlState(error.cause);
}
