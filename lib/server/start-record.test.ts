import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Config } from "@/lib/config";
import { testDatabase } from "@/lib/postgres/testing";
import { secretNames } from "@/lib/secrets";
import { startRecord } from "./start-record";

it("a key that is replaced while a server runs is recorded once, also when a server starts again", async () => {
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-keys-"));
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const TOKEN_SIGNING_KEY = join(folder, "token.key");
  const secrets = Object.fromEntries(secretNames.map((name) => [name, "0".repeat(64)]));
  // Of the other host: this one need not be able to read it.
  const XS2A_TLS_KEY = join(folder, "of-the-tpp-host.key");
  const keys = { TOKEN_SIGNING_KEY, XS2A_TLS_KEY };
  const config = { ...secrets, ...keys, DATABASE_URL: database.url } as Config;
  const recorded = (kind: string, count: number) =>
    vi.waitFor(
      async () => {
        const events = await database.sql`select detail from event where kind = ${kind}`;
        expect(events).toHaveLength(count);
      },
      { timeout: 30_000 },
    );
  const startAgain = async (nth: number) => {
    const server = startRecord("tpp", config);
    await recorded("server-started", nth);
    return server;
  };
  await writeFile(TOKEN_SIGNING_KEY, "of November");
  const first = await startAgain(1);
  await writeFile(TOKEN_SIGNING_KEY, "of December");
  await recorded("key-changed", 1);
  await first.finish();
  await (await startAgain(2)).finish();
  await recorded("key-changed", 1);
  await writeFile(TOKEN_SIGNING_KEY, "of January");
  await (await startAgain(3)).finish();
  await recorded("key-changed", 2);
});
