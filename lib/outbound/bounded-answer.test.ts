import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Resolve } from "./public-lookup";
import { fetching, inside } from "./testing/inside";

const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n";

describe("X6: an answer is bounded", () => {
  it("redirects are not followed", async () => {
    const elsewhere = await inside();
    for (const status of [301, 302, 303, 307, 308]) {
      const { origin } = await inside((_request, response) => {
        response.writeHead(status, { location: elsewhere.origin }).end("moved");
      });
      const allowedOrigins = [origin, elsewhere.origin];
      await expect(fetching(origin, { allowedOrigins })).rejects.toThrow(`status ${status}`);
    }
    expect(elsewhere.connections()).toBe(0);
  });

  it.each([201, 204, 400, 404, 500])("status %d is no answer", async (status) => {
    const { origin } = await inside((_request, response) => response.writeHead(status).end());
    await expect(fetching(origin, { allowedOrigins: [origin] })).rejects.toThrow(
      `status ${status}`,
    );
  });

  it("in size, to the byte, whether its length is told or not", async () => {
    const sized = async (size: number, chunked: boolean) => {
      const { origin } = await inside((_request, response) => {
        if (!chunked) response.setHeader("content-length", size);
        response.end(Buffer.alloc(size));
      });
      return fetching(origin, { allowedOrigins: [origin] });
    };
    for (const chunked of [true, false]) {
      expect((await sized(1_000, chunked)).byteLength).toBe(1_000);
      await expect(sized(1_001, chunked)).rejects.toThrow("more than 1000 bytes");
      await expect(sized(10_000_000, chunked)).rejects.toThrow("more than 1000 bytes");
    }
  });

  it("one that is cut short is none", async () => {
    const { origin } = await inside((_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
    await expect(fetching(origin, { allowedOrigins: [origin] })).rejects.toThrow();
  });

  it.each([
    ["that never begins", () => undefined],
    ["whose head never ends", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "x: y\r\n")],
    ["whose body never ends", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", "x")],
    ["that changes the protocol", (socket) => socket.write(SWITCHING)],
    ["that goes on promising", (socket) => drip(socket, "", "HTTP/1.1 102 Processing\r\n\r\n")],
  ] satisfies (readonly [string, (socket: Socket) => void])[])(
    "in time: one %s",
    async (_what, serve) => {
      const gone: Promise<unknown>[] = [];
      const server = createServer((socket) => {
        gone.push(new Promise((done) => socket.once("close", done)));
        socket.on("error", () => undefined).resume();
        serve(socket);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const origin = `http://127.0.0.1:${port}`;
      const asked = fetching(origin, { allowedOrigins: [origin], millisecondsMax: 200 });
      await expect(asked).rejects.toThrow();
      await Promise.all(gone);
      expect(gone).toHaveLength(1);
      server.close();
    },
  );

  it("in time: a name that nobody resolves", async () => {
    const resolve: Resolve = () => new Promise(() => undefined);
    const asked = fetching("http://ocsp.example/", { resolve, millisecondsMax: 100 });
    await expect(asked).rejects.toThrow();
  });
});

function drip(socket: Socket, first: string, again: string): void {
  socket.write(first);
  const dripping = setInterval(() => socket.write(again), 10);
  socket.on("close", () => clearInterval(dripping));
}
