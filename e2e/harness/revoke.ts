import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { databaseUrlOf, type ServerSettings } from "./server";

const ROOT = join(import.meta.dirname, "../..");

/** What the bank's staff does for a PSU who takes back a consent. */
export async function revoke(bank: ServerSettings, consentId: string): Promise<string> {
  const command = ["--import", "tsx", "cli/bank/cli.ts", "revoke", consentId, "--psu", "ana"];
  // An empty variable counts as unset: the bank is the one in this folder.
  const env = { ...process.env, DATABASE_URL: databaseUrlOf(bank), DATA_DIR: bank.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
  return stdout.trim();
}
