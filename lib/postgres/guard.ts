import postgres from "postgres";
import { isUnavailable } from "@/lib/domain/unavailable";
import { type Bounds, connections, type Settings } from "./connections";
import { asUnavailable, codeOf, fault } from "./unavailable";

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
