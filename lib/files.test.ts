import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { followFiles, replaceFile, watchFiles } from "./files";
import { log } from "./log";

it("what a file holds is read again when it changes, and a mistake in it leaves what was read before", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "key");
  await writeFile(file, "1");
  const refused = vi.spyOn(log, "error").mockImplementation(() => undefined);
  onTestFinished(() => refused.mockRestore());
  const value = followFiles({
    what: "A_KEY",
    files: [file, undefined],
    read: () => {
      const number = Number(readFileSync(file, "utf8"));
      if (Number.isNaN(number)) throw new Error("no number");
      return { number };
    },
  });
  const first = value();
  expect([first, value() === first]).toEqual([{ number: 1 }, true]);
  await replaceFile(file, "none");
  const waiting = { timeout: 30_000 };
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), waiting);
  expect(refused.mock.calls[0]?.[0]).toEqual({ what: "A_KEY", reason: "no number" });
  expect(value()).toBe(first);
  await replaceFile(file, "2");
  await vi.waitFor(() => expect(value()).toEqual({ number: 2 }), waiting);
});

it("a file that is replaced while the others are read is read again", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [cert, key] = [path.join(folder, "cert"), path.join(folder, "key")];
  for (const file of [cert, key]) writeFileSync(file, "first");
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const read: string[] = [];
  const stop = watchFiles(
    () => [cert, key],
    () => {
      read.push([cert, key].map((file) => readFileSync(file, "utf8")).join());
      if (read.length === 1) writeFileSync(key, "replaced");
    },
  );
  onTestFinished(stop);
  writeFileSync(cert, "replaced");
  vi.advanceTimersByTime(10_000);
  expect(read).toEqual(["replaced,first", "replaced,replaced"]);
});
