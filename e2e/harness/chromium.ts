import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/** Debian's shell is the same browser without its windows, for little more than half the processor's time. */
const COMMANDS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const ANSWER_LIMIT_MS = 30_000;

/** Pages are small, many and short: what a browser keeps ready for long ones costs more than they do. */
const LIGHT = [
  "--process-per-site",
  "--renderer-process-limit=1",
  "--in-process-gpu",
  "--disable-features=SpareRendererForSitePerProcess",
];

/**
 * A Chromium that starts: the one named, one on the PATH, Playwright's own, or one installed now. It is named in
 * the environment, so that Playwright's workers do not look for it again.
 */
export function chromiumPath(): string {
  const named = process.env["CHROMIUM_PATH"];
  const path = named !== undefined && named !== "" ? named : (present() ?? installed());
  if (path === undefined) {
    throw new Error("no Chromium found, and none could be installed: name one in CHROMIUM_PATH");
  }
  process.env["CHROMIUM_PATH"] = path;
  return path;
}

function present(): string | undefined {
  const folders = process.env["PATH"]?.split(delimiter) ?? [];
  const onPath = COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, chromium.executablePath()].find(answers);
}

/** Ubuntu has stubs of these names that only advise an installation: it must say its version. */
function answers(path: string): boolean {
  if (!existsSync(path)) return false;
  const said = spawnSync(path, ["--version"], { timeout: ANSWER_LIMIT_MS, encoding: "utf8" });
  return said.status === 0 && /Chrom(e|ium)\b.*\d+\.\d+/.test(said.stdout);
}

/** Without root the libraries need sudo, which may be missing; they may also be there already. */
function installed(): string | undefined {
  const asRoot = "apt-get update && apt-get install -y chromium";
  const last = process.getuid?.() === 0 ? asRoot : "npx playwright install chromium";
  for (const command of ["npx playwright install --with-deps chromium", last]) {
    // Not among what is said on stdout, which may be a report.
    console.error(`No Chromium found; trying: ${command}`);
    spawnSync(command, { shell: true, stdio: ["ignore", 2, 2] });
    const found = present();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No calls of the browser's own, and no sandbox of its own where root could not have one. */
export function chromiumArguments(): string[] {
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return [
    ...asRoot,
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    ...LIGHT,
  ];
}
