import type postgres from "postgres";
import { oncePerTurn } from "@/lib/once-per-turn";
import { type DriverQuery, isQuery, type Watch } from "./bounded-query";
import { transactionTurns } from "./transaction-turns";

/** One connection, with a driver of its own. */
export type Line = {
  readonly driver: postgres.Sql;
  /** What the driver's own queries go through. */
  readonly handler: DriverQuery["handler"];
  readonly canceller: DriverQuery["canceller"];
  /** Statements that it was given and has not answered. */
  unanswered: number;
  isInTransaction: boolean;
};

/** Opens a driver of one connection; `bounding` is what it is wrapped in. */
export function openLine(
  driver: postgres.Sql,
  bounding: (driver: postgres.Sql) => postgres.Sql,
): Line {
  // Never awaited, so never sent.
  const query: unknown = driver.unsafe("");
  if (!isQuery(query)) throw new Error("the driver's queries are not what they were");
  const { handler, canceller } = query;
  return { driver: bounding(driver), handler, canceller, unanswered: 0, isInTransaction: false };
}

/**
 * Connections as the driver's own pool has them (postgres.js 3.4.9), except that a statement costs the same however
 * many there were. The pool's lists of connections get an empty place with each statement, keep them until all
 * connections happen to be taken at one instant, and are looked through with each statement. So each connection has a
 * driver of its own here, and a statement goes to one that has least to answer.
 *
 * What is sent in one turn of the event loop goes together, on one connection: one write, for which one of PostgreSQL's
 * processes is woken. There is always a connection that is in no transaction, unless there is only one: statements do
 * not wait for transactions to end.
 */
export function ownLines(
  lines: readonly [Line, ...Line[]],
  { togetherMax, watch }: { readonly togetherMax: number; readonly watch: Watch },
): postgres.Sql {
  const [{ driver: first }] = lines;
  const turns = transactionTurns(lines, watch);

  const lineOfTurn = oncePerTurn(() => leastBusyOf(lines));
  const handler: DriverQuery["handler"] = (query) => {
    const line = lineOfTurn();
    const isTaken = line.isInTransaction || line.unanswered >= togetherMax;
    give(query, isTaken ? leastBusyOf(lines) : line);
  };
  const routed = <Asked>(asked: Asked): Asked => {
    if (isQuery(asked)) asked.handler = handler;
    return asked;
  };
  const own = {
    unsafe: (...given: Parameters<typeof first.unsafe>) => routed(first.unsafe(...given)),
    begin: (...given: Parameters<typeof first.begin>) =>
      turns.take((line) => line.driver.begin(...given)),
    end: async (...given: Parameters<typeof first.end>) => {
      turns.end();
      await Promise.all(lines.map(({ driver }) => driver.end(...given)));
    },
  };
  return new Proxy(first, {
    apply: (target, self, given) => routed(Reflect.apply(target, self, given)),
    get: (target, name) => Reflect.get(name in own ? own : target, name),
  });
}

function leastBusyOf(lines: readonly [Line, ...Line[]]): Line {
  let [found] = lines;
  for (const line of lines) {
    if (line.isInTransaction) continue;
    if (found.isInTransaction || line.unanswered < found.unanswered) found = line;
  }
  return found;
}

function give(query: DriverQuery, line: Line): void {
  const { resolve, reject } = query;
  let isAnswered = false;
  const answered = () => {
    if (!isAnswered) line.unanswered -= 1;
    isAnswered = true;
  };
  Object.assign(query, {
    resolve: (value: unknown) => {
      answered();
      resolve(value);
    },
    reject: (error: unknown) => {
      answered();
      reject(error);
    },
  });
  query.canceller = line.canceller;
  line.unanswered += 1;
  line.handler(query);
}
