import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { checkVersion, migrate } from "./migrate";

async function emptyDatabase(): Promise<string> {
  const admin = postgres(inject("databaseUrl"), { max: 1 });
  const name = `test_${randomBytes(8).toString("hex")}`;
  await admin`create database ${admin(name)}`;
  onTestFinished(async () => {
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

describe("migrations", () => {
  it("are applied once when many servers start at once on an empty database", async () => {
    const url = await emptyDatabase();
    await Promise.all(Array.from({ length: 8 }, () => migrate(url)));
    const sql = postgres(url, { max: 1 });
    onTestFinished(() => sql.end());
    const rows = await sql`select hash from drizzle.__drizzle_migrations`;
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row["hash"])).size).toBe(rows.length);
  });

  it("leave an up-to-date database as it is", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    await migrate(url);
  });

  it("are not applied to a PostgreSQL that is too old", async () => {
    const url = await emptyDatabase();
    const sql = postgres(url, { max: 1 });
    onTestFinished(() => sql.end());
    // An old server is hard to come by: this database only says that it is one.
    await sql.unsafe(`
      create schema old;
      create function old.current_setting(text) returns text language sql as $$ select '14.21' $$;
      alter database ${new URL(url).pathname.slice(1)} set search_path = old, pg_catalog, public;
    `);
    await expect(migrate(url)).rejects.toThrow("PostgreSQL 14.21 is too old, 15 or newer");
  });

  it("fail for a database that cannot be reached, without its password", async () => {
    const failed = migrate("postgres://drawbridge:hunter2@127.0.0.1:1/drawbridge");
    await expect(failed).rejects.toThrow(/^(?!.*hunter2).*ECONNREFUSED/);
  });
});

describe("the version of PostgreSQL", () => {
  it.each(["15.0", "15beta1", "18.4", "18.4 (Debian 18.4-1)"])("%s will do", (version) => {
    expect(() => checkVersion(version)).not.toThrow();
  });

  it.each(["14.21", "9.6.24", "an unknown version", ""])("%s will not", (version) => {
    expect(() => checkVersion(version)).toThrow("15 or newer");
  });
});
