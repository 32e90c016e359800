import { describe, expect, it } from "vitest";
import { parseClientCert } from "@/lib/eidas/client-certificate";
import { fromProxy } from "./client-certificate";
import { brokenTppRequest } from "./fault-answer";
import { echo, get, openHost } from "./testing";
import { tppHost } from "./tpp-host";

const secret = "0123456789abcdef0123456789abcdef";
const certificate = "Client-Cert: :AAAA:";
const proof = `X-Proxy-Secret: ${secret}`;

async function seenBy(peers: readonly string[], lines: readonly string[]): Promise<unknown> {
  const handle = tppHost(echo, fromProxy(peers, secret));
  const port = await openHost({ handle, broken: brokenTppRequest });
  const { headers } = JSON.parse((await get({ port }, "/jwks", lines)).body);
  expect(headers).not.toHaveProperty("x-proxy-secret");
  return headers["client-cert"];
}

describe("a certificate that a TLS proxy brings", () => {
  it.each([["127.0.0.1"], ["127.0.0.0/8"], ["::1", "127.0.0.1"]])(
    "is taken from %s with the secret",
    async (...peers) => {
      expect(await seenBy(peers, [certificate, proof])).toBe(":AAAA:");
    },
  );

  it.each([[":AAAA:"], ["-----BEGIN%20CERTIFICATE-----%0AAAAA%0A-----END%20CERTIFICATE-----%0A"]])(
    "goes on in the form of RFC 9440, if the proxy wrote %s",
    async (value) => {
      expect(await seenBy(["127.0.0.1"], [`Client-Cert: ${value}`, proof])).toBe(":AAAA:");
    },
  );

  it.each(["AAAA", "-----BEGIN CERTIFICATE----- AAAA -----END CERTIFICATE-----", ":AAAA:, :BBBB:"])(
    "C1: goes on as it is in any other form, and is no certificate: %s",
    async (value) => {
      expect(await seenBy(["127.0.0.1"], [`Client-Cert: ${value}`, proof])).toBe(value);
      expect(parseClientCert(value)).toBeUndefined();
    },
  );

  it("is missing when the header is empty", async () => {
    expect(await seenBy(["127.0.0.1"], ["Client-Cert:", proof])).toBeUndefined();
  });

  it("C1: is not taken without the secret", async () => {
    expect(await seenBy(["127.0.0.1"], [certificate])).toBeUndefined();
  });

  it.each(["", secret.slice(1), `${secret}0`, secret.toUpperCase()])(
    "C1: is not taken with the secret %s",
    async (wrong) => {
      const lines = [certificate, `X-Proxy-Secret: ${wrong}`];
      expect(await seenBy(["127.0.0.1"], lines)).toBeUndefined();
    },
  );

  it("C1: is not taken with the secret sent twice", async () => {
    expect(await seenBy(["127.0.0.1"], [certificate, proof, proof])).toBeUndefined();
  });

  it.each(["::1", "10.0.0.1", "10.0.0.0/8"])(
    "C1: is not taken from another address than %s",
    async (peer) => {
      expect(await seenBy([peer], [certificate, proof])).toBeUndefined();
    },
  );

  it.each([
    ["client-cert: :AAAA:", "Client-Cert: :BBBB:"],
    ["X-SSL-Client-Cert: AAAA"],
    ["Client-Cert-Chain: :AAAA:"],
  ])("C1: is not taken from %s %s", async (...lines) => {
    const sent = lines.filter((line) => line !== undefined);
    expect(await seenBy(["127.0.0.1"], [...sent, proof])).toBeUndefined();
  });
});
