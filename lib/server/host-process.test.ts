import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "./embedded-database";
import { closing, draining } from "./host-process";
import { type Listener, listen } from "./listeners";
import { echo, get, makeTestCertificates, openHost } from "./testing";

describe("closing", () => {
  const AN_HOUR = 3_600_000;

  const quiet = {
    setting: "XS2A_PORT",
    loopbackOnly: true,
    broken: () => "",
    handle: async () => undefined,
  } as const;

  /** A host with a request under way, that ends when it is told to. */
  async function busyHost() {
    const port = await freePort(0);
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let end = () => {};
    const listener = await listen({
      setting: "WEB_PORT",
      port,
      loopbackOnly: true,
      broken: () => "",
      handle: async (_request, response) => {
        arrived();
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        response.end("done");
      },
    });
    onTestFinished(() => listener.close(0));
    const answer = get({ port }, "/");
    await asked;
    return { port, listener, answer, end: () => end() };
  }

  it("no host takes a connection while another lets its last request end", async () => {
    const [first, second] = [await busyHost(), await busyHost()];
    const closed = closing([first.listener, second.listener], AN_HOUR).finish();
    for (const { port } of [first, second]) {
      const [refused] = await once(connect({ port, host: "127.0.0.1" }), "error");
      expect(refused.code).toBe("ECONNREFUSED");
    }
    for (const { end, answer } of [first, second]) {
      end();
      expect((await answer).body).toContain("done");
    }
    await closed;
  });

  it("whoever asks a second time cuts the requests of all hosts off", async () => {
    const [first, second] = [await busyHost(), await busyHost()];
    const step = closing([first.listener, second.listener], AN_HOUR);
    const closed = step.finish();
    step.hurry?.();
    await closed;
    for (const { answer } of [first, second]) expect((await answer).body).toBe("");
  });

  it("a host that is opened later is closed too, for a start can fail between two", async () => {
    const listeners: Listener[] = [];
    const step = closing(listeners, 0);
    const { listener, answer } = await busyHost();
    listeners.push(listener);
    await step.finish();
    expect((await answer).body).toBe("");
  });

  it("whoever has never said anything keeps no host from closing", async () => {
    const { server } = await makeTestCertificates();
    const port = await freePort(0);
    const listener = await listen({ ...quiet, port, tls: server });
    const silent = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void silent.destroy());
    await once(silent, "connect");
    // Its handshake alone would have seconds.
    await listener.close(10);
    await once(silent.resume(), "close");
  }, 4_000);
});

describe("drain", () => {
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

  it("whoever asks a second time does not wait for the pause", async () => {
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
