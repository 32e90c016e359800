import { run } from "@/cli/bank/run";
import { databaseUrlOf, type ServerSettings } from "./server";

/** What the bank's staff does when a PSU is blocked; resolves to what the command says. */
export async function unlock(bank: ServerSettings, userId: string): Promise<string> {
  // An empty variable counts as unset: the bank is the one in this folder.
  Object.assign(process.env, {
    DATABASE_URL: databaseUrlOf(bank),
    CODE_SECRET: "",
    DATA_DIR: bank.dataDir,
  });
  const { output, errors } = await run(["psu", "unlock", userId]);
  if (errors !== "") throw new Error(errors);
  return output.trim();
}
