import { describe, expect, it } from "vitest";
import { faultOfStatus } from "./fault-answer";
import { echo, expectFault, get, openTppHost, sendRaw } from "./testing";
import type { Handler } from "./tpp-host";

describe("what is not HTTP", () => {
  it("is a 400 in the standard's form", async () => {
    expectFault(await sendRaw(await openTppHost(echo), "HELLO\r\n\r\n"), 400, "FORMAT_ERROR");
  });

  it("S12: a request with two lengths is a 400", async () => {
    const bytes =
      "POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    expectFault(await sendRaw(await openTppHost(echo), bytes), 400, "FORMAT_ERROR");
  });

  it("C10: headers of more than 16 KiB are a 431", async () => {
    const answer = await get(await openTppHost(echo), "/jwks", [`X: ${"a".repeat(17 * 1024)}`]);
    expectFault(answer, 431, "FORMAT_ERROR");
  });

  it("a request that does not come to its end is a 408", async () => {
    const answer = await sendRaw(await openTppHost(echo), "GET /jwks HTTP/1.1\r\nHost: x\r\n");
    expectFault(answer, 408, "FORMAT_ERROR");
  });

  it("is not answered in the middle of another answer", async () => {
    const half: Handler = async (_request, response) => {
      response.setHeader("content-type", "application/json");
      response.write("[");
    };
    const bytes = "GET /jwks HTTP/1.1\r\nHost: x\r\n\r\nHELLO\r\n\r\n";
    const { head, body } = await sendRaw(await openTppHost(half), bytes);
    expect(`${head}${body}`.split("HTTP/1.1").length - 1).toBeLessThan(2);
  });

  it("an expectation nobody knows is no reason for an empty answer", async () => {
    const answer = await get(await openTppHost(echo), "/jwks", ["Expect: the-unexpected"]);
    expect(JSON.parse(answer.body).url).toBe("/jwks");
  });
});

describe("a fault of a status", () => {
  it("is never a success", () => {
    for (let status = 100; status < 600; status += 1) {
      expect(faultOfStatus(status).status).toBeGreaterThanOrEqual(400);
    }
  });
});
