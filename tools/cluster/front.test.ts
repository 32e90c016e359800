import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { steadyPort } from "@/e2e/harness/steady-port";
import { roundRobin, type Target } from "./front";

/** A server that says its name and what it was sent, and ends. */
async function saying(name: string): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (chunk) => socket.end(`${name} ${chunk}`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function opened(targets: readonly Target[]) {
  const port = await steadyPort();
  const front = await roundRobin(port, targets);
  onTestFinished(() => front.close());
  const ask = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("asked");
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    await new Promise((resolve) => socket.once("close", resolve));
    return text;
  };
  return { ask, given: front.given };
}

const ready = (port: number): Target => ({ port, isReady: () => true });
const asked = async (ask: () => Promise<string>, times: number) => {
  const answers: string[] = [];
  for (let nth = 0; nth < times; nth += 1) answers.push(await ask());
  return answers;
};

it("each connection goes to another server, in turn", async () => {
  const { ask, given } = await opened([ready(await saying("a")), ready(await saying("b"))]);
  expect(await asked(ask, 4)).toEqual(["a asked", "b asked", "a asked", "b asked"]);
  expect(given()).toEqual([2, 2]);
});

it("a server that refuses is passed over", async () => {
  const { ask } = await opened([ready(await steadyPort()), ready(await saying("b"))]);
  expect(await asked(ask, 3)).toEqual(["b asked", "b asked", "b asked"]);
});

it("a server that says it is not ready gets nothing, unless all say so", async () => {
  let isReady = true;
  const [a, b] = [await saying("a"), await saying("b")];
  const { ask } = await opened([
    { port: a, isReady: () => false },
    { port: b, isReady: () => isReady },
  ]);
  expect(await asked(ask, 2)).toEqual(["b asked", "b asked"]);
  isReady = false;
  expect(new Set(await asked(ask, 2))).toEqual(new Set(["a asked", "b asked"]));
});

it("a connection that no server takes is closed without an answer", async () => {
  const { ask } = await opened([ready(await steadyPort())]);
  expect(await ask()).toBe("");
});
