import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readSandboxSecret } from "@/lib/server/sandbox-secrets";
import { onlyGiven } from "./only-given";
import type { ServerSettings } from "./server";
import { steadyPort } from "./steady-port";

const ROOT = join(import.meta.dirname, "../..");
const PATIENCE = 30_000;

export type PlainNext = { readonly url: string; readonly stop: () => Promise<void> };

/**
 * The same bank by `next start` alone, as somebody runs it who has a proxy before it that does all that
 * our own listeners do. The build, the secrets and the database are those of the server `bank`.
 */
export async function startPlainNext(
  { dataDir, xs2aUrl, webUrl }: ServerSettings,
  databaseUrl: string,
): Promise<PlainNext> {
  const port = await steadyPort();
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const child = spawn(process.execPath, [next, "start", "-p", `${port}`], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    env: onlyGiven({
      NODE_ENV: "production",
      XS2A_URL: xs2aUrl,
      WEB_URL: webUrl,
      NEXTAUTH_URL: webUrl,
      DATABASE_URL: databaseUrl,
      TRUST_ANCHORS: join(dataDir, "ca", "ca.pem"),
      TOKEN_SIGNING_KEY: join(dataDir, "secrets", "token-signing-key.pem"),
      COOKIE_SECRET: await readSandboxSecret(dataDir, "COOKIE_SECRET"),
      SESSION_SECRET: await readSandboxSecret(dataDir, "SESSION_SECRET"),
      CODE_SECRET: await readSandboxSecret(dataDir, "CODE_SECRET"),
    }),
  });
  const gone = once(child, "exit");
  const url = `http://localhost:${port}`;
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
