import path from "node:path";
import { fileURLToPath } from "node:url";
import { config } from "@/lib/config";
import { buildWhenNeeded } from "./build";
import { loadSettings, setEnvironment } from "./environment";
import { startExecution } from "./execution";
import { portsOf } from "./hosts";
import { checkPort } from "./listeners";
import { prepare } from "./prepare";
import { readyScreen } from "./ready-screen";
import { runUntilStopped } from "./run";
import { serve, stopMs } from "./serve";
import { BUILT_SERVER } from "./server-bundle";
import type { Shutdown } from "./shutdown";
import { startSweep } from "./sweep";
import { startTlsRenewal } from "./tls-renewal";
import { startWorkers } from "./workers";

/** As deep below it as a build of this file is, see server-bundle.ts. */
const root = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm start` runs. `isBuilt` when this comes out of a build of these very sources. */
export function runServer({ isBuilt }: { readonly isBuilt: boolean }): Promise<void> {
  return runUntilStopped((shutdown) => start(shutdown, isBuilt));
}

async function start(shutdown: Shutdown, isBuilt: boolean): Promise<void> {
  const settings = loadSettings();
  const ports = portsOf(settings);
  await checkPort(ports.tpp);
  await checkPort(ports.browser);
  // Before the build: what is wrong with a setting should not take half a minute to say.
  const prepared = await prepare(settings, shutdown);
  setEnvironment(prepared.environment);
  shutdown.signal.throwIfAborted();
  if (!isBuilt) await buildWhenNeeded(root, shutdown.signal);

  // In this process alone, however many workers there are.
  shutdown.onStop(startSweep(config()));
  shutdown.onStop(startExecution(config()));
  const { tls, renewedTls } = prepared;
  const workers = {
    count: settings.WORKERS,
    // What Node was told, of memory and of threads, holds for whoever answers.
    program: { file: path.join(root, BUILT_SERVER, "worker.mjs"), execArgv: process.execArgv },
    patienceMs: stopMs(settings),
  };
  const serving =
    settings.WORKERS === 1
      ? await serve(root, settings, tls, shutdown)
      : await startWorkers(workers, tls, shutdown);
  if (renewedTls) shutdown.onStop(startTlsRenewal(serving, renewedTls));
  console.log(readyScreen(settings, prepared.environment["DATA_DIR"] ?? settings.DATA_DIR));
}
