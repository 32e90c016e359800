import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { makeCertificates } from "@/cli/tpp/certificates";
import { http } from "@/cli/tpp/http";
import { granted } from "@/cli/tpp/reply";
import { seal } from "@/cli/tpp/signing";
import { type Xs2a, xs2a } from "@/cli/tpp/xs2a";
import { consentRequest } from "@/e2e/harness/consent-request";
import { childrenOf } from "@/e2e/harness/processes";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import type { Size } from "./campaign";
import type { Hostile } from "./hostile-process";
import { inFolder } from "./in-folder";
import { type Phase, type Verdict, verdictOf } from "./phases";

const STALLED_SOCKETS = 500;
/** Requests a second of a TPP that behaves. */
const RATE = 40;
/** At first, so that the server has the memory and the code that a busy one has. */
const WARMING_RATE = 300;
/** In turn, so that what else the machine does falls on both. */
const ROUNDS = 5;
const SETTLING_MS = 3_000;

/** Clients that stall, trickle, pour and nest beside one that behaves; `faults` counts seconds a phase. */
export function slowClients(size: Size): Promise<Verdict> {
  const { faults: seconds, hostileCores, judgesTimes, signal } = size;
  return inFolder(async (dataDir) => {
    // The hostile clients have the certificate of the one that behaves.
    const shared = { TPP_REQUESTS_PER_MINUTE: "100000000" };
    const bank = { ...(await freshSettings(dataDir)), shared };
    const server = await startServer(bank);
    try {
      const { api, certificates, consentId, close } = await behaved(bank);
      const hostile = { ...bank, ...certificates, sockets: STALLED_SOCKETS };
      const phases: Phase[] = [];
      const phase = async (name: Phase["name"], kept: boolean, opened = () => 0) => {
        await sleep(SETTLING_MS, undefined, { signal });
        const [began, before] = [performance.now(), await sumOf(cpuOf, server.pid)];
        const openedBefore = opened();
        const times = await ask(api, consentId, seconds, kept ? RATE : WARMING_RATE);
        const busy = ((await sumOf(cpuOf, server.pid)) - before) / (performance.now() - began);
        const attacks = opened() - openedBefore;
        const megabytes = await sumOf(residentOf, server.pid);
        if (kept) phases.push({ name, ...times, busy, attacks, megabytes });
      };
      // The first of each only warms up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        await phase("alone", round > 0);
        const { stop, opened } = await begin(hostile, hostileCores);
        await phase("beside hostile clients", round > 0, opened).finally(stop);
      }
      await close();
      return verdictOf(phases, judgesTimes);
    } finally {
      await server.stop();
    }
  });
}

/** A TPP with a consent of its own. */
export async function behaved(bank: ServerSettings) {
  const organisation = { id: "PSDRO-NBR-1000001", name: "Patient TPP", roles: ["PSP_AI"] } as const;
  const certificates = await makeCertificates(bank.dataDir, organisation);
  const { qwac, qseal, ca } = certificates;
  const connection = http({ certificate: qwac, ca });
  const api = xs2a({ url: bank.xs2aUrl, http: connection, seal: seal(qseal.pem, qseal.key) });
  const { consentId } = granted(
    await api.createConsent(consentRequest(), { redirectUri: "http://localhost:9/back" }),
  );
  /** Over a connection of its own. */
  const askAnew = async () => {
    const own = http({ certificate: qwac, ca });
    const answer = xs2a({ url: bank.xs2aUrl, http: own, seal: seal(qseal.pem, qseal.key) });
    return answer.consentStatus(consentId).finally(() => own.close());
  };
  return { api, certificates, consentId, askAnew, close: () => connection.close() };
}

/** At a steady rate, whether or not answers have come: a slow server is not spared. */
async function ask(api: Xs2a, consentId: string, seconds: number, rate: number) {
  const milliseconds: number[] = [];
  let failed = 0;
  const one = async () => {
    const began = performance.now();
    const answer = await api.consentStatus(consentId).catch(() => undefined);
    if (answer?.status === 200) milliseconds.push(performance.now() - began);
    else failed += 1;
  };
  const asked: Promise<void>[] = [];
  const began = performance.now();
  for (let nth = 0; nth < rate * seconds; nth += 1) {
    await sleep(Math.max(0, began + (nth * 1_000) / rate - performance.now()));
    asked.push(one());
  }
  await Promise.all(asked);
  return { milliseconds, failed };
}

type Attack = {
  /** How many connections there have been, as of a moment ago. */
  readonly opened: () => number;
  readonly stop: () => Promise<void>;
};

export async function begin(hostile: Hostile, cores: string | undefined): Promise<Attack> {
  const child = fork(join(import.meta.dirname, "hostile-process.ts"), {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  let opened = 0;
  child.on("message", (count) => {
    opened = Number(count);
  });
  if (cores !== undefined) await runOn(cores, Number(child.pid));
  child.send(hostile);
  await Promise.race([once(child, "message"), ended]);
  return {
    opened: () => opened,
    stop: async () => {
      if (child.exitCode !== null) throw new Error("the hostile clients ended by themselves");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** All threads of the process. Throws where the cores are none of this machine's, or it has no taskset. */
async function runOn(cores: string, pid: number): Promise<void> {
  await promisify(execFile)("taskset", ["-acp", cores, String(pid)]);
}

/** Over the process that was started and its hosts. */
async function sumOf(of: (pid: number) => Promise<number>, server: number): Promise<number> {
  const all = await Promise.all([server, ...childrenOf(server)].map(of));
  return all.reduce((sum, one) => sum + one, 0);
}

/** Milliseconds of all cores; the system counts in hundredths of a second. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name before stands in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}
