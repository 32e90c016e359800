import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { lightRequest } from "./light-request";

const origin = "https://bank.example";

/** A POST of which nothing has come but its headers. */
function posted(): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = "POST";
  request.headers["transfer-encoding"] = "chunked";
  return request;
}

function end(request: IncomingMessage): void {
  request.push(null);
  request.complete = true;
}

const readerOf = (request: IncomingMessage) => {
  const reader = lightRequest(request, origin).body?.getReader();
  if (reader === undefined) throw new Error("there is no body");
  return reader;
};

async function readOut(request: IncomingMessage): Promise<readonly string[]> {
  const parts: string[] = [];
  const reader = readerOf(request);
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(String(part.value));
  }
  return parts;
}

describe("a body", () => {
  it("that has come whole is read as one, without anybody listening for more", async () => {
    const request = posted();
    request.push("one,");
    request.push("two");
    end(request);
    expect(await readOut(request)).toEqual(["one,two"]);
    expect(request.eventNames()).toEqual([]);
  });

  it("that comes while it is read is read to its end", async () => {
    const request = posted();
    request.push("one,");
    const read = readOut(request);
    setTimeout(() => request.push("two,"), 5);
    setTimeout(() => request.push("three"), 10);
    setTimeout(() => end(request), 15);
    expect((await read).join("")).toBe("one,two,three");
  });

  it("that is at its end between two looks is not read twice, nor cut short", async () => {
    const request = posted();
    request.push("one,");
    const reader = readerOf(request);
    expect(String((await reader.read()).value)).toBe("one,");
    request.push("two");
    end(request);
    expect(String((await reader.read()).value)).toBe("two");
    expect(await reader.read()).toMatchObject({ done: true });
  });

  it("whose connection breaks is none, however much of it has come", async () => {
    const cut = posted();
    cut.push("one,");
    const read = readOut(cut);
    setTimeout(() => cut.destroy(), 5);
    await expect(read).rejects.toThrow();
    const late = posted();
    late.push("one");
    end(late);
    late.destroy();
    await expect(readOut(late)).rejects.toThrow();
  });

  it("of no bytes is none", async () => {
    const request = posted();
    end(request);
    expect(await readOut(request)).toEqual([]);
    const declared = new IncomingMessage(new Socket());
    declared.method = "POST";
    declared.headers["content-length"] = "0";
    expect(lightRequest(declared, origin).body).toBeNull();
  });
});
