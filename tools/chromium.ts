import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "./run";

/** Debian's shell is the same browser without its windows, for little more than half the processor's time. */
const COMMANDS = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
] as const;
const ANSWER_LIMIT_MS = 30_000;

export type Chromium =
  | { readonly found: true; readonly path: string }
  | { readonly found: false; readonly reason: string };

/** A Chromium that starts: the one named, one on the PATH, Playwright's own, or one installed now. */
export async function provideChromium(env: NodeJS.ProcessEnv): Promise<Chromium> {
  const named = env["CHROMIUM_PATH"];
  if (named) {
    // Whoever names one means this one: another in its stead would test something else.
    if (answers(named, env)) return { found: true, path: named };
    return { found: false, reason: `CHROMIUM_PATH is ${named}, and no Chromium answers there.` };
  }
  const present = findChromium(env);
  if (present !== undefined) return { found: true, path: present };
  for (const [file, ...args] of installers(process.getuid?.() === 0)) {
    console.log(`No Chromium found; trying: ${file} ${args.join(" ")}`);
    await run(file, args, env);
    const installed = findChromium(env);
    if (installed !== undefined) return { found: true, path: installed };
  }
  return {
    found: false,
    reason:
      "There is no Chromium on the PATH, none of Playwright's own, and none could be installed: " +
      "install one and name it in CHROMIUM_PATH.",
  };
}

export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const folders = env["PATH"]?.split(delimiter).filter((folder) => folder !== "") ?? [];
  const onPath = COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, chromium.executablePath()].find((path) => answers(path, env));
}

/** Debian's and Ubuntu's folders hold stubs that only advise an installation: it must say its version. */
function answers(path: string, env: NodeJS.ProcessEnv): boolean {
  if (!existsSync(path)) return false;
  const said = spawnSync(path, ["--version"], { env, timeout: ANSWER_LIMIT_MS, encoding: "utf8" });
  return said.status === 0 && /Chrom(e|ium)\b.*\d+\.\d+/.test(said.stdout);
}

function installers(root: boolean): readonly (readonly [string, ...string[]])[] {
  const playwright = ["npx", "playwright", "install", "chromium"] as const;
  const withLibraries = ["npx", "playwright", "install", "--with-deps", "chromium"] as const;
  const debian = ["sh", "-c", "apt-get update && apt-get install -y chromium"] as const;
  // Without root the libraries need sudo, which may be missing; they may also be there already.
  return root ? [withLibraries, debian] : [withLibraries, playwright];
}
