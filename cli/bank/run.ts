import type { Command } from "./command";
import * as coreBank from "./commands/core-bank";
import * as doctor from "./commands/doctor";
import * as events from "./commands/events";
import * as importCommand from "./commands/import";
import * as migrate from "./commands/migrate";
import * as parity from "./commands/parity";
import * as performance from "./commands/performance";
import * as profile from "./commands/profile";
import * as psu from "./commands/psu";
import * as reconcile from "./commands/reconcile";
import * as revoke from "./commands/revoke";
import * as statistics from "./commands/statistics";
import * as supervisorPack from "./commands/supervisor-pack";
import * as tpp from "./commands/tpp";
import { inWords } from "./in-words";
import { WrongUsage } from "./wrong-usage";

const commands: Readonly<Record<string, Command>> = {
  "core-bank": coreBank,
  doctor,
  events,
  import: importCommand,
  migrate,
  parity,
  performance,
  profile,
  psu,
  reconcile,
  revoke,
  statistics,
  "supervisor-pack": supervisorPack,
  tpp,
};

const HELP = `npm run bank -- COMMAND [OPTIONS]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}`)
  .join("\n")}

npm run bank -- COMMAND --help tells more. Exit codes: 0 done, 1 failed or refused, 2 not understood.`;

export type Finished = {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
};

/** Runs one command line of the bank's own staff. Throws nothing: what went wrong is in the result. */
export async function run(args: readonly string[]): Promise<Finished> {
  try {
    return { exitCode: args.length === 0 ? 2 : 0, output: await outputOf(args), errors: "" };
  } catch (error) {
    const { text, exitCode } = inWords(error);
    return { exitCode, output: "", errors: text };
  }
}

async function outputOf([name, ...args]: readonly string[]): Promise<string> {
  if (name === undefined || ["--help", "-h", "help"].includes(name)) return HELP;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new WrongUsage(`there is no command ${name}\n\n${HELP}`);
  if (args.includes("--help") || args.includes("-h")) return command.help;
  return command.run(args);
}
