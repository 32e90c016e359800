import { randomBytes, randomUUID } from "node:crypto";
import type postgres from "postgres";
import type { Lines } from "./lines";
import type { Plan, Slot, Statement, Step, Template } from "./plan";

/** The plan's answer, filled in. */
export type Filled = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
};

/**
 * Sends the plan's statements as the product sent them. Throws when one of them did not do what it did
 * for the product.
 */
export async function replay(lines: Lines, plan: Plan, requestId: string): Promise<Filled> {
  const values = plan.slots.map((slot) => made(slot, requestId));
  for (const [only, ...others] of plan.waves) {
    if (only === undefined) continue;
    if (others.length === 0) await step(lines, only, values);
    else await Promise.all([only, ...others].map((one) => step(lines, one, values)));
  }
  const { status, headers, body } = plan.answer;
  return {
    status,
    headers: headers.flatMap(([name, value]) => [name, filled(value, values)]),
    body: filled(body, values),
  };
}

function step(lines: Lines, one: Step, values: readonly string[]): Promise<unknown> {
  if (one.kind === "statement") return lines.statement((sql) => run(sql, one, values));
  const { options, waves } = one;
  return lines.transaction((sql) =>
    sql.begin(options, async (tx) => {
      for (const [only, ...others] of waves) {
        if (only === undefined) continue;
        if (others.length === 0) await run(tx, only, values);
        else await Promise.all([only, ...others].map((inside) => run(tx, inside, values)));
      }
    }),
  );
}

async function run(
  sql: postgres.Sql | postgres.TransactionSql,
  { text, protocol, types, parameters, tag }: Statement,
  values: readonly string[],
): Promise<void> {
  const given = parameters.map((parameter, index) => {
    const value = parameter === null ? null : filled(parameter, values);
    const type = types[index] ?? 0;
    return type === 0 ? value : sql.typed(value as string, type);
  });
  const how = { prepare: protocol === "named", simple: protocol === "simple" };
  const result = await sql.unsafe(text, given, how).values();
  const { command, count } = result;
  // As the product lets go of them: the driver keeps a statement and its rows until a full collection.
  result.length = 0;
  const done = [command, ...(command === "INSERT" ? [0] : []), count]
    .filter((part) => part !== null)
    .join(" ");
  if (done !== tag) throw new Error(`"${done}" instead of "${tag}" from ${text}`);
}

function made(slot: Slot, requestId: string): string {
  switch (slot.kind) {
    case "request-id":
      return requestId;
    case "uuid":
      return randomUUID();
    case "instant":
      return new Date(Date.now() + slot.offset).toISOString();
    case "random":
      return randomBytes(slot.length).toString(slot.encoding).slice(0, slot.length);
  }
}

function filled(template: Template, values: readonly string[]): string {
  if (typeof template === "string") return template;
  const { literals, slots } = template;
  const [first, ...others] = literals;
  let text = `${first}`;
  for (const [index, literal] of others.entries())
    text += `${values[Number(slots[index])]}${literal}`;
  return text;
}
