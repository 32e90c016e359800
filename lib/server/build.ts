import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildBrowserModules } from "./browser-modules";
import { buildStamp } from "./build-stamp";
import { takeLock } from "./lock-file";

const waitMs = 200;

/**
 * Builds the application unless the build at hand is of these very sources. Of several servers that
 * start at once one builds and the others wait for it. Throws with the build's output.
 */
export async function buildWhenNeeded(root: string, signal: AbortSignal): Promise<void> {
  const stamp = await buildStamp(root);
  const kept = path.join(root, ".next", "drawbridge-build");
  const isBuilt = async () => (await readFile(kept, "utf8").catch(() => undefined)) === stamp;
  if (await isBuilt()) return;

  await mkdir(path.dirname(kept), { recursive: true });
  let unlock = await takeLock(`${kept}.lock`);
  while (typeof unlock !== "function") {
    await sleep(waitMs, undefined, { signal });
    unlock = await takeLock(`${kept}.lock`);
  }
  try {
    if (await isBuilt()) return;
    console.log("Building once, about half a minute…");
    await rm(kept, { force: true });
    await buildBrowserModules(root).catch((error: Error) => {
      throw new BuildError(error.message);
    });
    await nextBuild(root, signal);
    await writeFile(kept, stamp);
  } finally {
    await unlock();
  }
}

function nextBuild(root: string, signal: AbortSignal): Promise<void> {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return new Promise((resolve, fail) => {
    const child = spawn(process.execPath, [next, "build"], { cwd: root, signal });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else fail(new BuildError(Buffer.concat(output).toString()));
    });
  });
}

/** Its message is all that the build said. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
