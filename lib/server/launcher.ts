import { fork } from "node:child_process";
import path from "node:path";
import type { Settings } from "@/lib/config";
import { BUILT_SERVER } from "./build";
import { makeDataDir } from "./data-folder";
import { startEmbeddedDatabase, watchDatabase } from "./embedded-database";
import { LAUNCHED, loadSettings, portsOf, ROOT, setEnvironment, stopMs } from "./hosts";
import { checkPort } from "./listeners";
import {
  type Child,
  type Environment,
  isReady,
  runUntilStopped,
  type Shutdown,
  startChild,
  together,
  whatIsPrepared,
} from "./processes";

/** What `npm start` runs once there is a build: both hosts, and a PostgreSQL where none is named. */
export function runLauncher(): Promise<void> {
  return runUntilStopped(start);
}

async function start(shutdown: Shutdown): Promise<void> {
  const settings = loadSettings();
  await checkPorts(settings);
  const dataDir = path.resolve(settings.DATA_DIR);
  await makeDataDir(dataDir);
  setEnvironment({ DATA_DIR: dataDir });
  const database =
    settings.DATABASE_URL === undefined ? ownDatabase(dataDir, shutdown) : noneOfOurs;

  const hosts: Child[] = [];
  shutdown.onStop(together(hosts));
  // They load their modules while the database starts. One prepares for both, so that a fault is printed once.
  const tpp = startHost("the TPP host", "tpp.mjs", database);
  hosts.push(tpp);
  const prepared = tpp.received(whatIsPrepared);
  hosts.push(startHost("the browser host", "web.mjs", prepared, BROWSER_HOST_FLAGS));
  await Promise.all([database, prepared, ...hosts.map(({ received }) => received(isReady))]);
  for (const { keep } of hosts) keep();
  console.log(readyScreen(settings, dataDir));

  function startHost(
    name: string,
    file: string,
    environment: Promise<Environment>,
    flags: readonly string[] = [],
  ): Child {
    const program = () => {
      const execArgv = [...process.execArgv, ...flags];
      const child = fork(path.join(ROOT, BUILT_SERVER, file), [LAUNCHED], { execArgv });
      const give = (given: Environment) => child.send({ environment: given }, () => undefined);
      // A failure is printed elsewhere.
      environment.then(give, () => undefined);
      return child;
    };
    return startChild({ name, fork: program, stopMs: stopMs(settings) }, shutdown.signal);
  }
}

/** Throws a sentence that names the setting of the first port that is in use. */
export async function checkPorts(settings: Settings): Promise<void> {
  const ports = portsOf(settings);
  for (const port of Object.values(ports)) if (port !== undefined) await checkPort(port);
}

/** Its pages are few and small, and with a young generation of this size it holds 20 MB less. */
const BROWSER_HOST_FLAGS = ["--max-semi-space-size=2"];

const noneOfOurs: Promise<Environment> = Promise.resolve({});

async function ownDatabase(dataDir: string, shutdown: Shutdown): Promise<Environment> {
  // Registered before it runs: a Ctrl-C in the middle must not leave it running.
  const starting = startEmbeddedDatabase({ dataDir });
  shutdown.onStop({ finish: async () => (await starting.catch(() => undefined))?.stop() });
  const started = await starting;
  shutdown.onStop(watchDatabase(started));
  return { DATABASE_URL: started.serverUrl, MIGRATION_DATABASE_URL: started.url };
}

/** The demo PSUs are customers of the demo bank, which another core bank does not know. */
const ownCustomers = (url: string) => [
  "",
  `  Core bank      ${url}; customers of its own sign in after`,
  "                 npm run bank -- psu add USER-ID --customer ID",
];

const demoPsus = ["ana", "mihai", "elena", "dan", "vlad"];
const demoOperators = [
  "  and staff      ioana     ioana-sandbox",
  "                 radu      radu-sandbox",
];

/** One screenful for the one who started the server. `dataDir` is where everything is kept. */
export function readyScreen(settings: Settings, dataDir: string): string {
  const urls = [`  TPPs call      ${settings.XS2A_URL}`, `  PSUs open      ${settings.WEB_URL}`];
  if (settings.STAFF_PORT !== 0) urls.push(`  Staff open     ${settings.STAFF_URL}/staff`);
  if (!settings.SANDBOX) return ["Drawbridge is ready.", "", ...urls].join("\n");
  const database = settings.DATABASE_URL === undefined ? "PostgreSQL, " : "";
  return [
    "",
    "Drawbridge is ready, as a sandbox.",
    "",
    `  See it work    ${settings.WEB_URL}/sandbox/tpp`,
    ...urls,
    `  PSU's phone    ${settings.WEB_URL}/sandbox/phone?psu=ana`,
    "",
    "  Demo PSUs      User ID   Password",
    ...demoPsus.map((psu) => `                 ${psu.padEnd(9)} ${psu}-sandbox`),
    ...(settings.STAFF_PORT === 0 ? [] : demoOperators),
    ...(settings.CORE_BANK_URL === undefined ? [] : ownCustomers(settings.CORE_BANK_URL)),
    "",
    `  Data           ${dataDir} (${database}CA and secrets)`,
    "",
    "  The same, in another terminal:   npm run tpp -- accounts",
    "  Ctrl-C stops everything; the next start takes the data up again.",
    "",
  ].join("\n");
}
