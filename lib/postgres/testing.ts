import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { type Connection, clientOptions, connect } from "./client";
import type { Bounds } from "./connections";

export type TestDatabase = Connection & {
  readonly sql: postgres.Sql;
  /** Of the role that the server runs as, as `db` is. */
  readonly url: string;
  /** Of the role that owns the tables, as `sql` is. */
  readonly ownerUrl: string;
};

export type TestSettings = Partial<Parameters<typeof connect>[1]>;

/** Milliseconds: however long a busy machine takes over a thousand calls at once, it is no outage. */
const patient: Bounds = { connect: 10_000, wait: 60_000, answer: 60_000, rest: 5_000 };

/**
 * A migrated database of its own for one test file; `close` drops it. `db` is of the role that the server runs as, and
 * `sql` of the owner, to prepare and look at what no server may; `settings` are of the former. Twenty connections, so that racing calls really run
 * side by side.
 */
export async function testDatabase(settings: TestSettings = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => undefined });
  await admin`create database ${admin(name)} template ${admin(inject("templateDatabase"))}`;
  const [url, ownerUrl] = [inject("serverUrl"), inject("databaseUrl")].map(
    (one) => Object.assign(new URL(one), { pathname: `/${name}` }).href,
  ) as [string, string];
  const server = connect(url, { max: 20, bounds: patient, ...settings });
  const sql = postgres(ownerUrl, { ...clientOptions, max: 20 });
  const close = async () => {
    await Promise.all([server.close(), sql.end({ timeout: patient.rest / 1_000 })]);
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  };
  return { db: server.db, sql, url, ownerUrl, close };
}
