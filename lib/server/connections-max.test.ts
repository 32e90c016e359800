import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { brokenTppRequest } from "./client-errors";
import { CONNECTIONS_MAX } from "./listeners";
import { makeTestCertificates } from "./testing/certificates";
import { echo, openHost } from "./testing/host";

describe("X2: more connections than a host takes", () => {
  const isOpen = (socket: net.Socket) => !socket.destroyed && socket.readyState === "open";

  it.each(["plain", "TLS"])("are cut, and those that are open stay: %s", async (kind) => {
    const tls = kind === "TLS" ? { tls: (await makeTestCertificates()).server } : {};
    const port = await openHost({ handle: echo, broken: brokenTppRequest, ...tls });
    const sockets: net.Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const connect = async () => {
      const socket = net.connect({ port, host: "127.0.0.1" });
      sockets.push(socket);
      await once(socket, "connect");
      return socket;
    };
    // Some at once: the host ends those that say nothing for a few seconds.
    while (sockets.length < CONNECTIONS_MAX) {
      await Promise.all(Array.from({ length: CONNECTIONS_MAX / 20 }, connect));
    }
    const surplus = await connect();
    surplus.on("error", () => undefined).resume();
    await once(surplus, "close");
    expect(sockets.filter(isOpen)).toHaveLength(CONNECTIONS_MAX);
    const [first] = sockets;
    first?.destroy();
    await vi.waitFor(async () => {
      const next = await connect();
      next.on("error", () => undefined).resume();
      await Promise.race([once(next, "close"), sleep(50)]);
      expect(isOpen(next)).toBe(true);
    });
  });
});
