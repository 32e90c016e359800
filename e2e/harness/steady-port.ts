import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports a system gives to outgoing connections (RFC 6335, and Linux from 32768 on). */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 50;

/**
 * A free port that stays free while its server is down for a moment: no client's own connection is
 * given it in between. `other` is a port already meant for something else.
 */
export async function steadyPort(other = 0): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (port !== other && (await isFree(port))) return port;
  }
  throw new Error("no free port");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "localhost");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
