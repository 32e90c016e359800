import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "./embedded-database";
import { draining } from "./host-process";
import { listen } from "./listeners";
import { echo, makeTestCertificates, openHost } from "./testing";

it("a client that sends nothing keeps no host from closing", async () => {
  const { server } = await makeTestCertificates();
  const port = await freePort(0);
  const listener = await listen({
    setting: "XS2A_PORT",
    loopbackOnly: true,
    broken: () => "",
    handle: async () => undefined,
    port,
    tls: server,
  });
  const silent = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void silent.destroy());
  await once(silent, "connect");
  // Its handshake alone would have seconds.
  await listener.close(10);
  await once(silent.resume(), "close");
}, 4_000);

describe("a server that is about to stop", () => {
  const agent = () => {
    const made = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => made.destroy());
    return made;
  };

  async function ask(port: number, by: Agent): Promise<IncomingMessage> {
    const sent = request({ port, host: "127.0.0.1", agent: by }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    await once(answer.resume(), "end");
    return answer;
  }

  async function opened(keepAlive?: boolean) {
    const port = await freePort(0);
    const host = {
      setting: "WEB_PORT",
      loopbackOnly: true,
      handle: echo,
      broken: () => "",
    } as const;
    const listener = await listen({
      ...host,
      port,
      ...(keepAlive === undefined ? {} : { keepAlive }),
    });
    onTestFinished(() => listener.close(0));
    return { port, listener };
  }

  it("a server that drains ends each connection with its next answer, and takes new ones", async () => {
    const { port, listener } = await opened();
    const client = agent();
    expect((await ask(port, client)).headers.connection).toBe("keep-alive");
    const step = draining([listener], 60);
    const drained = step.finish();
    expect((await ask(port, client)).headers.connection).toBe("close");
    expect((await ask(port, agent())).statusCode).toBe(200);
    step.hurry?.();
    await drained;
  });

  it("a second request to stop does not wait for the pause", async () => {
    const { listener } = await opened();
    const step = draining([listener], 3_600);
    const drained = step.finish();
    step.hurry?.();
    await drained;
  });

  it("without keep-alive each answer ends its connection", async () => {
    const { port } = await opened(false);
    expect((await ask(port, agent())).headers.connection).toBe("close");
    const other = await openHost({ handle: echo, broken: () => "" });
    expect((await ask(other, agent())).headers.connection).toBe("keep-alive");
  });
});
