import { once } from "node:events";
import net from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { echo } from "./testing/host";
import { get } from "./testing/raw-request";
import { openTppHost } from "./testing/tpp-host";

/** A client that begins a request and never ends it; yields all it is answered. */
async function neverEnding(port: number): Promise<() => Promise<string>> {
  const socket = net.connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = once(socket, "close");
  await once(socket, "connect");
  socket.write("POST /token HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  return async () => {
    await closed;
    return Buffer.concat(chunks).toString();
  };
}

it("X2: 200 connections that never end their headers keep nobody waiting, and are cut off", async () => {
  const host = await openTppHost(echo);
  const slow = await Promise.all(Array.from({ length: 200 }, () => neverEnding(host.port)));
  expect((await get(host, "/jwks")).status).toBe(200);
  const answers = await Promise.all(slow.map((answer) => answer()));
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
}, 60_000);
