import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type RequestName, requestNames } from "./requests";

const number = (byDefault: string) => ({ type: "string", default: byDefault }) as const;

/** As `npm run bench` takes them; docs/performance.md says what they are for. */
export const benchOptions = {
  seconds: number("4"),
  rounds: number("3"),
  rate: number("200"),
  connections: number("16"),
  pool: number("4"),
  consents: number("32"),
  only: { type: "string", multiple: true, default: requestNames },
  checkout: { type: "string", multiple: true, default: [] as string[] },
} as const;

const ROOT = join(import.meta.dirname, "../..");

export type Options = ReturnType<typeof optionsOf>;

/** Throws with a sentence for a person. */
export function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: benchOptions });
  const whole = (name: "seconds" | "rounds" | "rate" | "connections" | "pool" | "consents") => {
    if (/^[1-9]\d{0,5}$/.test(values[name])) return Number(values[name]);
    throw new Error(`--${name} is a whole number`);
  };
  const only: readonly RequestName[] = requestNames.filter((name) => values.only.includes(name));
  if (only.length < values.only.length) throw new Error(`--only takes ${requestNames.join(", ")}`);
  return {
    /** Folders with a Drawbridge each; this one is the first. */
    checkouts: [ROOT, ...values.checkout.map((folder) => resolve(folder))],
    seconds: whole("seconds"),
    rounds: whole("rounds"),
    rate: whole("rate"),
    connections: whole("connections"),
    pool: whole("pool"),
    consents: whole("consents"),
    only,
  };
}
