import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import tls from "node:tls";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { brokenTppRequest } from "./client-errors";
import { beginHandshakesInTurn } from "./handshakes";
import { makeTestCertificates } from "./testing/certificates";
import { echo, openHost } from "./testing/host";
import { noteRequest } from "./under-way";

describe("X2: many connections that are opened at the same instant", () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }),
  );
  afterEach(() => void vi.useRealTimers());

  function opened() {
    const server = createServer();
    const begun: unknown[] = [];
    server.removeAllListeners("connection").on("connection", (socket) => void begun.push(socket));
    beginHandshakesInTurn(server, 10_000);
    const connect = () => {
      const socket = Object.assign(new PassThrough(), { setTimeout: () => socket });
      server.emit("connection", socket);
      return socket;
    };
    return { begun, connect };
  }

  it("have their handshakes one after the other, with a pause between", async () => {
    const { begun, connect } = opened();
    const sockets = [connect(), connect(), connect()];
    for (const socket of sockets) socket.write("hello");
    await nextTurn();
    expect(begun).toEqual([sockets[0]]);
    vi.advanceTimersToNextTimer();
    expect(begun).toEqual(sockets.slice(0, 2));
    vi.advanceTimersToNextTimer();
    expect(begun).toEqual(sockets);
  });

  it("wait, and not for long, for a request that is being answered", async () => {
    const { begun, connect } = opened();
    const response = new EventEmitter();
    noteRequest(response as ServerResponse);
    const socket = connect();
    socket.write("hello");
    await nextTurn();
    vi.advanceTimersByTime(9);
    expect(begun).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(begun).toEqual([socket]);
    response.emit("close");
  });

  it("have four at a time once they have waited for half a second", async () => {
    const { begun, connect } = opened();
    const sockets = Array.from({ length: 200 }, connect);
    for (const socket of sockets) socket.write("hello");
    await nextTurn();
    vi.advanceTimersByTime(500);
    expect(begun).toEqual(sockets.slice(0, 101));
    vi.advanceTimersByTime(10);
    expect(begun).toEqual(sockets.slice(0, 109));
    vi.advanceTimersByTime(500);
    expect(begun).toEqual(sockets);
  });

  it("have none where nothing is said, or when they are gone by then", async () => {
    const { begun, connect } = opened();
    const [first, , gone, last] = [connect(), connect(), connect(), connect()];
    for (const socket of [first, gone, last]) socket?.write("hello");
    await nextTurn();
    gone?.destroy();
    await nextTurn();
    vi.advanceTimersToNextTimer();
    expect(begun).toEqual([first, last]);
    expect(first?.read().toString()).toBe("hello");
  });
});

it("X2: ten thousand clients that are gone before their turn are forgotten", async () => {
  const server = createServer();
  const begun: unknown[] = [];
  server.removeAllListeners("connection").on("connection", (socket) => void begun.push(socket));
  beginHandshakesInTurn(server, 10_000);
  const sockets = Array.from({ length: 10_000 }, () => {
    const socket = Object.assign(new PassThrough(), { setTimeout: () => socket });
    server.emit("connection", socket);
    socket.write("hello");
    return socket;
  });
  await nextTurn();
  for (const socket of sockets) socket.destroy();
  const last = Object.assign(new PassThrough(), { setTimeout: () => last });
  server.emit("connection", last);
  last.write("hello");
  await vi.waitFor(() => expect(begun.at(-1)).toBe(last), { timeout: 30_000 });
  expect(begun.length).toBeLessThan(10);
});

it("X2: fifty handshakes begun at once all come to their end", async () => {
  const { server, client } = await makeTestCertificates();
  const port = await openHost({ handle: echo, tls: server, broken: brokenTppRequest });
  const connections = Array.from({ length: 50 }, () =>
    tls.connect({ ...client, port, host: "localhost", rejectUnauthorized: false }),
  );
  onTestFinished(() => {
    for (const connection of connections) connection.destroy();
  });
  await Promise.all(connections.map((connection) => once(connection, "secureConnect")));
});
