import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { guardedFetch, type Resolve } from "./guarded-fetch";

/** Takes the place of a public address: a test connects to loopback only. */
const OUTSIDE = "127.0.0.1";
const INSIDE = ["10.0.0.1", "169.254.169.254", "::1"];
vi.mock("@/lib/ip-address", () => ({
  isPublicAddress: (address: string) => address === "127.0.0.1",
}));
afterEach(() => vi.restoreAllMocks());

/** A name server that answers one thing after the other, and then the last for ever. */
function changing(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  const resolve: Resolve = async () => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { resolve, asked: () => asked };
}

async function outside() {
  let connections = 0;
  const server = createServer((_request, response) => response.end("from outside"));
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, OUTSIDE);
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://ocsp.example:${port}/`, connections: () => connections };
}

const bytesMax = 1_000;
const fetcher = (resolve: Resolve) =>
  guardedFetch({ allowedOrigins: [], millisecondsMax: 5_000, resolve });

describe("X6: DNS rebinding", () => {
  it("a name that is public first and private later is resolved once, and the checked address is connected to", async () => {
    const server = await outside();
    for (const inside of INSIDE) {
      const { resolve, asked } = changing([OUTSIDE], [inside]);
      const text = Buffer.from(await fetcher(resolve)({ url: server.url, bytesMax })).toString();
      expect({ text, asked: asked() }).toEqual({ text: "from outside", asked: 1 });
    }
    expect(server.connections()).toBe(INSIDE.length);
  });

  it("at the next fetch it is resolved and checked again: no connection is kept open", async () => {
    const server = await outside();
    const { resolve, asked } = changing([OUTSIDE], ["10.0.0.1"]);
    const fetch = fetcher(resolve);
    await fetch({ url: server.url, bytesMax });
    await expect(fetch({ url: server.url, bytesMax })).rejects.toThrow("private network");
    expect([asked(), server.connections()]).toEqual([2, 1]);
  });

  it("a name that is private first is refused, and not resolved again", async () => {
    const server = await outside();
    for (const answer of [["10.0.0.1"], [OUTSIDE, "10.0.0.1"], ["10.0.0.1", OUTSIDE]]) {
      const { resolve, asked } = changing(answer, [OUTSIDE]);
      const fetched = fetcher(resolve)({ url: server.url, bytesMax });
      await expect(fetched).rejects.toThrow("private network");
      expect(asked()).toBe(1);
    }
    expect(server.connections()).toBe(0);
  });

  it("a name without an address, or that is not found, is an error", async () => {
    const { resolve } = changing([]);
    const url = "http://ocsp.example/";
    await expect(fetcher(resolve)({ url, bytesMax })).rejects.toThrow("has no address");
    const missing: Resolve = () => Promise.reject(new Error("ENOTFOUND"));
    await expect(fetcher(missing)({ url, bytesMax })).rejects.toThrow("ENOTFOUND");
  });
});
