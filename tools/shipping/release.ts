import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { released } from "./changelog";

const HELP = `npm run release -- VERSION [--dry-run]

Releases what stands below Unreleased in CHANGELOG.md, from a clean main: checks the tree (lint, types, npm test), writes the
version into package.json, the lock file, the chart and the changelog, builds dist/release (the notes, the SBOM in CycloneDX,
the chart with helm, the image with podman or docker), commits and tags. It pushes nothing, and says what to push.

  --dry-run  checks VERSION, changelog and tree, and prints the notes; changes nothing`;

const root = path.join(import.meta.dirname, "../..");
const out = path.join(root, "dist/release");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean" }, help: { type: "boolean", short: "h" } },
});
const [version] = positionals;

if (values.help === true || version === undefined) console.log(HELP);
else
  try {
    release(version);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }

function release(version: string): void {
  const changelogFile = path.join(root, "CHANGELOG.md");
  const today = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = released(readFileSync(changelogFile, "utf8"), version, today);
  if (git("status", "--porcelain") !== "")
    throw new Error("the tree has changes that are not committed");
  if (git("branch", "--show-current") !== "main") throw new Error("a release is made of main");
  if (git("tag", "--list", `v${version}`) !== "") throw new Error(`v${version} is there already`);
  if (values["dry-run"] === true) {
    console.log(notes);
    return;
  }
  for (const script of ["lint", "typecheck", "test"]) show("npm", "run", "--silent", script);

  writeFileSync(changelogFile, changelog);
  show("npm", "version", "--no-git-tag-version", version);
  replaceIn("deploy/helm/drawbridge/Chart.yaml", /^((?:appV|v)ersion): .*$/gm, `$1: ${version}`);
  build(version, notes);
  git("commit", "--all", "--message", `chore(release): release ${version}`);
  git(
    "tag",
    "--annotate",
    `v${version}`,
    "--file",
    path.join(out, "notes.md"),
    "--cleanup=verbatim",
  );
  console.log(`\nReleased ${version} as the tag v${version}, with dist/release. To publish it:`);
  console.log(`  git push origin main v${version}`);
}

/** In dist/release; what cannot be made for lack of a tool is said. */
function build(version: string, notes: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(path.join(out, "notes.md"), notes);
  const sbom = capture("npm", "sbom", "--sbom-format=cyclonedx");
  writeFileSync(path.join(out, "sbom.cdx.json"), sbom);
  if (has("helm")) show("helm", "package", "deploy/helm/drawbridge", "--destination", out);
  else console.log("Not installed: helm. The chart is not packaged.");
  // The program alone is not enough: docker may have no daemon.
  const builder = ["podman", "docker"].find((name) => spawnSync(name, ["info"]).status === 0);
  if (builder === undefined) console.log("Not to be had: podman, docker. No image is built.");
  else show(builder, "build", "--tag", `drawbridge:${version}`, ".");
}

function replaceIn(file: string, pattern: RegExp, by: string): void {
  const whole = path.join(root, file);
  writeFileSync(whole, readFileSync(whole, "utf8").replace(pattern, by));
}

function git(...args: readonly string[]): string {
  return capture("git", ...args).trim();
}

function capture(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

function show(program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`failed: ${program} ${args.join(" ")}`);
}

function has(program: string): boolean {
  return spawnSync(program, ["version"]).error === undefined;
}
