import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import type { PsuId } from "@/lib/domain/values";
import { type SmsFault, smsGateway } from "./text-messages";

export const message = {
  psuId: "6f0c2f5e-3a52-4b41-9d2f-0b7c1f6c2f11" as string as PsuId,
  text: "123456 is your code for Example TPP",
  code: "123456",
  sentAt: new Date("2026-11-20T10:00:00Z"),
};

const running = new Set<() => void>();

export function stopGateways(): void {
  for (const stop of running) stop();
  running.clear();
}

/** A gateway on a port of its own, until `stopGateways`. */
export async function gateway(
  listener: RequestListener,
  tls?: { readonly cert: string; readonly key: string },
): Promise<string> {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  running.add(stop);
  return `${tls === undefined ? "http" : "https"}://127.0.0.1:${await portOf(server)}/messages`;
}

/** A server that says these pieces to each client, HTTP or not, and nothing more. */
export async function saying(...pieces: readonly string[]): Promise<string> {
  const server = createSocketServer((socket) => {
    // A client that gives up closes the connection.
    socket.on("error", () => undefined);
    for (const piece of pieces) socket.write(piece);
  });
  return `http://127.0.0.1:${await portOf(server)}/messages`;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.add(() => server.close());
  return (server.address() as AddressInfo).port;
}

type Given = { readonly token?: string; readonly millisecondsMax?: number };

/** Sends the message there, and what was reported meanwhile. */
export async function sendTo(url: string, given: Given = {}) {
  const faults: SmsFault[] = [];
  const onFault = (fault: SmsFault) => faults.push(fault);
  const send = smsGateway({ url, millisecondsMax: 20_000, ...given, onFault });
  return { sent: await send(message), faults };
}
