import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import tls from "node:tls";
import { expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "./embedded-database";
import { brokenTppRequest } from "./fault-answer";
import { listen, type Tls } from "./listeners";
import { echo, makeTestCertificates } from "./testing";
import { startTlsRenewal } from "./tls";

/** Connects, and says which certificate the host has shown. */
async function connected(port: number) {
  const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return { socket, shown: socket.getPeerX509Certificate()?.serialNumber };
}
const serial = ({ cert }: Tls) => new X509Certificate(cert).serialNumber;

it("a running host shows the renewed certificate to new connections, and keeps the open ones", async () => {
  const [{ server: former }, { server: renewed }] = [
    await makeTestCertificates(),
    await makeTestCertificates(),
  ];
  const port = await freePort(0);
  const host = { setting: "XS2A_PORT", port, loopbackOnly: true, handle: echo } as const;
  const listener = await listen({ ...host, tls: former, broken: brokenTppRequest });
  onTestFinished(() => listener.close(0));
  const before = await connected(port);
  listener.renew(renewed);
  const after = await connected(port);
  expect([before.shown, after.shown]).toEqual([serial(former), serial(renewed)]);
  before.socket.write("GET /jwks HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [answer] = (await once(before.socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

it("what is looked up again and again is handed over when it is another", async () => {
  const [first, second] = ["first", "second"].map((cert) => ({ cert, key: "" })) as [Tls, Tls];
  const found = [first, first, second, second, second];
  const shown: Tls[] = [];
  const lookedUp: Date[] = [];
  const renewal = startTlsRenewal(
    { renew: (one) => void shown.push(one) },
    async (now) => found[lookedUp.push(now) - 1] ?? second,
    0,
  );
  await vi.waitFor(() => expect(lookedUp.length).toBeGreaterThan(found.length), {
    timeout: 30_000,
  });
  await renewal.finish();
  expect(shown).toEqual([first, second]);
});
