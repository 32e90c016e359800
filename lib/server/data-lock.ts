import { access, constants, mkdir } from "node:fs/promises";
import path from "node:path";
import { SettingError } from "@/lib/config";
import { takeLock, type Unlock } from "./lock-file";

/**
 * One server per data folder: the second gets a sentence, not a database that the first will stop
 * under its feet.
 */
export async function lockDataDir(dataDir: string): Promise<Unlock> {
  await makeDataDir(dataDir);
  const taken = await takeLock(path.join(dataDir, "lock"));
  if (typeof taken === "function") return taken;
  const holder = `another server (process ${taken.pid})`;
  throw new SettingError(`DATA_DIR: ${dataDir} is in use by ${holder}`);
}

/** Others may pass through it, as the account of the database has to; what is secret is closed. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingError(`DATA_DIR: ${dataDir} cannot be written (${code})`);
  }
}
