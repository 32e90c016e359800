import { beforeAll, describe, expect, it } from "vitest";
import { browserHost } from "./browser-host";
import { type AddressSource, browserAddress } from "./client-address";
import { fromTls, isAmong } from "./client-certificate";
import { brokenTppRequest } from "./client-errors";
import { makeTestCertificates } from "./testing/certificates";
import { echo, openHost } from "./testing/host";
import { get } from "./testing/raw-request";
import { tppHost } from "./tpp-host";

let certificates: Awaited<ReturnType<typeof makeTestCertificates>>;
beforeAll(async () => {
  certificates = await makeTestCertificates();
});

describe("B4: the address that the TPP calls from", () => {
  const forged = ["Client-Address: 81.196.12.34"];
  const handle = tppHost(echo, fromTls());

  it("is the peer of its TLS connection, whatever it writes into a header", async () => {
    const { server, client } = certificates;
    const port = await openHost({ handle, tls: server, broken: brokenTppRequest });
    const answer = await get({ port, tls: client }, "/jwks", forged);
    expect(JSON.parse(answer.body).headers).toMatchObject({ "client-address": "127.0.0.1" });
  });

  it("is not known behind a proxy, which is the peer itself", async () => {
    const port = await openHost({ handle, broken: brokenTppRequest });
    const answer = await get({ port }, "/jwks", forged);
    expect(JSON.parse(answer.body).headers).not.toHaveProperty("client-address");
  });
});

describe("P5: the address that a browser calls from", () => {
  async function seenFrom(source: AddressSource, proxies: readonly string[], headers: string[]) {
    const handle = browserHost(echo, {
      webUrl: new URL("http://localhost:3000"),
      publicFiles: new Set(),
      addressOf: browserAddress(source, isAmong(proxies)),
    });
    const port = await openHost({ setting: "WEB_PORT", handle, broken: () => "" });
    return JSON.parse((await get({ port }, "/", headers)).body).headers["client-address"];
  }
  const machine = ["127.0.0.1", "::1"];
  const forged = "Client-Address: 81.196.12.34";

  it("is that of its connection, whatever it writes into a header", async () => {
    const written = [forged, "X-Forwarded-For: 81.196.12.34", "Forwarded: for=81.196.12.34"];
    expect(await seenFrom("socket", machine, written)).toBe("127.0.0.1");
  });

  it("is the last that the proxy has added, and none of those that the caller wrote", async () => {
    const sent = [forged, "X-Forwarded-For: 8.8.8.8, 81.196.12.34", "X-Forwarded-For: 2001:db8::1"];
    expect(await seenFrom("forwarded", machine, sent)).toBe("2001:db8::1");
    for (const none of [[], ["X-Forwarded-For: unknown"], ["X-Forwarded-For: 8.8.8.8,"]]) {
      expect(await seenFrom("forwarded", machine, none)).toBeUndefined();
    }
  });

  it("is not believed from anybody but the proxy, and not known where there is no way to know it", async () => {
    const sent = [forged, "X-Forwarded-For: 81.196.12.34"];
    expect(await seenFrom("forwarded", ["10.0.0.1"], sent)).toBeUndefined();
    expect(await seenFrom("none", machine, sent)).toBeUndefined();
  });
});
