import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildBrowserModules } from "./browser-modules";
import { buildStamp } from "./build-stamp";
import { takeLock } from "./lock-file";
import { BUILT_SERVER, buildServer } from "./server-bundle";

const waitMs = 200;

/**
 * Builds the application unless the build at hand is of these very sources. Of several servers that
 * start at once one builds and the others wait for it. Throws with the build's output.
 */
export async function buildWhenNeeded(root: string, signal: AbortSignal): Promise<void> {
  const stamp = buildStamp(root);
  if (await isBuilt(root, stamp)) return;
  // Next empties its folder when it begins to build, but for what it has in its cache.
  const lock = path.join(root, ".next", "cache", "drawbridge.lock");
  await mkdir(path.dirname(lock), { recursive: true });
  let unlock = await takeLock(lock);
  while (typeof unlock !== "function") {
    await sleep(waitMs, undefined, { signal });
    unlock = await takeLock(lock);
  }
  try {
    if (await isBuilt(root, stamp)) return;
    console.log("Building once, about half a minute…");
    await rm(stampFile(root), { force: true });
    await buildBrowserModules(root).catch(asBuildError);
    await nextBuild(root, signal);
    await buildServer(root).catch(asBuildError);
    await writeFile(stampFile(root), stamp);
  } finally {
    await unlock();
  }
}

/** Whether the build at hand is of these very sources. */
export async function isBuilt(root: string, stamp = buildStamp(root)): Promise<boolean> {
  return (await readFile(stampFile(root), "utf8").catch(() => undefined)) === stamp;
}

function stampFile(root: string): string {
  return path.join(root, BUILT_SERVER, "stamp");
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

function asBuildError(error: Error): never {
  throw new BuildError(error.message);
}

/** Its message is all that the build said. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
