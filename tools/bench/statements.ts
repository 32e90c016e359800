import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { Fresh, Statement, Unit } from "./limit";
import type { Answer, Call } from "./load";

/** A request as it was sent, what the product sent to the database for it, and its answer. */
export type Recording = {
  readonly call: Call;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly units: readonly Unit[];
  readonly answer: Answer;
};

/** In PostgreSQL's own data folder and in JSON; it holds from the next start on. */
export async function logStatements(database: postgres.Sql, which: "all" | "none"): Promise<void> {
  const log = ["logging_collector = on", "log_destination = jsonlog", "log_rotation_size = 0"];
  for (const setting of [...log, "log_parameter_max_length = -1", `log_statement = '${which}'`]) {
    await database.unsafe(`alter system set ${setting}`);
  }
  await database`select pg_reload_conf()`;
}

/** What was logged between two marks: the log is written by a process of its own, a little later. */
export async function loggedDuring<Result>(database: postgres.Sql, work: () => Promise<Result>) {
  const mark = async () => {
    const text = `bench ${randomUUID()}`;
    await database.unsafe(`do $$ begin raise log '${text}'; end $$`);
    return text;
  };
  const [log] = await database<{ size: number }[]>`
    select (pg_stat_file(pg_current_logfile('jsonlog'))).size::int as size`;
  const first = await mark();
  const result = await work();
  const last = await mark();
  for (;;) {
    const [read] = await database<{ text: string }[]>`
      select pg_read_file(pg_current_logfile('jsonlog'), ${log?.size ?? 0}, 4000000) as text`;
    const lines = read?.text.split("\n") ?? [];
    const from = lines.findLastIndex((line) => line.includes(first));
    const to = lines.findIndex((line) => line.includes(last));
    if (from >= 0 && to > from) {
      return { result, units: unitsOf(lines.slice(from + 1, to)) };
    }
    await sleep(2);
  }
}

/** A transaction is one unit, whatever other connections sent in between. */
function unitsOf(lines: readonly string[]): readonly Unit[] {
  const units: { begin?: string; statements: Statement[] }[] = [];
  const open = new Map<number, Statement[]>();
  for (const { pid, message = "", detail = "" } of lines.map((line) => JSON.parse(line))) {
    const [, name, text] = /^(?:statement|execute (\S+)): (.*)$/s.exec(message) ?? [];
    if (text === undefined) continue;
    const begin = /^begin\b(.*)$/is.exec(text)?.[1];
    if (begin !== undefined) {
      const statements: Statement[] = [];
      open.set(pid, statements);
      units.push({ begin: begin.trim(), statements });
    } else if (/^commit\b/i.test(text)) open.delete(pid);
    else if (/^rollback\s*$/i.test(text)) throw new Error("a transaction was rolled back");
    else {
      const prepared = name !== undefined && name !== "<unnamed>";
      const statement = { text, prepared, parameters: parametersOf(detail) };
      const within = open.get(pid);
      if (within === undefined) units.push({ statements: [statement] });
      else within.push(statement);
    }
  }
  return units;
}

function parametersOf(detail: string): readonly (string | null)[] {
  const values = [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)];
  return values.map(([, value]) => value?.replaceAll("''", "'") ?? null);
}

/** Everything but the values: two recordings of a request without a job of the server in between are alike in it. */
export function shapeOf({ units, answer }: Recording): string {
  const keepShape = (key: string, value: unknown) =>
    key === "parameters" ? (value as []).map((one) => one === null) : value;
  return JSON.stringify([units, answer.status, Object.keys(answer.headers)], keepShape);
}

/** An id, an instant, or random text. */
const CHANGING =
  /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::\d\d)?)|[\w-]{20,})/i;
/** Node writes them itself, for any server. */
const OF_NODE = ["date", "connection", "keep-alive"];

/**
 * From two recordings of the same shape, as JSON: what is the same in both stays; in place of what changes stands the
 * number of a fresh value between two zeros, the same number wherever the same value stood.
 */
export function planOf(first: Recording, second: Recording): string {
  const texts = [first, second].map(({ units, answer: { status, headers, body } }) => {
    const kept = Object.entries(headers).filter(([name]) => !OF_NODE.includes(name));
    return JSON.stringify({ units, status, headers: kept, body });
  });
  const [parts = [], others = []] = texts.map((text) => text.split(CHANGING));
  const fresh: Fresh[] = [];
  const known = new Map<string, string>();
  const changed = parts.map((one, index) => {
    const other = others[index];
    if (one === other) return one;
    if (other === undefined || index % 2 === 0)
      throw new Error(`it says "${one}" once and "${other}" the next time`);
    const key = `${one} ${other}`.toLowerCase();
    const place = known.get(key) ?? `\\u0000${fresh.length}\\u0000`;
    if (!known.has(key)) fresh.push(freshOf(one, other, first));
    known.set(key, place);
    return place;
  });
  return JSON.stringify({ fresh, ...JSON.parse(changed.join("")) });
}

function freshOf(one: string, other: string, { call, at }: Recording): Fresh {
  const size = one.length;
  const requestId = call.headers["x-request-id"];
  if (one.toLowerCase() === requestId?.toLowerCase()) return { kind: "request id", size };
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(one)) return { kind: "uuid", size };
  if (/^\d{4}-\d\d-\d\d[T ]/.test(one)) return { kind: "instant", size: Date.parse(one) - at };
  const isHex = /^[0-9a-f]+$/.test(one + other);
  return { kind: isHex ? "hex" : "base64url", size };
}
