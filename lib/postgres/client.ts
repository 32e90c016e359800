import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "@/drizzle/schema/drawbridge";
import { type Bounds, type Guard, guard, type Run, usualBounds } from "./guard";
import { connectionTarget } from "./primary";

/** Drizzle's, all of whose statements end in time; what is sent most often is SQL for `$client.run`. */
export type Database = PostgresJsDatabase<typeof schema> & {
  readonly $client: { readonly run: Run };
};

export type Connection = {
  readonly db: Database;
  /** Lets running queries end, for five seconds at most. */
  close(): Promise<void>;
};

/**
 * From a failed attempt to connect to the next. The client's own pause grows to twenty seconds, and
 * every request would wait for its end though the database is back.
 */
const RECONNECT_SECONDS = 0.5;

type Settings = {
  /** Connections. */
  readonly max: number;
  readonly bounds?: Bounds;
  /** Is called with each statement that is sent, and its values. */
  readonly debug?: postgres.Options<typeof types>["debug"];
};

const asText = (value: string) => value;
const types: Record<string, postgres.PostgresType> = {
  // Dates and times come as texts: a day is no instant, and Drizzle's columns read theirs themselves.
  time: {
    to: 1184,
    from: [1082, 1083, 1114, 1184],
    serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: asText,
  },
  // Values are written as JSON before they come here.
  json: { to: 114, from: [114, 3802], serialize: asText, parse: JSON.parse },
};

/** What every client of the driver has here. */
export const clientOptions = {
  types,
  onnotice: () => undefined,
  max_lifetime: null,
  // Nobody could catch it when the connection is lost while the driver asks for them.
  fetch_types: false,
} as const;

/**
 * Connects lazily: an unreachable database shows at the first query, as an UnavailableError in the chain
 * of causes.
 */
export function connect(databaseUrl: string, settings: Settings): Connection {
  const { max, bounds = usualBounds, debug = false } = settings;
  const target = connectionTarget(databaseUrl);
  const open = (onClose: () => void) => {
    // A connection of the last client was lost: another host may be the primary now.
    target.forget();
    return postgres(target.url, {
      ...clientOptions,
      ...target.options,
      max: 1,
      debug,
      connect_timeout: bounds.connect / 1_000,
      backoff: () => RECONNECT_SECONDS,
      onclose: onClose,
    });
  };
  const guarded = guard({ max, bounds, open });
  return { db: databaseOf(guarded), close: guarded.close };
}

/** Drizzle over what sends its statements. */
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
const lostRaces = new Set<unknown>(["23505", "40001", "40P01"]);
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
      if (attempt === attemptsMax || !lostRaces.has(sqlState(error))) throw error;
    }
  }
}

/** Drizzle wraps the driver's error; the state is in whichever of the two has one. */
function sqlState(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? error.code : sqlState(error.cause);
}
