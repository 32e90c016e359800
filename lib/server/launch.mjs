/**
 * What `npm start`, `npm run start:tpp` and `npm run start:web` run: what was built last, after a build where that is
 * not of these very sources. JavaScript, since nobody has compiled anything yet.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = new URL("../../.next/drawbridge/", import.meta.url);
const [host = "start"] = process.argv.slice(2);

async function isBuilt() {
  // The stamp is written last: without it a build was interrupted. An older release's build has no current.mjs.
  if (!["stamp", "current.mjs"].every((name) => existsSync(new URL(name, built)))) return false;
  const { isCurrent } = await import(new URL("current.mjs", built).href);
  return isCurrent();
}

/** In a process of its own: the server does not keep the compiler in memory. */
async function build() {
  const program = fileURLToPath(new URL("build-program.ts", import.meta.url));
  const tsx = import.meta.resolve("tsx");
  const child = spawn(process.execPath, ["--import", tsx, program, host], { stdio: "inherit" });
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);
  const [code] = await once(child, "exit");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, stop);
  if (stopped || code !== 0) process.exit(stopped ? 0 : 1);
}

if (!(await isBuilt())) await build();
await import(new URL(`${host}.mjs`, built).href);
