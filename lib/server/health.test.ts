import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import type { Config } from "@/lib/config";
import { testDatabase } from "@/lib/postgres/testing";
import { lineTo } from "@/lib/postgres/testing-database";
import { freePort } from "./embedded-database";
import { answeringHealth, coreBankProbe, startReadiness } from "./health";
import { newShutdown } from "./processes";
import { echo, get, openHost } from "./testing";

const readinessAt = (url: string) => {
  const stopping = new AbortController();
  const readiness = startReadiness(url, stopping.signal);
  onTestFinished(() => readiness.finish());
  return { ...readiness, stop: () => stopping.abort() };
};

/** The first answer may take longer than it has: it opens a connection. */
const soon = <Result>(look: () => Promise<Result>) => vi.waitFor(look, { timeout: 20_000 });

async function opened(isReady: () => Promise<boolean>, knowsSchema = async () => true) {
  const handle = answeringHealth(echo, { isReady, knowsSchema });
  return { port: await openHost({ handle, broken: () => "" }) };
}

describe("a server is ready", () => {
  it("when its database takes changes, until it is asked to stop", async () => {
    const { isReady, stop } = readinessAt(inject("databaseUrl"));
    await soon(async () => expect(await isReady()).toBe(true));
    expect(await Promise.all([isReady(), isReady()])).toEqual([true, true]);
    stop();
    expect(await isReady()).toBe(false);
  });

  it("also while a host of its database's hangs, and another one is the primary", async () => {
    const hanging = createTcpServer().listen(0, "127.0.0.1");
    await once(hanging, "listening");
    onTestFinished(() => void hanging.close());
    const { port } = hanging.address() as AddressInfo;
    const url = inject("databaseUrl").replace("@", `@127.0.0.1:${port},`);
    const { isReady } = readinessAt(url);
    await soon(async () => expect(await isReady()).toBe(true));
  });

  it("and not without its database", async () => {
    const url = new URL(inject("databaseUrl"));
    url.port = String(await freePort(0));
    expect(await readinessAt(url.href).isReady()).toBe(false);
  });

  it("and not while the answers of its database are each in time, and together too late", async () => {
    const line = await lineTo(inject("databaseUrl"));
    const { isReady } = readinessAt(line.url);
    onTestFinished(() => line.close());
    await soon(async () => expect(await isReady()).toBe(true));
    // Half of what they have together.
    line.slow(500);
    await soon(async () => expect(await isReady()).toBe(false));
  });

  it("and not when its database only lets itself be read", async () => {
    const url = `${inject("databaseUrl")}?default_transaction_read_only=on`;
    expect(await readinessAt(url).isReady()).toBe(false);
  });
});

describe("X15: a server is not ready while its database has no space for writes", () => {
  it("and is again when there is some", async () => {
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const name = new URL(database.url).pathname.slice(1);
    const { isReady } = readinessAt(database.url);
    await soon(async () => expect(await isReady()).toBe(true));
    // The one bound on disk space that a test can set anywhere; on a full disk the code is another of the same class.
    for (const [limit, ready] of [
      ["set temp_file_limit = 0", false],
      ["reset temp_file_limit", true],
    ] as const) {
      await database.sql.unsafe(`alter database ${name} ${limit}`);
      // It holds for new connections.
      await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and pid <> pg_backend_pid()`;
      await soon(async () => expect(await isReady()).toBe(ready));
      expect(await isReady()).toBe(ready);
    }
  });
});

describe("a server is not ready on a schema that it does not know", () => {
  it("as when a newer release takes away what this one uses, which the answer says", async () => {
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const { isReady, knowsSchema } = readinessAt(database.url);
    const host = await opened(isReady, knowsSchema);
    const said = async () => (await get(host, "/health/ready")).body;
    const newer = (contract: boolean) => database.sql`
      insert into drizzle.__drizzle_migrations (hash, created_at, contract) values ('', ${contract ? 2 : 1}, ${contract})`;
    await newer(false);
    await soon(async () => expect(await said()).toBe("ready\n"));
    await newer(true);
    await soon(async () => expect(await said()).toBe("not ready, schema of another release\n"));
  });
});

describe("the answer to a balancer", () => {
  it("that the core bank is unreachable, while that still has time to answer", async () => {
    let waiting: ServerResponse | undefined;
    const server = createServer((_, response) => {
      waiting = response;
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const shutdown = newShutdown();
    onTestFinished(() => shutdown.stop());
    const isReachable = await coreBankProbe({ CORE_BANK_URL: url } as Config, shutdown);
    expect(await isReachable?.()).toBe(false);
    // It is still being asked: its own deadline has not ended the request.
    await sleep(200);
    expect(waiting?.destroyed).toBe(false);
    server.close().closeAllConnections();
  });

  it("that the process lives, whether or not it is ready", async () => {
    const answer = await get(await opened(async () => false), "/health/live?x");
    expect([answer.status, answer.body]).toEqual([200, "live\n"]);
  });

  it.each([
    [true, 200, "ready\n", null],
    [false, 503, "not ready\n", "2"],
  ])("whether requests should come: %s", async (ready, status, body, after) => {
    const host = await opened(async () => ready);
    const answer = await get(host, "/health/ready");
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(answer.headers.get("retry-after")).toBe(after);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await get(host, "/health/ready", [], "HEAD")).status).toBe(status);
  });

  it("nothing at other addresses, and nothing is asked of it by other methods", async () => {
    const host = await opened(async () => true);
    for (const [path, method] of [
      ["/health", "GET"],
      ["/health/ready/x", "GET"],
      ["/health/ready", "POST"],
    ] as const) {
      expect(JSON.parse((await get(host, path, [], method)).body)).toMatchObject({ method });
    }
  });
});
