import { once } from "node:events";
import net from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { brokenTppRequest } from "./client-errors";
import { makeTestCertificates } from "./testing/certificates";
import { echo, openHost } from "./testing/host";

it("X2: a connection that never begins its handshake is cut off, and does not count any more", async () => {
  const { server } = await makeTestCertificates();
  const port = await openHost({ handle: echo, tls: server, broken: brokenTppRequest });
  const silent = Array.from({ length: 100 }, () => net.connect({ port, host: "127.0.0.1" }));
  onTestFinished(() => {
    for (const socket of silent) socket.destroy();
  });
  const ended = await Promise.all(
    silent.map(async (socket) => {
      await once(socket.resume(), "close");
      return socket.bytesWritten;
    }),
  );
  expect(ended).toEqual(silent.map(() => 0));
}, 60_000);
