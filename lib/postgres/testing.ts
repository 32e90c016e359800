import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import type { Bounds } from "./bounded-query";
import { type Connection, connect } from "./client";

export type TestDatabase = Connection & { readonly url: string };

/** Milliseconds: however long a busy machine takes over a thousand calls at once, it is no outage. */
const patient: Bounds = { connect: 10_000, wait: 60_000, answer: 60_000, rest: 5_000 };

/**
 * A migrated database of its own for one test file; `close` drops it. Twenty connections, so that
 * racing calls really run side by side.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => undefined });
  await admin`create database ${admin(name)} template ${admin(inject("templateDatabase"))}`;
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  const connection = connect(url.href, { max: 20, bounds: patient, togetherMax: 1 });
  const close = async () => {
    await connection.close();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  };
  return { ...connection, url: url.href, close };
}
