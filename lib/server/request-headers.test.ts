import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { brokenTppRequest } from "./client-errors";
import { dropBrowserHeaders, dropOurHeaders, headerFault, onlyValue } from "./request-headers";
import { openHost } from "./testing/host";
import { get } from "./testing/raw-request";

/** A request with these header lines, as Node's server hands it over. */
async function request(...lines: string[]): Promise<IncomingMessage> {
  let received: IncomingMessage | undefined;
  const port = await openHost({
    broken: brokenTppRequest,
    handle: async (message, response) => {
      received = message;
      response.end();
    },
  });
  await get({ port }, "/", lines);
  if (received === undefined) throw new Error("nothing was received");
  return received;
}

const always = ["Host", "localhost", "Connection", "close"];

describe("headers that only we may set", () => {
  it.each([
    "client-cert",
    "Client-Cert-Chain",
    "Client-Address",
    "X-Forwarded-For",
    "x-forwarded-host",
    "Forwarded",
    "X-SSL-Client-Cert",
    "x-middleware-subrequest",
    "X-Proxy-Secret",
    "Content-Security-Policy",
    "x-invoke-path",
    "x-matched-path",
    "Client_Cert",
  ])("%s of a caller is dropped", async (name) => {
    const message = await request(`${name}: theirs`, "Accept: */*");
    dropOurHeaders(message);
    expect(message.rawHeaders).toEqual([...always, "Accept", "*/*"]);
    expect(message.headers).toEqual({ host: "localhost", connection: "close", accept: "*/*" });
  });

  it.each(["RSC", "Next-Action", "Next-Router-State-Tree", "X-Nextjs-Data"])(
    "%s means nothing on the TPP host",
    async (name) => {
      const message = await request(`${name}: 1`);
      dropBrowserHeaders(message);
      expect(message.rawHeaders).toEqual(always);
    },
  );
});

describe("S4: a header that a signature can cover", () => {
  it.each([
    "Digest",
    "Signature",
    "Date",
    "X-Request-ID",
    "Authorization",
    "Consent-ID",
    "TPP-Redirect-URI",
    "TPP-Signature-Certificate",
    "PSU-IP-Address",
    "PSU-ID",
    "Content-Type",
  ])("%s must not be sent twice", async (name) => {
    const twice = await request(`${name}: one`, `${name.toLowerCase()}: two`);
    expect(headerFault(twice)).toContain("twice");
    expect(headerFault(await request(`${name}: one`))).toBeUndefined();
  });

  it("Host must not be sent twice", async () => {
    expect(headerFault(await request("Host: another"))).toContain("twice");
  });

  it("others may be", async () => {
    expect(headerFault(await request("Accept: a/b", "Accept: c/d"))).toBeUndefined();
  });
});

describe("C1: a header name with an underscore", () => {
  it("is refused: a proxy may turn it into another name", async () => {
    expect(headerFault(await request("X_SSL_Client_Cert: theirs"))).toContain("underscore");
  });
});

describe("the only value of a header", () => {
  it("is none when it was sent twice, or not at all", async () => {
    const once = await request("Client-Cert: a");
    const twice = await request("Client-Cert: a", "client-cert: b");
    const never = await request();
    const values = [once, twice, never].map((message) => onlyValue(message, "client-cert"));
    expect(values).toEqual(["a", undefined, undefined]);
  });
});
