import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readSandboxSecret } from "@/lib/server/data-folder";
import { OWN_PROCESS } from "@/lib/server/own-process";
import { onlyGiven } from "./only-given";
import type { ServerSettings } from "./server";
import { steadyPort } from "./steady-port";

const ROOT = join(import.meta.dirname, "../..");
const PATIENCE = 60_000;

type PlainNext = { readonly url: string; readonly stop: () => Promise<void> };

/** What our own start does in its own process. */
const MARKED = `process.env[${JSON.stringify(OWN_PROCESS)}] = String(process.pid)`;

/**
 * The route files by `next start` alone, which serves nothing but for the mark of our own start. The build,
 * the secrets and the database are those of the server `bank`.
 */
export async function startPlainNext(
  bank: ServerSettings,
  databaseUrl: string,
): Promise<PlainNext> {
  const { child, url } = await spawnPlainNext(bank, databaseUrl, [
    "--import",
    `data:text/javascript,${encodeURIComponent(MARKED)}`,
  ]);
  child.stderr.pipe(process.stderr);
  const gone = once(child, "exit");
  const stop = async () => {
    child.kill();
    await gone;
  };
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const answer = await fetch(`${url}/jwks`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return { url, stop };
    await sleep(100);
  }
  await stop();
  throw new Error("next start took too long");
}

/** `next start` alone; what it writes is in its two streams. */
export async function spawnPlainNext(
  { dataDir, xs2aUrl, webUrl }: ServerSettings,
  databaseUrl: string,
  nodeArguments: readonly string[] = [],
) {
  const port = await steadyPort();
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const child = spawn(process.execPath, [...nodeArguments, next, "start", "-p", `${port}`], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: onlyGiven({
      NODE_ENV: "production",
      // Of another process, as a child inherits it.
      [OWN_PROCESS]: String(process.pid),
      XS2A_URL: xs2aUrl,
      WEB_URL: webUrl,
      NEXTAUTH_URL: webUrl,
      DATABASE_URL: databaseUrl,
      TRUST_ANCHORS: join(dataDir, "ca", "ca.pem"),
      TOKEN_SIGNING_KEY: join(dataDir, "secrets", "token-signing-key.pem"),
      COOKIE_SECRET: await readSandboxSecret(dataDir, "COOKIE_SECRET"),
      SESSION_SECRET: await readSandboxSecret(dataDir, "SESSION_SECRET"),
      CODE_SECRET: await readSandboxSecret(dataDir, "CODE_SECRET"),
      NOTIFICATIONS_SEAL_CERT: join(dataDir, "notifications-seal.pem"),
      NOTIFICATIONS_SEAL_KEY: join(dataDir, "notifications-seal.pem"),
    }),
  });
  child.stdout.resume();
  return { child, url: `http://localhost:${port}` };
}
