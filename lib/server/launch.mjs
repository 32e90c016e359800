/**
 * What `npm start` runs: the server as it was built last, when that was of these very sources, and the
 * sources otherwise, which then build. JavaScript, since nobody has compiled anything yet.
 */
import { existsSync } from "node:fs";

const built = new URL("../../.next/drawbridge/", import.meta.url);

async function startBuilt() {
  // Written last: without it a build was interrupted.
  if (!existsSync(new URL("stamp", built))) return false;
  const server = await import(new URL("start.mjs", built).href);
  return server.startBuilt();
}

if (!(await startBuilt())) {
  const { register } = await import("tsx/esm/api");
  register();
  await import("./start-source.ts");
}
