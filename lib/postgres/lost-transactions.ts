import postgres from "postgres";

type Work<Result> = (tx: postgres.TransactionSql) => Result | Promise<Result>;

/** What the driver and Node call a connection that is gone. */
const LOST = /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/**
 * Ends a transaction with its connection. The driver (postgres.js 3.4.9) goes on with one: it writes its
 * ROLLBACK to a socket that is gone, where nobody can catch the error and the process dies, and the next
 * statement goes to the connection that has been opened in the place of the lost one, outside of any
 * transaction (porsager/postgres issue 1208). So nothing more is sent: `begin` rejects when the
 * connection closes, and PostgreSQL has rolled back by itself.
 */
export function endingLostTransactions(sql: postgres.Sql): postgres.Sql {
  const begin = sql.begin.bind(sql);
  const guarded = <Result>(...given: readonly [Work<Result>] | readonly [string, Work<Result>]) => {
    const [options, work] = given.length === 1 ? ["", given[0]] : given;
    let over = false;
    const begun = begin(options, async (tx) => {
      try {
        return await work(refusingWhen(() => over, tx));
      } catch (error) {
        // The rejection would make the driver write the ROLLBACK; `begun` rejects without it.
        if (over || isLost(error)) return new Promise<never>(() => undefined);
        throw error;
      }
    });
    begun.catch(() => {
      over = true;
    });
    return begun;
  };
  return Object.assign(sql, { begin: guarded });
}

/** The transaction's client, which sends nothing once the transaction is over. */
function refusingWhen(isOver: () => boolean, tx: postgres.TransactionSql): postgres.TransactionSql {
  const refuse = () => {
    if (isOver()) throw new Error("the transaction's connection is lost");
  };
  return new Proxy(tx, {
    apply: (target, self, given) => {
      refuse();
      return Reflect.apply(target, self, given);
    },
    get: (target, name) => {
      refuse();
      return Reflect.get(target, name);
    },
  });
}

/** Told by PostgreSQL with its last words, or by the socket; Drizzle wraps either. */
function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^(FATAL|PANIC)$/.test(error.severity);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? LOST.test(code) : isLost(error.cause);
}
