import { fork } from "node:child_process";
import path from "node:path";
import { type Child, type Environment, isReady, startChild, whatIsPrepared } from "./children";
import { makeDataDir } from "./data-lock";
import { watchDatabase } from "./database-watch";
import { startEmbeddedDatabase } from "./embedded-database";
import { loadSettings, setEnvironment } from "./environment";
import { LAUNCHED, portsOf, ROOT, stopMs } from "./hosts";
import { checkPort } from "./listeners";
import { readyScreen } from "./ready-screen";
import { runUntilStopped } from "./run";
import { BUILT_SERVER } from "./server-bundle";
import { type Shutdown, together } from "./shutdown";

/** What `npm start` runs once there is a build: both hosts, and a PostgreSQL where none is named. */
export function runLauncher(): Promise<void> {
  return runUntilStopped(start);
}

async function start(shutdown: Shutdown): Promise<void> {
  const settings = loadSettings();
  const ports = portsOf(settings);
  await checkPort(ports.tpp);
  await checkPort(ports.browser);
  const dataDir = path.resolve(settings.DATA_DIR);
  await makeDataDir(dataDir);
  setEnvironment({ DATA_DIR: dataDir });
  const database =
    settings.DATABASE_URL === undefined ? ownDatabase(dataDir, shutdown) : noneOfOurs;

  const hosts: Child[] = [];
  shutdown.onStop(together(hosts));
  // They load what they run meanwhile. The one prepares for both, and what is wrong is said once.
  const tpp = startHost("the TPP host", "tpp.mjs", database);
  hosts.push(tpp);
  const prepared = tpp.says(whatIsPrepared);
  hosts.push(startHost("the browser host", "web.mjs", prepared));
  await Promise.all([database, prepared, ...hosts.map(({ says }) => says(isReady))]);
  for (const { keep } of hosts) keep();
  console.log(readyScreen(settings, dataDir));

  function startHost(name: string, file: string, environment: Promise<Environment>): Child {
    const program = () => {
      const child = fork(path.join(ROOT, BUILT_SERVER, file), [LAUNCHED]);
      const give = (given: Environment) => child.send({ environment: given }, () => undefined);
      // Without it the start has failed, which is told elsewhere.
      environment.then(give, () => undefined);
      return child;
    };
    return startChild({ name, fork: program, stopMs: stopMs(settings) }, shutdown.signal);
  }
}

const noneOfOurs: Promise<Environment> = Promise.resolve({});

/** Where the hosts find it. */
async function ownDatabase(dataDir: string, shutdown: Shutdown): Promise<Environment> {
  // Registered before it runs: a Ctrl-C in the middle must not leave it running.
  const starting = startEmbeddedDatabase({ dataDir });
  shutdown.onStop({ finish: async () => (await starting.catch(() => undefined))?.stop() });
  const started = await starting;
  shutdown.onStop(watchDatabase(started));
  return { DATABASE_URL: started.serverUrl, MIGRATION_DATABASE_URL: started.url };
}
