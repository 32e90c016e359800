import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { guardedFetch } from "./guarded-fetch";
import { nameServers } from "./name-servers";

const A = 1;

/** A name server on loopback that has this IPv4 address for every name, or is silent. */
async function nameServer(address?: readonly number[]) {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    if (address === undefined) return;
    const answers = type === A ? [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : [];
    const head = [0x81, 0x80, 0, 1, 0, type === A ? 1 : 0, 0, 0, 0, 0];
    const answer = [...query.subarray(0, 2), ...head, ...query.subarray(12, end), ...answers];
    socket.send(Uint8Array.from(answer), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  onTestFinished(() => {
    resolver.cancel();
    socket.close();
  });
  return { asked, resolve: nameServers(resolver) };
}

/** RFC 1035 4.1.2: labels, each after its length, then type and class. */
function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

describe("X6: a name's addresses", () => {
  it("come from the name servers", async () => {
    const { asked, resolve } = await nameServer([81, 196, 12, 34]);
    expect(await resolve("ocsp.example")).toEqual([{ address: "81.196.12.34", family: 4 }]);
    expect(asked).toEqual(["ocsp.example", "ocsp.example"]);
  });

  it("that lead inside the house are refused", async () => {
    const { asked, resolve } = await nameServer([10, 0, 0, 1]);
    const fetch = guardedFetch({ allowedOrigins: [], millisecondsMax: 5_000, resolve });
    const fetched = fetch({ url: "http://ocsp.example/", bytesMax: 1_000 });
    await expect(fetched).rejects.toThrow("inside the house");
    expect(asked).toContain("ocsp.example");
  });

  it("are asked for all at once, and waited for no longer than for an answer", async () => {
    const { asked, resolve } = await nameServer();
    const fetch = guardedFetch({ allowedOrigins: [], millisecondsMax: 500, resolve });
    const names = Array.from({ length: 8 }, (_, index) => `ocsp${index}.example`);
    const fetched = names.map((name) => fetch({ url: `http://${name}/`, bytesMax: 1_000 }));
    const ends = await Promise.allSettled(fetched);
    expect(ends.map(({ status }) => status)).toEqual(names.map(() => "rejected"));
    expect(new Set(asked)).toEqual(new Set(names));
  });
});
