import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Database } from "@/lib/postgres/client";
import { listEvents } from "@/lib/postgres/events";
import { testDatabase } from "@/lib/postgres/testing";
import { asOperator, operator } from "./operator";

it("a command's statements name its operator and reason, and its session names neither: a pooler shares it", async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("DATA_DIR", path.join(tmpdir(), "drawbridge-nowhere"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const acting = async (db: Pick<Database, "execute">) =>
    (
      await db.execute(sql`select nullif(current_setting('drawbridge.actor', true), '') as actor,
        nullif(current_setting('drawbridge.reason', true), '') as reason`)
    )[0];
  const found = await asOperator({ command: "tpp block", reason: "a complaint" }, async (db) => [
    await acting(db),
    await db.transaction(async (tx) => {
      // What follows is outside of any transaction, on the same session.
      await tx.execute(sql`commit`);
      return acting(tx);
    }),
  ]);
  const named = { actor: operator(), reason: "a complaint" };
  expect(found).toEqual([named, { actor: null, reason: null }]);
  const [event] = await listEvents(database.db, { kind: "operator-command" }, { limit: 9 });
  expect(JSON.parse(event?.line ?? "{}")).toMatchObject({
    actor: named.actor,
    detail: { command: "tpp block", reason: named.reason },
  });
});

it("a user whom the system has no name for is named by the number", () => {
  const nameless = () => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  };
  expect(operator(nameless)).toBe(`uid-${process.getuid?.()}@${hostname()}`);
});
