import postgres from "postgres";
import { isUnavailable } from "@/lib/domain/unavailable";
import { outageNoter } from "@/lib/outage";
import { bounded, fault, type Watch } from "./bounded-query";
import { asUnavailable, codeOf, type OwnCode } from "./unavailable";

type Work<Result> = (tx: postgres.TransactionSql) => Result | Promise<Result>;

/** What the driver and Node call a connection that is gone. */
const LOST = /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|ECONNRESET|EPIPE|ETIMEDOUT|NO_ANSWER)$/;

/**
 * Ends a transaction with its connection. The driver (postgres.js 3.4.9) goes on with one: it writes its
 * ROLLBACK to a socket that is gone, where nobody can catch the error and the process dies, and the next
 * statement goes to the connection that has been opened in the place of the lost one, outside of any
 * transaction (porsager/postgres issue 1208). So nothing more is sent: `begin` rejects, and PostgreSQL
 * rolls back by itself. A COMMIT that was cut or not answered in time is rejected too: whether it took
 * place is not known, so it is no success, and nobody repeats it here.
 */
export function endingLostTransactions(sql: postgres.Sql, watch: Watch): postgres.Sql {
  const begin = sql.begin.bind(sql);
  const { bounds, onAway } = watch;
  const guarded = <Result>(...given: readonly [Work<Result>] | readonly [string, Work<Result>]) => {
    const [options, work] = given.length === 1 ? ["", given[0]] : given;
    const note = outageNoter();
    const end = newEnd();
    let over = false;
    const begun = begin(options, async (tx) => {
      end.postpone();
      // Nobody waits for it any more: it is rolled back before it has begun.
      if (over) throw fault("NO_CONNECTION_FREE");
      try {
        const result = await work(refusingWhen(() => over, tx, watch));
        end.within(bounds.answer, "NO_ANSWER");
        return result;
      } catch (error) {
        if (!over && !isLost(error)) {
          // For the ROLLBACK, which may have no answer either.
          end.within(bounds.answer, "NO_ANSWER");
          throw error;
        }
        // The rejection would make the driver write the ROLLBACK.
        end.now(error);
        return new Promise<never>(() => undefined);
      }
    });
    return Promise.race([begun, end.reached])
      .catch((error: unknown) => {
        over = true;
        const known = asUnavailable(error);
        if (isUnavailable(known)) {
          note();
          onAway(codeOf(known));
        }
        throw known;
      })
      .finally(end.postpone);
  };
  return Object.assign(sql, { begin: guarded });
}

/** The end of somebody's patience: `reached` only ever rejects. */
function newEnd() {
  let timer: NodeJS.Timeout | undefined;
  let now: (error: unknown) => void = () => undefined;
  const reached = new Promise<never>((_resolve, reject) => {
    now = reject;
  });
  // It is nobody's fault when the end comes and nobody waits any more.
  reached.catch(() => undefined);
  const postpone = () => clearTimeout(timer);
  const within = (milliseconds: number, code: OwnCode) => {
    postpone();
    timer = setTimeout(() => now(fault(code)), milliseconds).unref();
  };
  return { reached, now: (error: unknown) => now(error), postpone, within };
}

/** The transaction's client, which sends nothing once the transaction is over. */
function refusingWhen(
  isOver: () => boolean,
  tx: postgres.TransactionSql,
  watch: Watch,
): postgres.TransactionSql {
  const refuse = () => {
    if (isOver()) throw new Error("the transaction's connection is lost");
  };
  const unsafe: typeof tx.unsafe = (...given) => bounded(tx.unsafe(...given), watch);
  return new Proxy(tx, {
    apply: (target, self, given) => {
      refuse();
      return bounded(Reflect.apply(target, self, given), watch);
    },
    get: (target, name) => {
      refuse();
      return name === "unsafe" ? unsafe : Reflect.get(target, name);
    },
  });
}

/** Told by PostgreSQL with its last words, or by the socket; Drizzle and this room wrap either. */
function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^(FATAL|PANIC)$/.test(error.severity);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? LOST.test(code) : isLost(error.cause);
}
