import type postgres from "postgres";

/** Connections, each by a driver of its own. */
export type Lines = {
  readonly statement: <Answer>(send: (sql: postgres.Sql) => Promise<Answer>) => Promise<Answer>;
  readonly transaction: <Answer>(send: (sql: postgres.Sql) => Promise<Answer>) => Promise<Answer>;
};

type Line = { readonly sql: postgres.Sql; unanswered: number; isTaken: boolean };

const TOGETHER_MAX = 16;

/**
 * As the product has them, since the driver's own pool looks through lists that grow with each statement: what is sent
 * in one turn of the event loop goes together, a transaction has its connection to itself, and one connection is left
 * to the statements.
 */
export function linesOf(drivers: readonly postgres.Sql[]): Lines {
  const lines = drivers.map((sql): Line => ({ sql, unanswered: 0, isTaken: false }));
  const atOnce = Math.max(1, lines.length - 1);
  const waiting: ((line: Line) => void)[] = [];
  let ofTurn: Line | undefined;

  function lineOfTurn(): Line {
    if (ofTurn === undefined) setImmediate(() => (ofTurn = undefined));
    if (ofTurn === undefined || ofTurn.isTaken || ofTurn.unanswered >= TOGETHER_MAX)
      ofTurn = leastBusy(lines);
    return ofTurn;
  }

  function take(): Line | Promise<Line> {
    if (lines.filter(({ isTaken }) => isTaken).length >= atOnce)
      return new Promise((resolve) => waiting.push(resolve));
    const line = leastBusy(lines);
    line.isTaken = true;
    return line;
  }

  return {
    statement: async (send) => {
      const line = lineOfTurn();
      line.unanswered += 1;
      try {
        return await send(line.sql);
      } finally {
        line.unanswered -= 1;
      }
    },
    transaction: async (send) => {
      const line = await take();
      try {
        return await send(line.sql);
      } finally {
        const next = waiting.shift();
        if (next === undefined) line.isTaken = false;
        else next(line);
      }
    },
  };
}

/** With one connection alone, that one, whoever has it. */
function leastBusy(lines: readonly Line[]): Line {
  const free = lines.filter(({ isTaken }) => !isTaken);
  const [first, ...others] = free.length === 0 ? lines : free;
  if (first === undefined) throw new Error("no connection");
  return others.reduce((one, other) => (other.unanswered < one.unanswered ? other : one), first);
}
