import * as accounts from "./commands/accounts";
import * as certificate from "./commands/certificate";
import * as explain from "./commands/explain";
import * as funds from "./commands/funds";
import * as pay from "./commands/pay";
import { readEnvironment } from "./environment";
import { inWords } from "./in-words";
import { WrongUsage } from "./wrong-usage";

type Command = {
  readonly summary: string;
  readonly help: string;
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

const commands: Readonly<Record<string, Command>> = {
  accounts,
  certificate,
  explain,
  funds,
  pay,
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
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new WrongUsage(`there is no command ${name}\n\n${HELP}`);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(command.help);
    return 0;
  }
  return command.run(args);
}

// Whoever reads no further, as head does, has seen enough.
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
