import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import { smsGateway } from "./sms-gateway";

const message = {
  psuId: "6f0c2f5e-3a52-4b41-9d2f-0b7c1f6c2f11" as string as PsuId,
  text: "123456 is your code for Example TPP",
  code: "123456",
  sentAt: new Date("2026-11-20T10:00:00Z"),
};

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function gateway(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`;
}

const answering = (status: number, headers = {}) =>
  gateway((_request, response) => response.writeHead(status, headers).end("{}"));

describe("SMS gateway", () => {
  it("posts receiver and text as JSON, once, and nothing else", async () => {
    const seen: unknown[] = [];
    const url = await gateway(async (request, response) => {
      const chunks = await request.toArray();
      const type = request.headers["content-type"];
      seen.push([request.method, request.url, type, JSON.parse(Buffer.concat(chunks).toString())]);
      response.writeHead(202).end();
    });

    expect(await smsGateway(url)(message)).toBe(true);
    const body = { to: message.psuId, text: message.text };
    expect(seen).toEqual([["POST", "/messages", "application/json", body]]);
  });

  it.each([200, 201, 204])("%i is a message handed over", async (status) => {
    expect(await smsGateway(await answering(status))(message)).toBe(true);
  });

  it.each([304, 400, 401, 404, 429, 500, 503])("%i is none", async (status) => {
    expect(await smsGateway(await answering(status))(message)).toBe(false);
  });

  it("a redirect is not followed: the code goes to the configured gateway only", async () => {
    let followed = false;
    const elsewhere = await gateway((_request, response) => {
      followed = true;
      response.end();
    });
    const url = await answering(307, { location: elsewhere });
    expect(await smsGateway(url)(message)).toBe(false);
    expect(followed).toBe(false);
  });

  it("a failure is not tried again", async () => {
    let requests = 0;
    const url = await gateway((_request, response) => {
      requests += 1;
      response.writeHead(500).end();
    });
    await smsGateway(url)(message);
    expect(requests).toBe(1);
  });

  it("a gateway that is not there, or hangs up, is no exception", async () => {
    const url = await gateway((request) => request.socket.destroy());
    expect(await smsGateway(url)(message)).toBe(false);
    for (const stop of running.splice(0)) stop();
    expect(await smsGateway(url)(message)).toBe(false);
    expect(await smsGateway("no address")(message)).toBe(false);
  });

  it("a gateway that never answers is given up", async () => {
    expect(await smsGateway(await gateway(() => undefined))(message)).toBe(false);
  });

  it("an answer whose body never ends is taken by its status", async () => {
    const url = await gateway((_request, response) => response.writeHead(200).write("{"));
    expect(await smsGateway(url)(message)).toBe(true);
  });
});
