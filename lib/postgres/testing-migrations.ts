import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { inject, onTestFinished } from "vitest";
import { migrationsFolder } from "./migrate";
import { databaseOf } from "./testing-cluster";

const journal = JSON.parse(readFileSync(path.join(migrationsFolder, "meta/_journal.json"), "utf8"));
const tags = (journal as { entries: { tag: string }[] }).entries.map(({ tag }) => tag);

/** A database as it was before the migration, for one test, and what applies it, alone or with all after it. */
export async function databaseBefore(migration: string) {
  const at = tags.findIndex((tag) => tag.endsWith(`_${migration}`));
  if (at === -1) throw new Error(`there is no migration ${migration}`);
  const { sql, url } = await emptyDatabase();
  await apply(sql, tags.slice(0, at));
  return {
    sql,
    url,
    migrate: () => apply(sql, tags.slice(at, at + 1)),
    migrateToTheLast: () => apply(sql, tags.slice(at)),
  };
}

async function emptyDatabase() {
  const admin = postgres(inject("databaseUrl"), { max: 1 });
  const name = `test_${randomBytes(8).toString("hex")}`;
  await admin`create database ${admin(name)}`;
  const url = databaseOf(inject("databaseUrl"), name);
  const sql = postgres(url, { max: 1 });
  onTestFinished(async () => {
    await sql.end();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  return { sql, url };
}

async function apply(sql: postgres.Sql, migrations: readonly string[]): Promise<void> {
  for (const tag of migrations) {
    const text = readFileSync(path.join(migrationsFolder, `${tag}.sql`), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) await sql.unsafe(statement);
  }
}
