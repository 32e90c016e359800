import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { lockDataDir } from "./data-folder";
import { takeLock } from "./lock-file";
import { temporaryFolder } from "./testing";

vi.mock("./lock-file", { spy: true });

const HOUR_MS = 3_600_000;

async function folderHeldBy(pid: number | undefined): Promise<string> {
  const dataDir = await temporaryFolder();
  await writeFile(path.join(dataDir, "lock"), `${pid} -`);
  return dataDir;
}

function output() {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  return log;
}

it("a start waits for a server that is ending, says so once, and then has the folder", async () => {
  const ending = spawn("sleep", ["60"]);
  onTestFinished(() => void ending.kill());
  const dataDir = await folderHeldBy(ending.pid);
  const said = output();
  const look = vi.mocked(takeLock).mockClear();
  const locked = lockDataDir(dataDir, HOUR_MS);
  await vi.waitFor(() => expect(look.mock.calls.length).toBeGreaterThan(2), { timeout: 30_000 });
  ending.kill("SIGKILL");
  await once(ending, "exit");
  const unlock = await locked;
  const server = `another server (process ${ending.pid})`;
  expect(said.mock.calls).toEqual([
    [`DATA_DIR: ${dataDir} is in use by ${server}; waiting 3600 s for it to end`],
  ]);
  expect(await readFile(path.join(dataDir, "lock"), "utf8")).toMatch(`${process.pid} `);
  await unlock();
});

it("a start gives up on a server that goes on", async () => {
  const dataDir = await folderHeldBy(process.pid);
  output();
  const refusal = `DATA_DIR: ${dataDir} is in use by another server (process ${process.pid})`;
  await expect(lockDataDir(dataDir, 1)).rejects.toThrow(refusal);
  expect(await readFile(path.join(dataDir, "lock"), "utf8")).toBe(`${process.pid} -`);
});
