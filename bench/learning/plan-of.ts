import type { Plan, Statement, Step, Template } from "../limit/plan";
import type { Seen } from "../tap/statements";
import { type Recorded, templatesOf } from "./templates";
import { type Span, wavesOf } from "./waves";

/** One request and all that came of it. */
export type Recording = {
  /** Of the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly seen: readonly Seen[];
  readonly answer: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
  };
};

type Unit = Span & { readonly seen: readonly Seen[] };

/** Fewer that agree could agree by accident. */
const AGREEING_LEAST = 2;

/**
 * The plan of a request, from several recordings of it. Now and then a job of the server speaks in
 * between: what most recordings have in common is the request's own. Throws when too few agree.
 */
export function planOf(recordings: readonly Recording[]): Plan {
  const alike = mostAlike(recordings);
  const [first] = alike;
  if (first === undefined || alike.length < AGREEING_LEAST) {
    throw new Error(`of ${recordings.length} recordings only ${alike.length} are alike`);
  }
  const { slots, templates } = templatesOf(alike.map(asTexts));
  const next = templates[Symbol.iterator]();
  const take = () => next.next().value ?? null;
  return {
    slots,
    waves: wavesOf(unitsOf(first.seen)).map((wave) => wave.map((unit) => stepOf(unit, take))),
    answer: {
      status: first.answer.status,
      headers: first.answer.headers.map(([name]) => [name, textOf(take())] as const),
      body: textOf(take()),
    },
  };
}

/** Of those that some agree on the one with the fewest waves: what was once sent side by side waits for nothing. */
function mostAlike(recordings: readonly Recording[]): readonly Recording[] {
  const groups = new Map<string, Recording[]>();
  for (const recording of recordings) {
    const key = JSON.stringify(shapeOf(recording));
    groups.set(key, [...(groups.get(key) ?? []), recording]);
  }
  const byCount = [...groups.values()].toSorted((a, b) => b.length - a.length);
  const agreed = byCount.filter(({ length }) => length >= AGREEING_LEAST);
  const [fewestWaves = byCount[0]] = agreed.toSorted((a, b) => wavesIn(a) - wavesIn(b));
  return fewestWaves ?? [];
}

function wavesIn([recording]: readonly Recording[]): number {
  return wavesOf(unitsOf(recording?.seen ?? [])).length;
}

/** Everything but the values. */
function shapeOf({ seen, answer }: Recording) {
  const statement = ({ text, protocol, tag, types, parameters }: Seen) => [
    ...[text, protocol, tag, types],
    parameters.map((value) => value === null),
  ];
  const waves = wavesOf(unitsOf(seen)).map((wave) =>
    wave.map((unit) => wavesOf(unit.seen).map((inside) => inside.map(statement))),
  );
  return [waves, answer.status, answer.headers.map(([name]) => name)];
}

/** The texts in the order in which the plan takes their templates. */
function asTexts({ headers: sent, at, seen, answer }: Recording): Recorded {
  const parameters = wavesOf(unitsOf(seen))
    .flat()
    .flatMap((unit) => wavesOf(unit.seen).flat())
    .flatMap((statement) => statement.parameters);
  const headers = answer.headers.map(([, value]) => value);
  return {
    requestId: sent["x-request-id"] ?? "none",
    at,
    texts: [...parameters, ...headers, answer.body],
  };
}

/** A transaction is one unit; it has its connection for itself. */
function unitsOf(seen: readonly Seen[]): readonly Unit[] {
  const units: Seen[][] = [];
  const open = new Map<number, Seen[]>();
  for (const statement of seen) {
    const inside = open.get(statement.connection);
    if (inside !== undefined) inside.push(statement);
    else units.push(begun(statement, open));
    if (isEnd(statement)) open.delete(statement.connection);
  }
  return units.map((unit) => ({
    seen: unit,
    startedAt: Math.min(...unit.map(({ startedAt }) => startedAt)),
    endedAt: Math.max(...unit.map(({ endedAt }) => endedAt)),
  }));
}

function begun(statement: Seen, open: Map<number, Seen[]>): Seen[] {
  const unit = [statement];
  if (isBegin(statement)) open.set(statement.connection, unit);
  return unit;
}

const isBegin = ({ text }: Seen) => /^begin\b/i.test(text);
const isEnd = ({ text }: Seen) => /^(commit|rollback)\s*$/i.test(text);

function stepOf({ seen }: Unit, take: () => Template | null): Step {
  const [first, ...rest] = seen;
  if (first === undefined) throw new Error("a unit without a statement");
  if (!isBegin(first)) return statementOf(first, take);
  const last = rest.at(-1);
  if (last?.text.toLowerCase().trim() !== "commit") {
    throw new Error("a transaction was not committed");
  }
  return {
    kind: "transaction",
    options: first.text.replace(/^begin\s*/i, ""),
    waves: wavesOf(rest.slice(0, -1)).map((wave) => wave.map((one) => statementOf(one, take))),
  };
}

function statementOf(seen: Seen, take: () => Template | null): Statement {
  const { text, protocol, types, tag, parameters } = seen;
  return { kind: "statement", text, protocol, types, tag, parameters: parameters.map(take) };
}

function textOf(template: Template | null): Template {
  if (template === null) throw new Error("an answer has no null in it");
  return template;
}
