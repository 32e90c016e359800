import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServerSettings } from "./server";

const ROOT = join(import.meta.dirname, "../..");

/** What the bank's staff does when a PSU is blocked; resolves to what the command says. */
export async function unlock({ dataDir }: ServerSettings, userId: string): Promise<string> {
  const command = ["--import", "tsx", "bank/cli.ts", "psu", "unlock", userId];
  // An empty variable counts as unset: the bank is the one in this folder.
  const env = { ...process.env, DATABASE_URL: "", CODE_SECRET: "", DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
  return stdout.trim();
}
