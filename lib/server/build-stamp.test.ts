import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { buildStamp } from "./build-stamp";
import { temporaryFolder } from "./testing/folder";

async function project(): Promise<string> {
  const root = await temporaryFolder();
  await mkdir(path.join(root, "lib/domain"), { recursive: true });
  await writeFile(path.join(root, "lib/domain/money.ts"), "one");
  await writeFile(path.join(root, "package-lock.json"), "{}");
  return root;
}

describe("the stamp of a build", () => {
  it("is the same for the same sources, wherever they are", async () => {
    expect(buildStamp(await project())).toBe(buildStamp(await project()));
  });

  it.each([
    "lib/domain/money.ts",
    "app/page.tsx",
    "next.config.ts",
    "package-lock.json",
    "postcss.config.mjs",
    "public/a",
  ])("changes with %s", async (file) => {
    const root = await project();
    const before = buildStamp(root);
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), "other");
    expect(buildStamp(root)).not.toBe(before);
  });

  it("changes when a file goes or gets another name", async () => {
    const root = await project();
    const before = buildStamp(root);
    await rm(path.join(root, "lib/domain/money.ts"));
    const without = buildStamp(root);
    await writeFile(path.join(root, "lib/domain/moneys.ts"), "one");
    expect(new Set([before, without, buildStamp(root)]).size).toBe(3);
  });

  it.each([
    "lib/domain/money.test.ts",
    "README.md",
    "node_modules/next/index.js",
    "public/built/psu.js",
  ])("does not change with %s", async (file) => {
    const root = await project();
    const before = buildStamp(root);
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), "other");
    expect(buildStamp(root)).toBe(before);
  });
});
