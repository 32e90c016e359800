import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runBank } from "@/cli/bank/testing";
import { previousRelease } from "@/tools/previous-release";
import { ROOT } from "@/tools/source-files";
import { booked, campaign, type Size, timesOf, type Verdict } from "./campaign";
import { IN_ORDER, startedAgain, withCluster } from "./outages";

const SERVERS = 2;

/** Two releases on one database: no request of a TPP or a PSU may fail, forth and back. */
export async function upgrade(size: Size): Promise<Verdict> {
  const { commit } = previousRelease;
  if (spawnSync("git", ["cat-file", "-e", commit], { cwd: ROOT }).status !== 0) {
    return { text: `NOT RUN: this clone does not have ${commit}`, passed: true };
  }
  const previous = { checkout: checkoutOf(commit) };
  // A sandbox migrates by itself; a bank's servers of this release do not.
  const settings = { ...IN_ORDER, MIGRATE_AT_START: "false" };
  const rolled = () =>
    withCluster({ ...previous, settings, count: SERVERS }, ({ bank, nodes }, database) =>
      campaign({
        ...{ clients: size.clients, mayFail: "nothing", bank, databaseUrl: () => database.url },
        breakAgain: async (run) => {
          const env = { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: "" };
          const { code, stdout, stderr } = await runBank(["migrate"], env);
          if (code !== 0) throw new Error(stderr);
          console.log(stdout);
          await timesOf(size, run, async (nth) => {
            const isForth = Math.floor(nth / SERVERS) % 2 === 0;
            await startedAgain(run, nodes[nth % SERVERS], isForth ? { checkout: ROOT } : previous);
          });
        },
      }),
    );
  return booked("two releases", rolled)(size);
}

/** Kept, with its build, for the next run. */
function checkoutOf(commit: string): string {
  const folder = join(ROOT, ".cache", "releases", commit);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const files = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync("tar", ["-x"], { cwd: unfinished, input: files });
  const dependencies = (root: string) =>
    Object.entries<string>(
      JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies,
    );
  const ours = new Map(dependencies(ROOT));
  // Its packages are ours unless a version differs; those that it does not name do not matter to it.
  if (dependencies(unfinished).every(([name, version]) => ours.get(name) === version)) {
    execFileSync("cp", ["-al", join(ROOT, "node_modules"), unfinished]);
  } else {
    execFileSync("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund"], { cwd: unfinished });
  }
  renameSync(unfinished, folder);
  return folder;
}
