import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";

/** The port of last time when it is free, so that tools keep their settings; else any free one. */
export async function choosePort(home: string): Promise<number> {
  const kept = Number(await readFile(path.join(home, "port"), "utf8").catch(() => "0"));
  return (await freePort(kept).catch(() => undefined)) ?? freePort(0);
}

export async function rememberPort(home: string, port: number): Promise<void> {
  await writeFile(path.join(home, "port"), `${port}\n`);
}

/** The port itself when it is free, any free one for 0. Throws when it is taken. */
export async function freePort(wanted: number): Promise<number> {
  const server = net.createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
