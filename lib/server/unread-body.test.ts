import type { IncomingMessage } from "node:http";
import net from "node:net";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openTppHost } from "./testing/tpp-host";
import type { Handler } from "./tpp-host";

/** More than the buffers on the way hold, so that it is not all there when the answer is. */
const SIZE = 3_000_000;

const body = "x".repeat(SIZE);
const declared = [`Content-Length: ${SIZE}`, "", body];
const chunked = ["Transfer-Encoding: chunked", "", SIZE.toString(16), body, "0", ""];

/** Refuses a POST after this look at its body, and has nothing against any other request. */
function refusingAfter(look: (request: IncomingMessage) => unknown): Handler {
  return async (request, response) => {
    const refused = request.method === "POST";
    if (refused) await look(request);
    response.writeHead(refused ? 413 : 200, { "content-type": "application/json" }).end("{}");
  };
}

/** The statuses of two requests, one behind the other on one connection. */
async function statuses(handle: Handler, lines: readonly string[]): Promise<readonly string[]> {
  const { port } = await openTppHost(handle);
  const socket = net.connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  // Written to a connection that has been ended: it is closed then, and that is looked at.
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const answered = new Promise((resolve) => socket.once("data", resolve));
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.write(`POST /token HTTP/1.1\r\nHost: x\r\n${lines.join("\r\n")}\r\n`);
  await Promise.race([answered, closed]);
  socket.write("GET /jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await closed;
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => String(status));
}

it("X1: of a body of 60 MB that is refused only the beginning is taken in", async () => {
  const { port } = await openTppHost(refusingAfter(async () => undefined));
  const socket = net.connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const [answer] = await new Promise<readonly Buffer[]>((resolve) => {
    socket.once("data", (...chunks: Buffer[]) => resolve(chunks));
    socket.write("POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 62914560\r\n\r\n");
  });
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  const megabyte = Buffer.alloc(1024 * 1024, 0x20);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (let sent = 0; sent < 60; sent += 1) socket.write(megabyte);
  await sleep(500);
  const taken = 60 * megabyte.byteLength - socket.writableLength;
  expect(taken).toBeLessThan(30 * megabyte.byteLength);
  await closed;
});

it("X1: nor of one in chunks, which does not say how much there will be", async () => {
  const { port } = await openTppHost(refusingAfter(async () => undefined));
  const socket = net.connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write("POST /token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const chunk = `100000\r\n${" ".repeat(1024 * 1024)}\r\n`;
  let sent = 0;
  for (; sent < 60 && !socket.destroyed; sent += 1) {
    socket.write(chunk);
    await sleep(10);
  }
  expect(sent).toBeLessThan(60);
});

describe.each([
  ["of a length that was said", declared],
  ["in chunks", chunked],
])("X1: a body %s, answered before its end", (_name, lines) => {
  it("does not hold up the next request on its connection when nobody reads it", async () => {
    const handle = refusingAfter(async () => undefined);
    expect(await statuses(handle, lines)).toEqual(["413", "200"]);
  });

  it("nor when somebody reads its beginning, as Next does", async () => {
    const handle = refusingAfter((request) => request[Symbol.asyncIterator]().next());
    expect(await statuses(handle, lines)).toEqual(["413", "200"]);
  });

  it("nor when somebody reads its beginning as a stream of the Web", async () => {
    const handle = refusingAfter((request) => Readable.toWeb(request).getReader().read());
    expect(await statuses(handle, lines)).toEqual(["413", "200"]);
  });

  it("nor when it goes to somebody who takes no more", async () => {
    const handle = refusingAfter((request) => request.pipe(new PassThrough()));
    expect(await statuses(handle, lines)).toEqual(["413", "200"]);
  });

  it("ends the connection when it has been given up, so that no request waits on it", async () => {
    const handle = refusingAfter(async (request) => {
      const reader = Readable.toWeb(request).getReader();
      await reader.read();
      await reader.cancel();
    });
    expect(await statuses(handle, lines)).not.toContain("200");
  });
});
