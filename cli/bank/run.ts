import { inWords } from "./in-words";
import { WrongUsage } from "./wrong-usage";

type Command = {
  readonly help: string;
  /** Resolves to what the person reads when it is done, and throws what went wrong. */
  readonly run: (args: readonly string[]) => Promise<string>;
};
type Entry = { readonly summary: string; readonly load: () => Promise<Command> };

/** Only the one that is asked for is loaded. */
const commands: Readonly<Record<string, Entry>> = {
  "core-bank": {
    summary: "checks whether a core bank keeps the contract",
    load: () => import("./commands/core-bank"),
  },
  doctor: {
    summary: "checks the settings against what they name, and says how to fix it",
    load: () => import("./commands/doctor"),
  },
  events: {
    summary: "exports and verifies what was recorded, and holds it as evidence",
    load: () => import("./commands/events"),
  },
  import: {
    summary: "enters an account statement (ISO 20022 camt.053) into the ledger",
    load: () => import("./commands/import"),
  },
  migrate: {
    summary: "brings the database up to this release",
    load: () => import("./commands/migrate"),
  },
  parity: {
    summary: "which fields of the standard the core bank fills, and which it never does",
    load: () => import("./commands/parity"),
  },
  performance: {
    summary: "what a bank publishes of its interface, out of its servers' logs",
    load: () => import("./commands/performance"),
  },
  profile: {
    summary: "what the bank offers: the profile in force, or the mistakes of a new one",
    load: () => import("./commands/profile"),
  },
  psu: {
    summary: "lifts the block on a PSU's sign-in, or lets a customer sign in to a sandbox",
    load: () => import("./commands/psu"),
  },
  reconcile: {
    summary: "compares payments here and at the core bank",
    load: () => import("./commands/reconcile"),
  },
  revoke: {
    summary: "revokes a consent for the PSU who has authorised it",
    load: () => import("./commands/revoke"),
  },
  statistics: {
    summary: "announces downtime, and takes the figures of the bank's other channels",
    load: () => import("./commands/statistics"),
  },
  "supervisor-pack": {
    summary: "what a bank shows its authority of a quarter, for the exemption and after it",
    load: () => import("./commands/supervisor-pack"),
  },
  tpp: {
    summary: "blocks a TPP, lets it in again, lists who is blocked",
    load: () => import("./commands/tpp"),
  },
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
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw new WrongUsage(`there is no command ${name}\n\n${HELP}`);
  const command = await entry.load();
  if (args.includes("--help") || args.includes("-h")) return command.help;
  return command.run(args);
}
