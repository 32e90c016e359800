import { parseArgs } from "node:util";
import { type ScenarioName, scenarioNames } from "./scenarios";

export const modes = ["compare", "memory", "grown", "start", "profile"] as const;
export type Mode = (typeof modes)[number];

export type Options = {
  readonly mode: Mode;
  readonly seconds: number;
  readonly rounds: number;
  /** Requests a second in the part at a fixed rate. */
  readonly rate: number;
  readonly connections: number;
  /** Connections to the database, of the product and of the limit each. */
  readonly pool: number;
  /** Processes of the product; the limit and the bare Next handler have one. */
  readonly workers: number;
  /** Megabytes in which the product keeps pages that went out; 0: it reads each of them anew. */
  readonly pages: number;
  /** Of --memory. */
  readonly requests: number;
  readonly only: readonly ScenarioName[];
};

const DEFAULTS = {
  seconds: "5",
  rounds: "3",
  rate: "200",
  connections: "16",
  pool: "4",
  workers: "1",
  pages: "16",
  requests: "1000000",
} as const;
type Numeric = keyof typeof DEFAULTS;

const text = (name: Numeric) => ({ type: "string", default: DEFAULTS[name] }) as const;
const flag = { type: "boolean", default: false } as const;

/** Throws with a sentence for a person. */
export function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: text("seconds"),
      rounds: text("rounds"),
      rate: text("rate"),
      connections: text("connections"),
      pool: text("pool"),
      workers: text("workers"),
      pages: text("pages"),
      requests: text("requests"),
      only: { type: "string", multiple: true },
      memory: flag,
      grown: flag,
      start: flag,
      profile: flag,
    },
  });
  const whole = (name: Numeric, min = 1) => wholeNumber(name, values[name], min);
  return {
    mode: modes.find((mode) => mode !== "compare" && values[mode]) ?? "compare",
    seconds: whole("seconds"),
    rounds: whole("rounds"),
    rate: whole("rate"),
    connections: whole("connections"),
    pool: whole("pool"),
    workers: whole("workers"),
    pages: whole("pages", 0),
    requests: whole("requests"),
    only: (values.only ?? scenarioNames).map(scenarioName),
  };
}

function wholeNumber(name: string, given: string, min: number): number {
  const value = Number(given);
  if (given.trim() === "" || !Number.isInteger(value) || value < min) {
    throw new Error(`--${name} is a whole number from ${min}`);
  }
  return value;
}

function scenarioName(name: string): ScenarioName {
  const found = scenarioNames.find((one) => one === name);
  if (found === undefined) throw new Error(`--only takes one of ${scenarioNames.join(", ")}`);
  return found;
}
