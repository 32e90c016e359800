import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import * as schema from "@/drizzle/schema/drawbridge";
import { codeOf, type Guard, type Run } from "./guard";
import { guardedClient, type Settings } from "./guarded-client";

/** Drizzle's, all of whose statements end in time; what is sent most often is SQL for `$client.run`. */
export type Database = PostgresJsDatabase<typeof schema> & {
  readonly $client: { readonly run: Run };
};

export type Connection = {
  readonly db: Database;
  /** The same, for what is done in the name of one person or system of the bank. */
  readonly actingAs: (acting: Acting) => Database;
  /** Lets running queries end, for five seconds at most. */
  close(): Promise<void>;
};

/**
 * Connects lazily: an unreachable database shows at the first query, as an UnavailableError in the chain
 * of causes.
 */
export function connect(databaseUrl: string, settings: Settings): Connection {
  const guarded = guardedClient(databaseUrl, settings);
  const actingAs = (acting: Acting) => databaseOf(guardActing(guarded, acting));
  return { db: databaseOf(guarded), actingAs, close: guarded.close };
}

/** Who acts for the bank, and why: events say it of what they change. */
export type Acting = { readonly actor: string; readonly reason?: string | undefined };

/** Each statement and each transaction begins with who acts, and forgets it at its end: connections are shared. */
function guardActing(
  { begin }: Pick<Guard, "begin">,
  { actor, reason }: Acting,
): Pick<Guard, "run" | "begin"> {
  const beginActing: Guard["begin"] = (work) =>
    begin(async (run) => {
      await run(
        (sql) => sql`select set_config('drawbridge.actor', ${actor}, true),
          set_config('drawbridge.reason', ${reason ?? null}, true)`,
      );
      return work(run);
    });
  // No statement needs more of a client than a transaction has.
  return {
    begin: beginActing,
    run: (ask) => beginActing((run) => run((sql) => ask(sql as never))),
  };
}

export function databaseOf({ run, begin }: Pick<Guard, "run" | "begin">): Database {
  const client = {
    // Drizzle sets here how times are read; `types` does it instead.
    options: { parsers: {}, serializers: {} },
    unsafe: unsafeBy(run),
    begin: (work: (tx: unknown) => Promise<unknown>) =>
      begin((inTransaction) => work({ unsafe: unsafeBy(inTransaction) })),
    run,
  };
  // All that Drizzle calls on a client; anything else would not be guarded.
  return drizzle(client as typeof client & postgres.Sql, { schema });
}

type Unsafe = postgres.ISql["unsafe"];

function unsafeBy(run: Run<Pick<postgres.ISql, "unsafe">>) {
  return (...statement: Parameters<Unsafe>) => {
    let inArrays = false;
    // In the next microtask: by then it is known how the rows are wanted.
    const rows = Promise.resolve().then(() =>
      run<unknown>(({ unsafe }) => {
        const query = unsafe(...statement);
        return inArrays ? query.values() : query;
      }),
    );
    const values = () => {
      inArrays = true;
      return rows;
    };
    return Object.assign(rows, { values });
  };
}

export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** The last two: PostgreSQL ended one of two transactions; the first: a unique index chose the other. */
const lostRaces = new Set<string | undefined>(["23505", "40001", "40P01"]);
const attemptsMax = 10;

/**
 * Runs the work in one transaction. The loser of a race starts again and sees what the winner left;
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
      if (attempt === attemptsMax || !lostRaces.has(codeOf(error))) throw error;
    }
  }
}
