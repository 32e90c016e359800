import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { Fresh, Statement, Unit } from "./limit";
import type { Answer } from "./load";

/** A line of PostgreSQL's log, of what is read here. */
export type LogLine = { readonly pid: number; readonly message?: string; readonly detail?: string };

/** One request with what the product sent to the database for it, and its answer. */
export type Recording = {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly units: readonly Unit[];
  readonly answer: {
    readonly status: number;
    readonly headers: Answer["headers"];
    readonly body: string;
  };
};

type Sent = Statement;

export type Recorder = {
  /** What the product sends to the database while this goes on. */
  readonly during: <Result>(work: () => Promise<Result>) => Promise<readonly [Result, Unit[]]>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Before the server is started again: a log in JSON, in PostgreSQL's own data folder. */
export async function logInJson(database: postgres.Sql): Promise<void> {
  const settings = {
    logging_collector: "on",
    log_destination: "jsonlog",
    log_rotation_size: "0",
    log_parameter_max_length: "-1",
  };
  for (const [name, value] of Object.entries(settings)) {
    await database.unsafe(`alter system set ${name} = '${value}'`);
  }
}

/** Over one connection, of which nothing is logged. */
export async function recorder(database: postgres.Sql): Promise<Recorder> {
  await database`set log_statement = 'none'`;
  let offset = 0;

  /** What was logged since the last time, up to now: the log is written by a process of its own. */
  async function newLines(): Promise<readonly LogLine[]> {
    const mark = `bench ${randomUUID()}`;
    await database.unsafe(`do $$ begin raise log '${mark}'; end $$`);
    for (;;) {
      const [read] = await database<{ text: string; bytes: number }[]>`
        select text, octet_length(text) as bytes
        from pg_read_file(pg_current_logfile('jsonlog'), ${offset}, 100000000) as text`;
      if (read?.text.includes(mark) && read.text.endsWith("\n")) {
        offset += read.bytes;
        const lines = read.text.trim().split("\n");
        return lines.map((line) => JSON.parse(line) as LogLine);
      }
      await sleep(2);
    }
  }

  async function setTo(value: "all" | "none"): Promise<void> {
    await database.unsafe(`alter system set log_statement = '${value}'`);
    await database`select pg_reload_conf()`;
    // PostgreSQL's processes read it when they are told, one after the other.
    await sleep(200);
  }

  return {
    start: () => setTo("all"),
    stop: () => setTo("none"),
    during: async (work) => {
      await newLines();
      const result = await work();
      return [result, unitsOf(await newLines())];
    },
  };
}

/** A transaction is one unit, whatever other connections sent in between. */
export function unitsOf(lines: readonly LogLine[]): Unit[] {
  const units: { begin?: string; statements: Sent[] }[] = [];
  const open = new Map<number, Sent[]>();
  for (const { pid, message = "", detail = "" } of lines) {
    const [, simple, name, text = ""] =
      /^(?:(statement)|execute (\S+)): (.*)$/s.exec(message) ?? [];
    if (simple === undefined && name === undefined) continue;
    const begin = /^begin\b(.*)$/is.exec(text)?.[1];
    const within = open.get(pid);
    if (begin !== undefined) {
      const statements: Sent[] = [];
      open.set(pid, statements);
      units.push({ begin: begin.trim(), statements });
    } else if (/^commit\b/i.test(text)) open.delete(pid);
    else if (/^rollback\s*$/i.test(text)) throw new Error("a transaction was rolled back");
    else {
      const prepared = name !== undefined && name !== "<unnamed>";
      const statement = { text, prepared, parameters: parametersOf(detail) };
      if (within === undefined) units.push({ statements: [statement] });
      else within.push(statement);
    }
  }
  return units;
}

function parametersOf(detail: string): readonly (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  );
}

/** Everything but the values: two recordings of a request without a job of the server in between are alike in it. */
export function shapeOf({ units, answer }: Recording): string {
  const statements = units.map((unit) => [
    unit.begin,
    unit.statements.map(({ text, prepared, parameters }) => [
      ...[text, prepared],
      parameters.map((value) => value === null),
    ]),
  ]);
  return JSON.stringify([statements, answer.status, answer.headers.map(([name]) => name)]);
}

/** An id, an instant, or random text. */
const CHANGING =
  /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::\d\d)?)|[\w-]{20,})/i;

/**
 * From two recordings of the same shape, as JSON: what is the same in both stays; in place of what changes stands the
 * number of a fresh value between two zeros, the same number wherever the same value stood.
 */
export function planOf(first: Recording, second: Recording): string {
  const texts = [first, second].map(({ units, answer }) => JSON.stringify({ units, ...answer }));
  const [parts = [], others = []] = texts.map((text) => text.split(CHANGING));
  const fresh: Fresh[] = [];
  const known = new Map<string, string>();
  const changed = parts.map((one, index) => {
    const other = others[index] ?? "";
    if (one === other) return one;
    if (index % 2 === 0) throw new Error(`it says "${one}" once and "${other}" the next time`);
    const key = `${one} ${other}`.toLowerCase();
    const place = known.get(key) ?? `\\u0000${fresh.length}\\u0000`;
    if (!known.has(key)) fresh.push(freshOf(one, other, first));
    known.set(key, place);
    return place;
  });
  return JSON.stringify({ fresh, ...JSON.parse(changed.join("")) });
}

function freshOf(one: string, other: string, { requestId, at }: Recording): Fresh {
  if (one.toLowerCase() === requestId.toLowerCase()) return { kind: "request id" };
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(one)) return { kind: "uuid" };
  if (/^\d{4}-\d\d-\d\d[T ]/.test(one)) return { kind: "instant", offsetMs: Date.parse(one) - at };
  const isHex = [one, other].every((text) => /^[0-9a-f]+$/.test(text));
  return { kind: "random", length: one.length, encoding: isHex ? "hex" : "base64url" };
}
