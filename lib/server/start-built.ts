import { fileURLToPath } from "node:url";
import { isBuilt } from "./build";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Starts the server that this is a build of; false when the sources have changed since. */
export async function startBuilt(): Promise<boolean> {
  if (!(await isBuilt(root))) return false;
  const { runServer } = await import("./start");
  await runServer({ isBuilt: true });
  return true;
}
