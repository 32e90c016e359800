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
