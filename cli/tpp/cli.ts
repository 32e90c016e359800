import { readEnvironment } from "./environment";
import { inWords } from "./in-words";
import { WrongUsage } from "./wrong-usage";

type Command = {
  readonly help: string;
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
};
type Entry = { readonly summary: string; readonly load: () => Promise<Command> };

/** Only the one that is asked for is loaded: half of the time that a command takes was for the others. */
const commands: Readonly<Record<string, Entry>> = {
  accounts: {
    summary: "reads a PSU's accounts: consent, the PSU's authorisation, token, data",
    load: () => import("./commands/accounts"),
  },
  certificate: {
    summary: "makes the certificates of a TPP: a QWAC and a QSealC of the sandbox CA",
    load: () => import("./commands/certificate"),
  },
  collection: {
    summary: "writes a Bruno collection of all calls, which signs them",
    load: () => import("./commands/collection"),
  },
  explain: {
    summary: "says step by step what the bank sees in a request, and what it answers",
    load: () => import("./commands/explain"),
  },
  funds: {
    summary: "asks whether an account has enough funds, as a card's issuer",
    load: () => import("./commands/funds"),
  },
  pay: {
    summary: "initiates a payment, and follows it to the end",
    load: () => import("./commands/pay"),
  },
};

const HELP = `npm run tpp -- COMMAND [OPTIONS]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join("\n")}

npm run tpp -- COMMAND --help tells more. Exit codes: 0 done, 1 failed or refused by the bank,
2 not understood, 3 the PSU did not agree.
`;

async function main([name, ...args]: readonly string[]): Promise<number> {
  const askedForHelp = name === undefined || name === "--help" || name === "-h" || name === "help";
  if (askedForHelp) {
    console.log(HELP);
    return name === undefined ? 2 : 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw new WrongUsage(`there is no command ${name}\n\n${HELP}`);
  const command = await entry.load();
  if (args.includes("--help") || args.includes("-h")) {
    console.log(command.help);
    return 0;
  }
  return command.run(args);
}

// A reader such as head closes the pipe when it has enough.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === "EPIPE" ? process.exitCode : 1);
});
readEnvironment();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { text, exitCode } = inWords(error);
  console.error(text);
  process.exitCode = exitCode;
}
