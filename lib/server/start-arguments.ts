import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "../../package.json");
const START = /^exec node (?<given>.+)$/;

/** What `npm start` gives to Node: its flags, then the program. */
export function startArguments(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  const given = START.exec(scripts.start)?.groups?.["given"];
  if (given === undefined) throw new Error("npm start does not start Node as it did");
  return given.split(" ");
}

/** The flags among them. */
export function nodeFlags(): readonly string[] {
  return startArguments().filter((one) => one.startsWith("--"));
}
