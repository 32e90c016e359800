import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "./client";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let lossy: Connection;

beforeAll(async () => {
  database = await testDatabase();
  await database.sql`create table note (text text)`;
  await database.sql`grant all on note to public`;
  lossy = connect(database.url, { max: 1 });
});
afterAll(async () => {
  await lossy.close();
  await database.close();
});
beforeEach(() => database.sql`truncate note`);

const pidOf = async (tx: Pick<Connection["db"], "execute">) => {
  const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row?.pid ?? 0;
};
/** Ends the connection from outside, and waits until the driver has noticed. */
async function cut(pid: number): Promise<void> {
  await database.sql`select pg_terminate_backend(${pid}, 5000)`;
  await sleep(20);
}
const notes = () => database.sql`select text from note`;

describe("a transaction whose connection is lost", () => {
  it("while a statement runs is rejected, and has done nothing", async () => {
    const begun = lossy.db.transaction(async (tx) => {
      await tx.execute(sql`insert into note values ('half')`);
      const pid = await pidOf(tx);
      await Promise.all([tx.execute(sql`select pg_sleep(${5})`), cut(pid)]);
    });
    await expect(begun).rejects.toThrow();
    expect(await notes()).toEqual([]);
  });

  it("between two statements sends nothing more, neither in it nor outside of it", async () => {
    let told: (outcome: string) => void = () => undefined;
    const second = new Promise<string>((resolve) => {
      told = resolve;
    });
    const begun = lossy.db.transaction(async (tx) => {
      await tx.execute(sql`insert into note values ('first')`);
      await cut(await pidOf(tx));
      await lossy.db.execute(sql`insert into note values ('another')`);
      const sent = (async () => tx.execute(sql`insert into note values ('second')`))();
      await sent.then(
        () => told("sent"),
        (error: Error) => told(String(error.cause)),
      );
    });
    await expect(begun).rejects.toThrow();
    expect(await second).toBe("Error: the transaction's connection is lost");
    expect(await notes()).toEqual([{ text: "another" }]);
  });

  it("leaves a pool that works, however often", async () => {
    for (let nth = 0; nth < 20; nth += 1) {
      const begun = lossy.db.transaction(async (tx) => {
        const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        const slept = tx.execute(sql`select pg_sleep(${5}::float8)`);
        await Promise.all([slept, cut(row?.pid ?? 0)]);
      });
      await expect(begun).rejects.toThrow();
      await lossy.db.execute(sql`insert into note values (${nth}::text)`);
    }
    expect(await notes()).toHaveLength(20);
  });
});

describe("a transaction whose connection is there", () => {
  it("is rolled back when its work fails, and throws its error", async () => {
    const begun = lossy.db.transaction(async (tx) => {
      await tx.execute(sql`insert into note values ('half')`);
      throw new Error("no");
    });
    await expect(begun).rejects.toThrow("no");
    expect(await notes()).toEqual([]);
  });

  it("is committed when its work is done, and yields its result", async () => {
    const begun = lossy.db.transaction(async (tx) => {
      await tx.execute(sql`insert into note values ('whole')`);
      return "done";
    });
    expect(await begun).toBe("done");
    expect(await notes()).toEqual([{ text: "whole" }]);
  });
});
