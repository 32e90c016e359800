import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { takeAway, takeLock } from "./lock-file";
import { temporaryFolder } from "./testing/folder";

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

  it("is taken over from a process that is gone", async () => {
    const file = path.join(await temporaryFolder(), "lock");
    const gone = spawn(process.execPath, ["--eval", ""]);
    await once(gone, "exit");
    await writeFile(file, `${gone.pid} 1`);
    for (let round = 0; round < 20; round += 1) {
      await writeFile(file, `${gone.pid} ${round}`);
      const taken = await Promise.all(Array.from({ length: 4 }, () => takeLock(file)));
      expect(taken.filter(isFree)).toHaveLength(1);
    }
    expect(await readFile(file, "utf8")).toMatch(new RegExp(`^${process.pid} `));
  });

  it.runIf(process.platform === "linux")(
    "is taken over from a number that another process has by now",
    async () => {
      const file = path.join(await temporaryFolder(), "lock");
      await writeFile(file, `${process.pid} 1`);
      expect(isFree(await takeLock(file))).toBe(true);
    },
  );

  it("is not taken from one who was faster to take it over", async () => {
    const file = path.join(await temporaryFolder(), "lock");
    await writeFile(file, "1234 fresh");
    await takeAway(file, "1234 stale");
    expect(await readFile(file, "utf8")).toBe("1234 fresh");
  });

  it("is taken over when nobody's name is in it", async () => {
    const file = path.join(await temporaryFolder(), "lock");
    await writeFile(file, "");
    expect(isFree(await takeLock(file))).toBe(true);
  });
});
