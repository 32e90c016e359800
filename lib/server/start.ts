import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { config, SettingError, type Settings } from "@/lib/config";
import { browserHost } from "./browser-host";
import { BuildError, buildWhenNeeded } from "./build";
import { filesBelow } from "./build-stamp";
import { fromProxy, fromTls } from "./client-certificate";
import { brokenTppRequest } from "./client-errors";
import { loadSettings, setEnvironment } from "./environment";
import { startExecution } from "./execution";
import { checkPort, type Host, listen } from "./listeners";
import { startNext } from "./next-app";
import { type Prepared, prepare } from "./prepare";
import { readyScreen } from "./ready-screen";
import { brokenBrowserRequest } from "./security-headers";
import { newShutdown, type Shutdown, stopOnSignals } from "./shutdown";
import { startSweep } from "./sweep";
import { startTlsRenewal } from "./tls-renewal";
import { type Handler, tppHost } from "./tpp-host";

/** What `npm start` runs. */
const root = fileURLToPath(new URL("../..", import.meta.url));
/** How long running requests get to end when the server stops. */
const graceMs = 10_000;
/** How long a start that is interrupted gets to come to its next stop. */
const settleMs = 5_000;

const shutdown = newShutdown();
stopOnSignals(shutdown);
const starting = start(shutdown);
// Begun first, so ended last: what is being made when the stop comes is not left half made.
shutdown.onStop({ finish: () => settled(starting) });
await starting.catch(async (error: unknown) => {
  // Whoever asked to stop in the middle knows why the rest failed.
  if (shutdown.signal.aborted) return;
  console.error(inWords(error));
  await shutdown.stop();
  process.exit(1);
});

async function start(shutdown: Shutdown): Promise<void> {
  const settings = loadSettings();
  const ports = portsOf(settings);
  await checkPort(ports.tpp);
  await checkPort(ports.browser);
  // Before the build: what is wrong with a setting should not take half a minute to say.
  const prepared = await prepare(settings, shutdown);
  setEnvironment(prepared.environment);
  shutdown.signal.throwIfAborted();
  await buildWhenNeeded(root, shutdown.signal);

  const app = await startNext(root, new URL(settings.WEB_URL));
  shutdown.onStop({ finish: () => app.close() });
  shutdown.onStop(startSweep(config()));
  shutdown.onStop(startExecution(config()));
  for (const host of await hosts(settings, prepared, app.handle)) {
    shutdown.signal.throwIfAborted();
    const listener = await listen(host);
    shutdown.onStop({ finish: () => listener.close(graceMs), hurry: () => listener.cut() });
    const { renewedTls } = prepared;
    if (host.tls && renewedTls) shutdown.onStop(startTlsRenewal(listener, renewedTls));
  }
  console.log(readyScreen(settings, prepared.environment["DATA_DIR"] ?? settings.DATA_DIR));
}

async function settled(starting: Promise<void>): Promise<void> {
  const ended = starting.catch(() => undefined);
  await Promise.race([ended, sleep(settleMs, undefined, { ref: false })]);
}

function portsOf(settings: Settings) {
  // A sandbox's passwords are printed on the screen: nobody else's machine gets to try them.
  const loopbackOnly = settings.SANDBOX && !settings.SANDBOX_PUBLIC;
  const tpp = { setting: "XS2A_PORT", port: settings.XS2A_PORT, loopbackOnly } as const;
  const browser = { setting: "WEB_PORT", port: settings.WEB_PORT, loopbackOnly } as const;
  return { tpp, browser };
}

async function hosts(
  settings: Settings,
  { tls }: Prepared,
  handle: Handler,
): Promise<readonly Host[]> {
  const { tpp, browser } = portsOf(settings);
  const { PROXY_PEERS, PROXY_SECRET } = settings;
  const certificate = PROXY_SECRET && !tls ? fromProxy(PROXY_PEERS, PROXY_SECRET) : fromTls();
  const webUrl = new URL(settings.WEB_URL);
  const files = await filesBelow(root, "public");
  const publicFiles = new Set(files.map((file) => file.replace(/^public/, "")));
  const pages = browserHost(handle, { webUrl, publicFiles });
  const broken = brokenBrowserRequest(webUrl.protocol === "https:");
  return [
    { ...tpp, tls, handle: tppHost(handle, certificate), broken: brokenTppRequest },
    { ...browser, handle: pages, broken },
  ];
}

/** Settings are answered with a sentence; anything else is a fault of ours, and shows where. */
function inWords(error: unknown): string {
  if (error instanceof SettingError) return error.message;
  if (error instanceof BuildError) return `The build failed:\n${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
