import { chown, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { steadyPort } from "@/e2e/harness/steady-port";
import {
  type Account,
  databaseAccount,
  databaseName,
  type Programs,
  postgresPrograms,
  readPostmaster,
  run,
  superuser,
} from "@/lib/server/embedded-database";
import { isRunning } from "@/lib/server/lock-file";

/** One PostgreSQL of several that hold the same data: its port stays, its folder is made anew. */
export type Member = {
  /** Of the account that runs it, as all that lies in it. */
  readonly home: string;
  readonly cluster: string;
  readonly port: number;
  readonly as: Account;
  readonly programs: Programs;
};

export async function newMember(home: string, other = 0): Promise<Member> {
  const as = databaseAccount();
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (as.uid !== undefined && as.gid !== undefined) await chown(home, as.uid, as.gid);
  const programs = await postgresPrograms(home, as);
  return { home, cluster: join(home, "cluster"), port: await steadyPort(other), as, programs };
}

export function urlOf({ port }: Member, password: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

export async function startMember({ home, cluster, port, as, programs }: Member): Promise<void> {
  const log = join(home, "postgres.log");
  const options = ["-D", cluster, "-l", log, "-o", `-p ${port}`];
  const { code } = await run(programs.pgCtl, ["start", "-w", ...options], { as, cwd: home });
  if (code === 0) return;
  const said = await readFile(log, "utf8").catch(() => "no log");
  throw new Error(`PostgreSQL does not start:\n${said.slice(-2_000)}`);
}

export async function stopMember({ home, cluster, as, programs }: Member): Promise<void> {
  const options = ["stop", "-w", "-D", cluster, "-m", "immediate"];
  await run(programs.pgCtl, options, { as, cwd: home });
}

/** As if its machine had lost its power: every process at once, and no last words. */
export async function killMember({ cluster }: Member): Promise<void> {
  const found = await readPostmaster(cluster);
  if (found === undefined) throw new Error("there is no PostgreSQL to be killed");
  const processes = [found.pid, ...(await childrenOf(found.pid))];
  for (const pid of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself meanwhile.
    }
  }
  while (processes.some(isRunning)) await sleep(10);
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const));
  return parents.flatMap(([pid, its]) => (its === parent ? [pid] : []));
}

/** The second field after the name, which stands in parentheses and may hold anything. */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
