import { access, constants, mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingError } from "@/lib/config";
import { takeLock, type Unlock } from "./lock-file";

/** How long a start waits for a server that may be about to end, as in a restart. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 100;

/**
 * One server per data folder: the second gets a sentence, not a database that the first will stop
 * under its feet. Before that it waits for the first to end, and says so.
 */
export async function lockDataDir(dataDir: string, patienceMs = PATIENCE_MS): Promise<Unlock> {
  await makeDataDir(dataDir);
  const file = path.join(dataDir, "lock");
  const end = performance.now() + patienceMs;
  let told = patienceMs === 0;
  for (;;) {
    const taken = await takeLock(file);
    if (typeof taken === "function") return taken;
    const inUse = `DATA_DIR: ${dataDir} is in use by another server (process ${taken.pid})`;
    if (performance.now() >= end) throw new SettingError(inUse);
    if (!told) console.log(`${inUse}; waiting ${patienceMs / 1_000} s for it to end`);
    told = true;
    await sleep(LOOK_MS);
  }
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
