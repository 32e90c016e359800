import postgres from "postgres";
import { isUnavailable, UnavailableError } from "@/lib/domain/errors";
import { outageRecorder } from "@/lib/outage";

export const usualBounds: Bounds = { connect: 1_500, wait: 3_000, answer: 10_000, rest: 5_000 };

/** Sends one statement, which `ask` writes with the driver's tag when a connection is free for it. */
export type Run<Sql = postgres.Sql> = <Rows>(ask: (sql: Sql) => PromiseLike<Rows>) => Promise<Rows>;
type InTransaction = Run<postgres.TransactionSql>;
type Work<Result> = (run: InTransaction) => Promise<Result>;

export type Guard = {
  readonly run: Run;
  /** Ends with its connection. A COMMIT without an answer is no success, and nothing here repeats it. */
  readonly begin: <Result>(work: Work<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/** What the driver is asked, by its public interface alone, so that each question ends in time. */
export function guard(settings: Omit<Settings, "answers">): Guard {
  let answers = 0;
  const heard = () => {
    answers += 1;
  };
  const { use, close } = connections({ ...settings, answers: () => answers });
  return {
    run: (ask) => use("statement", (sql, patience) => answered(ask(sql), patience, heard)),
    begin: (work) =>
      use("transaction", (sql) =>
        transaction(sql, work, { patience: settings.bounds.answer, heard }),
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

/** What the driver and Node call a connection that is gone. */
const LOST = /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|ECONNRESET|EPIPE|ETIMEDOUT|NO_ANSWER)$/;

/** Told by PostgreSQL with its last words, or by the socket. */
function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^(FATAL|PANIC)$/.test(error.severity);
  const code = codeOf(error);
  return code !== undefined && LOST.test(code);
}

/** Milliseconds. */
export type Bounds = {
  /** An attempt to connect; shorter than the wait, so that it never outlasts a request that waits for it. */
  readonly connect: number;
  /** The wait for a free connection. */
  readonly wait: number;
  /** The wait for the answer to a statement, that for a connection included, or to a BEGIN, COMMIT or ROLLBACK. */
  readonly answer: number;
  /** How long statements may go on that run on connections which get no new ones. */
  readonly rest: number;
};

type Settings = {
  /** Connections. */
  readonly max: number;
  readonly bounds: Bounds;
  /** Makes a client of the driver; `onClose` is to be called when it has lost a connection. */
  readonly open: (onClose: () => void) => postgres.Sql;
  /** How often the database has answered. */
  readonly answers: () => number;
};

/**
 * The driver (postgres.js 3.4.9) leaves an empty place in a list of its idle connections with each statement, until all
 * of them are taken at one instant, and looks through the list with each statement. A new client has a new list.
 */
const STATEMENTS_OF_A_CLIENT = 50_000;

type Kind = "statement" | "transaction";
type Client = { readonly sql: postgres.Sql; running: number; transactions: number; begun: number };
type Waiting = {
  readonly kind: Kind;
  readonly go: (client: Client) => void;
  readonly giveUp: () => void;
};

/**
 * No more than `max` statements and transactions run at once: each has a connection to itself, and what waits, waits
 * here, for a bounded time, and is not sent after that. Unless it is the only one, a connection is left to what is in
 * no transaction: reads do not wait for payments.
 *
 * No client is used again that has lost a connection, or of which one hangs or may not be written to. The driver opens
 * another connection in the place of a lost one, but sends nothing on it where something was still to be sent on the
 * lost one. New statements go to a new client, and what runs on the old one's other connections comes to its end.
 */
function connections(settings: Settings) {
  const { max, bounds, open } = settings;
  const waiting = new Set<Waiting>();
  const retiring = new Set<Promise<void>>();
  let isClosing = false;
  let current = opened();

  function opened(): Client {
    const sql = open(() => replace(client));
    const client: Client = { sql, running: 0, transactions: 0, begun: 0 };
    return client;
  }

  function replace(client: Client, rest = bounds.rest): void {
    if (isClosing || client !== current) return;
    current = opened();
    retire(client, rest);
    admit();
  }

  function retire({ sql }: Client, rest: number): void {
    const ended = sql.end({ timeout: rest / 1_000 }).finally(() => retiring.delete(ended));
    retiring.add(ended);
  }

  function take(kind: Kind): Client | undefined {
    const client = current;
    const isTransaction = kind === "transaction";
    if (client.running === max) return undefined;
    if (isTransaction && client.transactions === Math.max(1, max - 1)) return undefined;
    client.running += 1;
    client.begun += 1;
    if (isTransaction) client.transactions += 1;
    return client;
  }

  function release(client: Client, kind: Kind): void {
    client.running -= 1;
    if (kind === "transaction") client.transactions -= 1;
    // Nothing is wrong with it: its transactions have all the time they need.
    if (client.begun >= STATEMENTS_OF_A_CLIENT) replace(client, 10 * bounds.answer);
    admit();
  }

  /** First come, first served, of each kind. */
  function admit(): void {
    for (const one of waiting) {
      const client = take(one.kind);
      if (client !== undefined) one.go(client);
      else if (current.running === max) return;
    }
  }

  const turn = (kind: Kind) =>
    new Promise<Client>((go, giveUp) => waitIn(waiting, settings, { kind, go, giveUp }));

  return {
    /** Rejects as unavailable where the database is. `work` has as many milliseconds as are left for an answer. */
    use: async <Result>(
      kind: Kind,
      work: (sql: postgres.Sql, patience: number) => Promise<Result>,
    ): Promise<Result> => {
      const note = outageRecorder();
      const askedAt = performance.now();
      let client = take(kind);
      try {
        client ??= await turn(kind);
        return await work(client.sql, bounds.answer - (performance.now() - askedAt));
      } catch (error) {
        const known = asUnavailable(error);
        if (isUnavailable(known)) {
          note();
          if (!leavesConnections(codeOf(known))) replace(client ?? current);
        }
        throw known;
      } finally {
        if (client !== undefined) release(client, kind);
      }
    },

    /** What waits is refused at once, and what runs may end, as long as the bounds allow. */
    close: async (): Promise<void> => {
      isClosing = true;
      for (const one of [...waiting]) one.giveUp();
      retire(current, bounds.rest);
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
    go: (client) => {
      leave();
      go(client);
    },
    giveUp: () => {
      leave();
      // Connections that have answered nothing meanwhile are not busy, they hang.
      giveUp(fault(answers() === before ? "NO_ANSWER" : "NO_CONNECTION_FREE"));
    },
  };
  const timer = setTimeout(one.giveUp, bounds.wait).unref();
  waiting.add(one);
}

/**
 * What means that the database is away and not that a statement is wrong: the one table. SQLSTATEs by
 * their class or in full, codes of the driver, of Node and of `fault` as they are.
 */
const away: readonly RegExp[] = [
  /^08/, // connection exceptions
  /^57P0[123]$/, // shut down by an operator, crashed, starting up
  /^53/, // no room on the disk (53100), no memory, too many connections, a configured limit
  /^25006$/, // read-only: a primary that is one no more
  /^CONNECTION_(CLOSED|ENDED|DESTROYED)$/,
  /^CONNECT_TIMEOUT$/,
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH)$/,
  /^(ENOTFOUND|EAI_AGAIN)$/,
  /^(NO_CONNECTION_FREE|NO_ANSWER|NO_PRIMARY)$/,
];

/**
 * Whether the code says nothing about the connection it came on, which goes on being used: the server lacks something
 * (class 53, but for a connection that it refuses), or all connections were busy.
 */
function leavesConnections(code: string | undefined): boolean {
  return code !== undefined && /^(NO_CONNECTION_FREE|53(?!300).*)$/.test(code);
}

const texts = {
  NO_CONNECTION_FREE: "no connection to the database was free in time",
  NO_ANSWER: "the database did not answer in time",
  NO_PRIMARY: "none of the named hosts is the primary",
} as const;

/** What this module says itself of a database that does not answer. */
export function fault(code: keyof typeof texts): Error {
  return Object.assign(new Error(texts[code]), { code });
}

/** The error as the rest of the house knows it; any other stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (isUnavailable(error)) return error;
  const code = codeOf(error);
  const isAway = code !== undefined && away.some((pattern) => pattern.test(code));
  return isAway ? new UnavailableError(`the database is away (${code})`, { cause: error }) : error;
}

/** The driver's, Node's or PostgreSQL's own word for it, wherever in the chain of causes it stands. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : codeOf(error.cause);
}
