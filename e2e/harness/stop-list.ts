import { run } from "@/bank/run";
import type { ServerSettings } from "./server";

/** What the bank's staff does about a TPP: `block`, `unblock` or `list`; resolves to what the command says. */
export async function tppCommand(
  { dataDir }: ServerSettings,
  ...args: readonly string[]
): Promise<string> {
  // An empty variable counts as unset: the bank is the one in this folder.
  Object.assign(process.env, { DATABASE_URL: "", DATA_DIR: dataDir });
  const { output, errors } = await run(["tpp", ...args]);
  if (errors !== "") throw new Error(errors);
  return output.trim();
}
