import { readFileSync } from "node:fs";
import { join } from "node:path";

const CHECKOUT = join(import.meta.dirname, "../../..");
const START = /^exec node (?<given>.+)$/;

export type StartScript = "start" | "start:tpp" | "start:web";

/** What `npm start`, or the start of one host, gives to Node: its flags, then the program. */
export function startArguments(
  script: StartScript = "start",
  checkout = CHECKOUT,
): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<StartScript, string>>;
  };
  const given = START.exec(scripts[script])?.groups?.["given"];
  if (given === undefined) throw new Error("npm start does not start Node as it did");
  return given.split(" ");
}
