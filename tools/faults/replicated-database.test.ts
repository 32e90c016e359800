import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connection, connect } from "@/lib/postgres/client";
import { codeOf } from "@/lib/postgres/guard";
import { primaryUrl } from "@/lib/postgres/primary";
import { type ReplicatedDatabase, replicatedDatabase } from "./replicated-database";

let folder: string;
let database: ReplicatedDatabase;
let bank: Connection;
const hanging: Socket[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-replicated-"));
  database = await replicatedDatabase(folder);
  bank = connect(database.url, { max: 3 });
});
afterAll(async () => {
  await bank.close();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

const portOf = (url: string) => Number(new URL(url).port);
const here = async () => {
  const [row] = await bank.db.execute<{ port: number }>(sql`select inet_server_port() as port`);
  return row?.port;
};
async function endHanging(server: Server | undefined): Promise<void> {
  for (const socket of hanging.splice(0)) socket.destroy();
  if (server !== undefined) await new Promise((resolve) => server.close(resolve));
}
/** As a TPP does that was told to try again. */
async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

it("of a primary and its standby, in whatever order, connections go to the primary", async () => {
  expect(await here()).toBe(portOf(database.primaryUrl()));
  const [head = "", hosts = ""] = /^(.*@)([^/]+)/.exec(database.url)?.slice(1) ?? [];
  const turned = database.url.replace(head + hosts, head + hosts.split(",").reverse().join(","));
  expect(turned).not.toBe(database.url);
  expect(portOf(await primaryUrl(turned))).toBe(portOf(database.primaryUrl()));
});

it("a host that is a standby is refused, though the driver by itself takes it for read-write", async () => {
  const { port } = new URL(database.standbyUrl());
  const only = `${database.standbyUrl()}?target_session_attrs=read-write`;
  const driver = postgres(only, { max: 1, connect_timeout: 2, onnotice: () => undefined });
  const [row] = await driver`select pg_is_in_recovery() as standby, inet_server_port() as port`;
  expect(row).toEqual({ standby: true, port: Number(port) });
  await driver.end();
  await expect(primaryUrl(only)).rejects.toThrow("none of the named hosts is the primary");
  const ours = connect(only, { max: 1 });
  expect(await ours.db.execute(sql`select 1`).catch(codeOf)).toBe("NO_PRIMARY");
  await ours.close();
});

it("what was acknowledged outlives the primary, and the pool goes on by itself, as often as it has to", async () => {
  await bank.db.execute(sql`create table note (number int primary key)`);
  const acknowledged: number[] = [];
  for (let failure = 0; failure < 2; failure += 1) {
    let over = false;
    const writing = (async () => {
      for (let number = failure * 100_000; !over; number += 1) {
        const written = await bank.db
          .execute(sql`insert into note values (${number})`)
          .catch(() => undefined);
        if (written !== undefined) acknowledged.push(number);
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const former = portOf(database.primaryUrl());
    await database.killPrimary();
    // The second time it hangs, as a machine does that is frozen: it takes connections and never answers.
    const frozen =
      failure === 1
        ? createServer((socket) => hanging.push(socket)).listen(former, "127.0.0.1")
        : undefined;
    await database.promote();
    expect(await insist(here)).toBe(portOf(database.primaryUrl()));
    over = true;
    await writing;
    await endHanging(frozen);
    await database.newStandby();
  }
  const kept = new Set(
    (await bank.db.execute(sql`select number from note`)).map(({ number }) => number),
  );
  expect(acknowledged.length).toBeGreaterThan(10);
  expect(acknowledged.filter((number) => !kept.has(number))).toEqual([]);
});
