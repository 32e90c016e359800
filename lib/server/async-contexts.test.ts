import { AsyncLocalStorage, executionAsyncId } from "node:async_hooks";
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { sparingContexts } from "./async-contexts";
import { openHost } from "./testing/host";
import { get } from "./testing/raw-request";
import type { Handler } from "./tpp-host";

const { run, enterWith } = AsyncLocalStorage.prototype;
afterEach(() => Object.assign(AsyncLocalStorage.prototype, { run, enterWith }));

/** Hooks give each promise a number; without them what follows on one has none. */
const areFollowed = () => Promise.resolve().then(() => executionAsyncId() !== 0);
async function untilNot(followed: () => Promise<boolean>): Promise<void> {
  while (await followed()) await sleep(5);
}

const open = (handle: Handler) => openHost({ handle, broken: () => "" });
const ask = (port: number, path = "/") => get({ port }, path);

describe.runIf(Number.parseInt(process.versions.node, 10) < 24)("contexts of requests", () => {
  it("are there for the length of a request, and put out when none is under way", async () => {
    const inContext = sparingContexts("20.0.0");
    const storage = new AsyncLocalStorage<string>();
    const port = await open(
      inContext(async (_request, response) => {
        await storage.run("its own", async () => {
          await sleep(5);
          response.end(`${storage.getStore()} ${await areFollowed()}`);
        });
      }),
    );
    for (const _ of [1, 2]) {
      expect((await ask(port)).body).toBe("its own true");
      await untilNot(areFollowed);
    }
  });

  it("outlast another request that ends before theirs", async () => {
    const inContext = sparingContexts("20.0.0");
    const storage = new AsyncLocalStorage<string>();
    const held = new EventEmitter();
    const port = await open(
      inContext(async ({ url }, response) => {
        await storage.run(String(url), async () => {
          if (url === "/long") await once(held, "let go");
          response.end(storage.getStore());
        });
      }),
    );
    const long = ask(port, "/long");
    await ask(port);
    await sleep(250);
    held.emit("let go");
    expect((await long).body).toBe("/long");
  });

  it("are put out though the request failed or its caller went away", async () => {
    const inContext = sparingContexts("20.0.0");
    const storage = new AsyncLocalStorage<string>();
    const failures: unknown[] = [];
    const handle = inContext(async (_request, response) => {
      await storage.run("any", async () => response.destroy());
      throw new Error("a fault");
    });
    const port = await open((request, response) =>
      handle(request, response).catch((error: unknown) => void failures.push(error)),
    );
    await ask(port).catch(() => undefined);
    await untilNot(areFollowed);
    expect(failures).toEqual([new Error("a fault")]);
  });
});

it("from Node 24 on contexts cost nothing and are left alone", () => {
  const handle: Handler = async () => undefined;
  expect(sparingContexts("24.0.0")(handle)).toBe(handle);
  expect(AsyncLocalStorage.prototype.run).toBe(run);
});
