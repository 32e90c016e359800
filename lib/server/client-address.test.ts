import { beforeAll, describe, expect, it } from "vitest";
import { fromTls } from "./client-certificate";
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
