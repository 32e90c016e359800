import postgres from "postgres";
import { isUnavailable, UnavailableError } from "@/lib/domain/errors";
import {
  databaseConnections,
  databaseConnectionsInUse,
  databaseFaults,
  databaseWaitSeconds,
} from "@/lib/metrics";
import { outageRecorder } from "@/lib/outage";
import { inSpan } from "@/lib/tracing";

export const usualBounds: Bounds = {
  ...{ connect: 1_450, wait: 3_000, answer: 10_000, rest: 5_000 },
  silence: 3_000,
};

/** Sends one statement, which `ask` writes with the driver's tag when a connection is free for it. */
export type Run<Sql = postgres.Sql> = <Rows>(ask: (sql: Sql) => PromiseLike<Rows>) => Promise<Rows>;
type InTransaction = Run<postgres.TransactionSql>;
type Work<Result> = (run: InTransaction) => Promise<Result>;

export type Guard = {
  readonly run: Run;
  /** Fails when its connection is lost. A COMMIT without an answer is a failure, and nothing here repeats it. */
  readonly begin: <Result>(work: Work<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/** Calls the driver by its public interface alone, so that each call ends in time. */
export function guard(settings: Omit<Settings, "answers">): Guard {
  let answers = 0;
  const heard = () => {
    answers += 1;
  };
  const { use, close } = connections({ ...settings, answers: () => answers });
  return {
    run: (ask) =>
      inSpan("database statement", DATABASE, () =>
        use("statement", (sql, patience) => answered(ask(sql), patience, heard)),
      ),
    begin: (work) =>
      inSpan("database transaction", DATABASE, () =>
        use("transaction", (sql) =>
          transaction(sql, work, { patience: settings.bounds.answer, heard }),
        ),
      ),
    close,
  };
}

/**
 * Settles in time: the driver waits without end. What was sent is given up and not cancelled, since a cancel could end
 * PostgreSQL's wait for a synchronous standby, and a COMMIT that no standby has would be acknowledged.
 */
function answered<Rows>(
  asked: PromiseLike<Rows>,
  patience: number,
  heard: () => void,
): Promise<Rows> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(fault("NO_ANSWER")), patience).unref();
    asked.then(
      (rows) => {
        clearTimeout(timer);
        heard();
        resolve(rows);
      },
      (error) => {
        clearTimeout(timer);
        if (!isUnavailable(asUnavailable(error))) heard();
        reject(error);
      },
    );
  });
}

const DATABASE = { "db.system.name": "postgresql" };

type Patience = { readonly patience: number; readonly heard: () => void };

/**
 * The driver goes on with a transaction whose connection is lost: it writes its ROLLBACK to a socket that is gone,
 * where nobody can catch the error and the process dies, and sends the next statement on the connection that was
 * opened in the place of the lost one, outside of any transaction (porsager/postgres issue 1208). So nothing more is
 * sent, the driver is not told how the work ended, and PostgreSQL rolls back by itself.
 */
function transaction<Result>(
  sql: postgres.Sql,
  work: Work<Result>,
  { patience, heard }: Patience,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const fail = (error: unknown) => {
      isOver = true;
      clearTimeout(timer);
      reject(error);
    };
    const expectAnswer = () => {
      timer = setTimeout(() => fail(fault("NO_ANSWER")), patience).unref();
    };
    const runIn =
      (tx: postgres.TransactionSql): InTransaction =>
      async (ask) => {
        if (isOver) throw new Error("the transaction's connection is lost");
        try {
          return await answered(ask(tx), patience, heard);
        } catch (error) {
          if (isLost(error)) fail(error);
          throw error;
        }
      };
    const begun = async (tx: postgres.TransactionSql) => {
      clearTimeout(timer);
      heard();
      // The BEGIN was answered too late, and is rolled back.
      if (isOver) throw fault("NO_ANSWER");
      const [done] = await Promise.allSettled([work(runIn(tx))]);
      if (isOver) return new Promise<never>(() => undefined);
      // To the COMMIT or the ROLLBACK.
      expectAnswer();
      if (done.status === "rejected") throw done.reason;
      return done.value;
    };
    expectAnswer();
    sql.begin(begun).then((result) => {
      clearTimeout(timer);
      resolve(result as Result);
    }, fail);
  });
}

/** The codes of the driver and of Node for a lost connection. */
const LOST = /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|ECONNRESET|EPIPE|ETIMEDOUT|NO_ANSWER)$/;

/** By a last message of PostgreSQL, or by the socket: of what was sent on the connection nobody knows what became. */
export function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^(FATAL|PANIC)$/.test(error.severity);
  const code = codeOf(error);
  return code !== undefined && LOST.test(code);
}

/** Milliseconds. */
export type Bounds = {
  /** An attempt to connect; shorter than the wait, so that it never outlasts a request that waits for it, and repeated while another one fits. */
  readonly connect: number;
  /** The wait for a free connection. */
  readonly wait: number;
  /** The wait for the answer to a statement, that for a connection included, or to a BEGIN, COMMIT or ROLLBACK. */
  readonly answer: number;
  /** How long statements may go on that run on connections which get no new ones. */
  readonly rest: number;
  /** Since the last answer on a connection, after which it has to answer within `connect` before anything is sent on it; never asked when not given. */
  readonly silence?: number;
};

type Settings = {
  /** Connections. */
  readonly max: number;
  readonly bounds: Bounds;
  /** Makes a client of the driver with one connection; `onClose` is to be called when that is lost. */
  readonly open: (onClose: () => void) => postgres.Sql;
  /** How often the database has answered. */
  readonly answers: () => number;
};

/**
 * Statements that may be under way on one connection at once. PostgreSQL takes them one after the other; sent without
 * a wait between, several share a packet and a wake-up of either side. Few, since each waits for those before it.
 */
const PIPELINED_MAX = 4;

type Kind = "statement" | "transaction";
/** A connection, which is the only one of its client: the driver's own pool does not say where a statement goes. */
type Connection = {
  readonly sql: postgres.Sql;
  statements: number;
  inTransaction: boolean;
  /** By `performance.now()`; undefined before the first one. */
  heardAt?: number;
};
const isIdle = ({ statements, inTransaction }: Connection) => statements === 0 && !inTransaction;
type Waiting = {
  readonly kind: Kind;
  readonly go: (connection: Connection) => void;
  readonly giveUp: () => void;
};

/**
 * At most `max` connections at once. A transaction has one to itself from its BEGIN on, and unless it is the only one, a
 * connection is left to what is in no transaction: reads do not wait for payments. Statements go where the fewest are
 * under way, so that one that takes long has at most a few behind it. What waits, waits here, for a bounded time, and is
 * not sent after that.
 *
 * When one connection is lost, hangs or may not be written to, none of them gets anything new: the driver opens another
 * one in the place of a lost one, but sends nothing on it where something was still to be sent on the lost one; and
 * after a failover the others lead to the same old primary. What runs on them comes to its end.
 */
function connections(settings: Settings) {
  const { max, bounds, open } = settings;
  const waiting = new Set<Waiting>();
  const retiring = new Set<Promise<void>>();
  let isClosing = false;
  let pool = opened();
  // A single connection, as of a job, is no pool that could be too small.
  const count = (gauge: typeof databaseConnections, by: number) => {
    if (max > 1) gauge.inc(by);
  };
  count(databaseConnections, max);

  function opened(): readonly Connection[] {
    return Array.from({ length: max }, () => {
      const sql = open(() => replace(connection));
      const connection: Connection = { sql, statements: 0, inTransaction: false };
      return connection;
    });
  }

  function replace(lost: Connection | undefined): void {
    if (isClosing || lost === undefined || !pool.includes(lost)) return;
    retire(pool);
    pool = opened();
    admit();
  }

  function retire(all: readonly Connection[]): void {
    const timeout = bounds.rest / 1_000;
    const ended = Promise.all(all.map(({ sql }) => sql.end({ timeout })))
      .then(() => undefined)
      .finally(() => retiring.delete(ended));
    retiring.add(ended);
  }

  function take(kind: Kind): Connection | undefined {
    const free = pool.filter(({ inTransaction }) => !inTransaction);
    const isTransaction = kind === "transaction";
    if (isTransaction && free.length < Math.min(2, max)) return undefined;
    const [first, ...others] = free;
    if (first === undefined) return undefined;
    const least = others.reduce(
      (one, connection) => (connection.statements < one.statements ? connection : one),
      first,
    );
    if (!isTransaction && least.statements === PIPELINED_MAX) return undefined;
    if (isIdle(least)) count(databaseConnectionsInUse, 1);
    if (isTransaction) least.inTransaction = true;
    else least.statements += 1;
    return least;
  }

  function release(connection: Connection, kind: Kind): void {
    if (kind === "transaction") connection.inTransaction = false;
    else connection.statements -= 1;
    if (isIdle(connection)) count(databaseConnectionsInUse, -1);
    admit();
  }

  /** First come, first served, of each kind. */
  function admit(): void {
    const full = new Set<Kind>();
    for (const one of waiting) {
      if (full.has(one.kind)) continue;
      const connection = take(one.kind);
      if (connection !== undefined) one.go(connection);
      else full.add(one.kind);
      if (full.size === 2) return;
    }
  }

  /**
   * A machine that is frozen, or gone without a word, closes nothing: without this the first request after a quiet time
   * would wait for its answer as long as for that of a slow statement. Behind one that is under way nothing is asked.
   */
  async function checkSilent(connection: Connection): Promise<void> {
    const { sql, statements, inTransaction, heardAt } = connection;
    const isAlone = statements + Number(inTransaction) === 1;
    const { silence = Number.POSITIVE_INFINITY } = bounds;
    if (!isAlone || heardAt === undefined || performance.now() - heardAt < silence) return;
    await answered(sql`select 1`, bounds.connect, () => undefined);
  }

  const turn = (kind: Kind) =>
    new Promise<Connection>((go, giveUp) => waitIn(waiting, settings, { kind, go, giveUp }));

  return {
    /** Rejects as unavailable where the database is. `work` has as many milliseconds as are left for an answer. */
    use: async <Result>(
      kind: Kind,
      work: (sql: postgres.Sql, patience: number) => Promise<Result>,
    ): Promise<Result> => {
      const note = outageRecorder();
      const askedAt = performance.now();
      const passed = () => performance.now() - askedAt;
      for (;;) {
        let connection = take(kind);
        let isSent = false;
        try {
          if (connection === undefined) {
            const waited = databaseWaitSeconds.startTimer();
            connection = await turn(kind).finally(waited);
          }
          await checkSilent(connection);
          isSent = true;
          const result = await work(connection.sql, bounds.answer - passed());
          connection.heardAt = performance.now();
          return result;
        } catch (error) {
          const known = asUnavailable(error);
          if (!isUnavailable(known)) throw known;
          databaseFaults.inc();
          const code = codeOf(known);
          if (!leavesConnections(code)) replace(connection ?? pool[0]);
          // Nothing was sent yet. A process that had no processor for a while finds an attempt to connect late, whose
          // answer may have come in time: its timers run before it reads.
          const wasSent = isSent && code !== "CONNECT_TIMEOUT";
          if (!wasSent && connection !== undefined && passed() + bounds.connect <= bounds.wait)
            continue;
          note();
          throw known;
        } finally {
          if (connection !== undefined) release(connection, kind);
        }
      }
    },

    /** What waits is refused at once, and what runs may end, as long as the bounds allow. */
    close: async (): Promise<void> => {
      if (!isClosing) count(databaseConnections, -max);
      isClosing = true;
      for (const one of [...waiting]) one.giveUp();
      retire(pool);
      await Promise.all(retiring);
    },
  };
}

type Turn = Pick<Waiting, "kind" | "go"> & { readonly giveUp: (error: Error) => void };

function waitIn(
  waiting: Set<Waiting>,
  { bounds, answers }: Pick<Settings, "bounds" | "answers">,
  { kind, go, giveUp }: Turn,
): void {
  const before = answers();
  const leave = () => {
    clearTimeout(timer);
    waiting.delete(one);
  };
  const one: Waiting = {
    kind,
    go: (connection) => {
      leave();
      go(connection);
    },
    giveUp: () => {
      leave();
      // Connections that have answered nothing since then are not busy, they hang.
      giveUp(fault(answers() === before ? "NO_ANSWER" : "NO_CONNECTION_FREE"));
    },
  };
  const timer = setTimeout(one.giveUp, bounds.wait).unref();
  waiting.add(one);
}

/**
 * What means that the database is unavailable and not that a statement is wrong: the one table. SQLSTATEs by
 * their class or in full, codes of the driver, of Node and of `fault` as they are.
 */
const outages: readonly RegExp[] = [
  /^08/, // connection exceptions
  /^57P0[123]$/, // shut down by an operator, crashed, starting up
  /^53/, // disk full (53100), no memory, too many connections, a configured limit
  /^25006$/, // read-only: no longer the primary
  /^(55P03|57014)$/, // longer than lock_timeout or statement_timeout, which an operator has set
  /^CONNECTION_(CLOSED|ENDED|DESTROYED)$/,
  /^CONNECT_TIMEOUT$/,
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH)$/,
  /^(ENOTFOUND|EAI_AGAIN)$/,
  /^(NO_CONNECTION_FREE|NO_ANSWER|NO_PRIMARY)$/,
];

/**
 * Whether the code says nothing about the connection it came on, which goes on being used: the server lacks something
 * (class 53, but for a connection that it refuses), a statement took too long, or all connections were busy.
 */
function leavesConnections(code: string | undefined): boolean {
  return code !== undefined && /^(NO_CONNECTION_FREE|55P03|57014|53(?!300).*)$/.test(code);
}

const texts = {
  NO_CONNECTION_FREE: "no connection to the database was free in time",
  NO_ANSWER: "the database did not answer in time",
  NO_PRIMARY: "none of the named hosts is the primary",
} as const;

/** The errors that this module itself makes for a database that does not answer. */
export function fault(code: keyof typeof texts): Error {
  return Object.assign(new Error(texts[code]), { code });
}

/** An outage as the UnavailableError that the other modules know; any other error stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (isUnavailable(error)) return error;
  const code = codeOf(error);
  const isOutage = code !== undefined && outages.some((pattern) => pattern.test(code));
  return isOutage
    ? new UnavailableError(`the database is unavailable (${code})`, { cause: error })
    : error;
}

/** The driver's, Node's or PostgreSQL's own code, wherever in the chain of causes it stands. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : codeOf(error.cause);
}
