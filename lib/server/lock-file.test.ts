import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startTimeOf, takeLock, takeOver } from "./lock-file";
import { temporaryFolder, unreapedProcess } from "./testing";

const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

async function processThatIsGone(): Promise<number | undefined> {
  const gone = spawn(process.execPath, ["--eval", ""]);
  await once(gone, "exit");
  return gone.pid;
}

const isFree = (taken: unknown) => typeof taken === "function";

describe("a lock that is a file", () => {
  it("is had by one of many that take it at once", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "lock");
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(file)));
    expect(taken.filter(isFree)).toHaveLength(1);
    expect(taken.find((one) => !isFree(one))).toEqual({ pid: process.pid });
    expect(await readdir(folder)).toEqual(["lock"]);
  });

  it("can be taken again once it was let go", async () => {
    const file = path.join(await temporaryFolder(), "lock");
    const first = await takeLock(file);
    if (typeof first === "function") await first();
    expect(isFree(await takeLock(file))).toBe(true);
  });

  it("is taken over from a process that is gone, by one of many that do so at once", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "lock");
    const gone = await processThatIsGone();
    for (let round = 0; round < 50; round += 1) {
      await writeFile(file, `${gone} ${round}`);
      const taken = await Promise.all(Array.from({ length: 8 }, () => takeLock(file)));
      expect(taken.filter(isFree)).toHaveLength(1);
      expect(await readdir(folder)).toEqual(["lock"]);
    }
    expect(await readFile(file, "utf8")).toMatch(new RegExp(`^${process.pid} `));
  });

  it("is taken over though one who took it over before died in the middle of it", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "lock");
    const gone = await processThatIsGone();
    await writeFile(file, `${gone} 1`);
    await writeFile(`${file}.after-${sha256Of(`${gone} 1`)}`, `${gone} 2`);
    expect(isFree(await takeLock(file))).toBe(true);
    expect(await readdir(folder)).toEqual(["lock"]);
  });

  it.runIf(process.platform === "linux")(
    "is taken over from a number that another process has by now",
    async () => {
      const file = path.join(await temporaryFolder(), "lock");
      await writeFile(file, `${process.pid} 1`);
      expect(isFree(await takeLock(file))).toBe(true);
    },
  );

  it.runIf(process.platform === "linux")(
    "is taken over from a zombie, and held by the same process before it was killed",
    async () => {
      const file = path.join(await temporaryFolder(), "lock");
      const { pid, kill } = await unreapedProcess();
      await writeFile(file, `${pid} ${startTimeOf(pid)}`);
      expect(await takeLock(file)).toEqual({ pid });
      await kill();
      expect(isFree(await takeLock(file))).toBe(true);
    },
  );

  it("without a starting time in it is held by the process of that number", async () => {
    const file = path.join(await temporaryFolder(), "lock");
    for (const name of [`${process.pid}`, `${process.pid} -`]) {
      await writeFile(file, name);
      expect(await takeLock(file)).toEqual({ pid: process.pid });
    }
  });

  it("is not taken from one who was faster to take it over", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "lock");
    await writeFile(file, "1234 fresh");
    expect(await takeOver(file, "1233 stale")).toEqual({ pid: 1_234 });
    expect(await readFile(file, "utf8")).toBe("1234 fresh");
    expect(await readdir(folder)).toEqual(["lock"]);
  });

  it("is taken over when nobody's name is in it", async () => {
    const file = path.join(await temporaryFolder(), "lock");
    await writeFile(file, "");
    expect(isFree(await takeLock(file))).toBe(true);
  });
});
