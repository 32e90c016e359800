import { readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { keepSecret } from "./data-folder";
import { temporaryFolder } from "./testing";

describe("a secret in a file", () => {
  it("is made once, and only its owner may read it", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "secret");
    expect(await keepSecret(file, () => "first")).toBe("first");
    expect(await keepSecret(file, () => "second")).toBe("first");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["secret"]);
  });

  it("is the same for all that make it at once", async () => {
    const file = path.join(await temporaryFolder(), "secret");
    const made = Array.from({ length: 20 }, (_, number) => keepSecret(file, () => `${number}`));
    expect(new Set(await Promise.all(made)).size).toBe(1);
  });

  it("is not replaced when it cannot be read", async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, "file"), "");
    const inAFile = path.join(folder, "file", "secret");
    await expect(keepSecret(inAFile, () => "new")).rejects.toThrow("ENOTDIR");
  });
});
