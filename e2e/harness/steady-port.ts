import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports a system gives to outgoing connections (RFC 6335, and Linux from 32768 on). */
const LOWEST = 20_000;
const COUNT = 12_000;
/** Processes that start one after the other have ids that follow each other: each begins this far from the one before. */
const APART = 613;
const TRIES = 50;

let next = (process.pid * APART) % COUNT;

/**
 * A free port that stays free while its server is down for a moment: no client's own connection is given it in between,
 * this process is given it once, and another that runs beside it seldom.
 */
export async function steadyPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = LOWEST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error("no free port");
}

/** On every address: a server may listen on another than `localhost` is here. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
