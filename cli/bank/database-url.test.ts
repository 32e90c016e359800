import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "@/lib/config";
import { startEmbeddedDatabase } from "@/lib/server/embedded-database";
import { databaseUrl } from "./database-url";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-bank-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1 });
  try {
    const [row] = await sql`select 1 as one`;
    return row?.["one"] === 1;
  } finally {
    await sql.end();
  }
}

describe("the database of a command", () => {
  it("is DATABASE_URL where there is one", async () => {
    const url = "postgres://bank@db.example/drawbridge";
    expect(await databaseUrl(readSettings({ DATABASE_URL: url }))).toBe(url);
  });

  it("is the server's own while that runs, and none before and after", async () => {
    const dataDir = await temporaryFolder();
    const settings = readSettings({ DATA_DIR: dataDir });
    const missing = `no database runs on ${dataDir}: start the server first (npm start)`;
    await expect(databaseUrl(settings)).rejects.toThrow(missing);
    const server = await startEmbeddedDatabase({ dataDir });
    onTestFinished(() => server.stop());
    expect(await databaseUrl(settings)).toBe(server.serverUrl);
    expect(await answers(server.serverUrl)).toBe(true);
    await server.stop();
    await expect(databaseUrl(settings)).rejects.toThrow(missing);
  });

  it.runIf(process.getuid?.() === 0)("is found where root had to put it elsewhere", async () => {
    const closed = await temporaryFolder();
    const dataDir = path.join(closed, "data");
    await mkdir(dataDir);
    await chmod(closed, 0o700);
    const server = await startEmbeddedDatabase({ dataDir });
    onTestFinished(async () => {
      await server.stop();
      const home = (await readFile(path.join(dataDir, "pg"), "utf8")).trim();
      await rm(home, { recursive: true, force: true });
    });
    expect(await databaseUrl(readSettings({ DATA_DIR: dataDir }))).toBe(server.serverUrl);
  });
});
