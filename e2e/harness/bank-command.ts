import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { run } from "@/cli/bank/run";
import { databaseUrlOf, type ServerSettings } from "./server";

/** What the bank's staff does with `npm run bank`, in this process; resolves to what the command says. */
export async function bankCommand(
  bank: ServerSettings,
  ...args: readonly string[]
): Promise<string> {
  // An empty variable counts as unset: the bank is the one in this folder.
  Object.assign(process.env, {
    DATABASE_URL: databaseUrlOf(bank),
    CODE_SECRET: "",
    DATA_DIR: bank.dataDir,
  });
  const { output, errors } = await run(args);
  if (errors !== "") throw new Error(errors);
  return output.trim();
}

/** Events as NDJSON: in a process, since an export goes straight to its output. */
export async function exported(bank: ServerSettings, ...args: readonly string[]) {
  const span = ["--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
  const command = ["--import", "tsx", "cli/bank/cli.ts", "events", "export", ...span, ...args];
  const env = { ...process.env, DATABASE_URL: databaseUrlOf(bank), DATA_DIR: bank.dataDir };
  return (await promisify(execFile)(process.execPath, command, { env })).stdout;
}
