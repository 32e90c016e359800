import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type RequestName, titles } from "./requests";

const requestNames = Object.keys(titles) as RequestName[];

/** As `npm run bench` takes them; docs/performance.md says what they are for. */
export const benchOptions = {
  seconds: { type: "string", default: "4" },
  rounds: { type: "string", default: "3" },
  consents: { type: "string", default: "32" },
  only: { type: "string", multiple: true, default: requestNames },
  checkout: { type: "string", multiple: true, default: [] as string[] },
} as const;

/** Throws with a sentence for a person. */
export function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: benchOptions });
  const whole = (name: "seconds" | "rounds" | "consents") => {
    if (/^[1-9]\d{0,5}$/.test(values[name])) return Number(values[name]);
    throw new Error(`--${name} is a whole number`);
  };
  const only: readonly RequestName[] = requestNames.filter((name) => values.only.includes(name));
  if (only.length < values.only.length) throw new Error(`--only takes ${requestNames.join(", ")}`);
  return {
    /** Folders with a Drawbridge each; this one is the first. */
    checkouts: [
      join(import.meta.dirname, "../.."),
      ...values.checkout.map((folder) => resolve(folder)),
    ],
    ...{ seconds: whole("seconds"), rounds: whole("rounds"), consents: whole("consents"), only },
  };
}
