import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { table } from "@/cli/tpp/table";
import { granted, http, xs2a } from "@/clients/typescript/src";
import { consentRequest } from "@/e2e/harness/consent-request";
import { residentOf, sumOf } from "@/e2e/harness/processes";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import { testTpp } from "@/e2e/harness/test-tpp";
import { inFolder, type Size, type Verdict } from "./campaign";
import type { Hostile } from "./hostile-process";
import { type Asked, askAtRate, numbers, quantile, timeLimit } from "./measuring";

const STALLED_SOCKETS = 500;
/** Requests a second of a TPP that behaves. */
const RATE = 40;
/** At first, so that the server has the memory and the code that a busy one has. */
const WARMING_RATE = 300;
/** In turn, so that what else the machine does falls on both. */
const [ROUNDS, ROUNDS_FULL] = [3, 5];
const SETTLING_MS = 3_000;
/** Of the 99th percentile, within one run. */
const SLOWER_AT_MOST = 1.5;
/** Memory at the end by memory at the beginning. In a short run it still grows, with hostile clients and without. */
const [GROWN_AT_MOST, GROWN_AT_MOST_FULL] = [1.3, 1.1];

const ALONE = "alone";
const BESIDE = "beside hostile clients";
/** What a client that behaves was answered for a while. */
export type Phase = Asked & {
  readonly name: typeof ALONE | typeof BESIDE;
  /** The server's share of one core. */
  readonly busy: number;
  /** Connections that hostile clients have made. */
  readonly attacks: number;
  /** Of the server, at the end. */
  readonly megabytes: number;
};

/** Clients that stall, trickle, pour and nest beside one that behaves; `faults` counts seconds a phase. */
export function slowClients(size: Size): Promise<Verdict> {
  const { faults: seconds, hostileCores, judgesTimes, signal } = size;
  // The hostile clients have the certificate of the one that behaves.
  const shared = { TPP_REQUESTS_PER_MINUTE: "100000000" };
  return besideTpp(shared, async ({ ask, hostile, pid }) => {
    const phases: Phase[] = [];
    const phase = async (name: Phase["name"], kept: boolean, opened = () => 0) => {
      await sleep(SETTLING_MS, undefined, { signal });
      const [began, before, openedBefore] = [performance.now(), await cpuOf(pid), opened()];
      const asked = await askAtRate(seconds, kept ? RATE : WARMING_RATE, ask);
      const busy = ((await cpuOf(pid)) - before) / (performance.now() - began);
      const attacks = opened() - openedBefore;
      if (kept) phases.push({ name, ...asked, busy, attacks, megabytes: await residentOf(pid) });
    };
    // The first of each only warms up.
    for (let round = 0; round <= (judgesTimes ? ROUNDS_FULL : ROUNDS); round += 1) {
      await phase(ALONE, round > 0);
      const { stop, opened } = await begin({ ...hostile, sockets: STALLED_SOCKETS }, hostileCores);
      await phase(BESIDE, round > 0, opened).finally(stop);
    }
    return verdictOf(phases, judgesTimes);
  });
}

/**
 * Judges ratios only: how fast the machine is says nothing about the server. Two 99th percentiles of some hundred
 * requests differ by more than half for reasons of the machine's, so that their ratio decides in a long run alone.
 */
export function verdictOf(phases: readonly Phase[], judgesTimes: boolean): Verdict {
  const [alone, beside] = [ALONE, BESIDE].map((name) => phases.filter((one) => one.name === name));
  const slower = p99(beside) / p99(alone);
  const memory = (phase: Phase | undefined) => phase?.megabytes ?? Number.NaN;
  const grown = memory(beside?.at(-1)) / memory(beside?.[0]);
  const failed = phases.reduce((sum, phase) => sum + phase.failed, 0);
  const attacks = Math.min(...(beside ?? []).map((phase) => phase.attacks));
  const limit = timeLimit(SLOWER_AT_MOST, judgesTimes);
  const grownAtMost = judgesTimes ? GROWN_AT_MOST_FULL : GROWN_AT_MOST;
  const lines = [
    ["p99 beside hostile clients / alone", slower.toFixed(2), limit],
    ["memory at the end / at the beginning", grown.toFixed(2), `${grownAtMost} at most`],
    ["requests failed", String(failed), "0"],
    ["hostile connections in a phase, at least", String(attacks), "1 at least"],
  ];
  const headings = ["requests", "failed", "p50 ms", "p99 ms", "CPU %", "memory MB", "attacks"];
  const rows = phases.map(({ name, busy, megabytes, attacks, ...asked }) => [
    ...[name, ...shown(asked), (100 * busy).toFixed(0), megabytes.toFixed(0), String(attacks)],
  ]);
  const attacked = Number.isFinite(attacks) && attacks > 0;
  const isFast = slower <= SLOWER_AT_MOST || (!judgesTimes && !Number.isNaN(slower));
  const passed = isFast && grown <= grownAtMost && failed === 0 && attacked;
  const judged = table(numbers(["Ratio in this run", "is", "may be"]), lines);
  return { text: `${table(numbers(["Phase", ...headings]), rows)}\n\n${judged}`, passed };
}

const shown = ({ milliseconds, failed }: Asked) => [
  ...[String(milliseconds.length), String(failed)],
  ...[quantile(milliseconds, 0.5).toFixed(1), quantile(milliseconds, 0.99).toFixed(1)],
];

/**
 * The median of the phases' own: what hostile clients do shows in each of them, and what else the machine does for a
 * moment in one or two.
 */
function p99(phases: readonly Phase[] = []): number {
  const each = phases.map(({ milliseconds }) => quantile(milliseconds, 0.99));
  return each.some(Number.isNaN) ? Number.NaN : quantile(each, 0.5);
}

/** More than a host takes. */
const IDLE_CONNECTIONS = 1_200;
/** Until as many are open as can be. */
const OPENING_MS = 8_000;
const IDLE_RATE = 20;
/** One in so many requests is sent over a connection of its own. */
const ANEW_ONE_IN = 4;

/** Idle TLS connections fill a host beside a TPP that behaves; `faults` counts seconds a phase. */
export function idleConnections({ faults: seconds, hostileCores, signal }: Size): Promise<Verdict> {
  return besideTpp({}, async ({ ask, askAnew, hostile }) => {
    const askBoth = (nth: number) => (nth % ANEW_ONE_IN === 0 ? askAnew() : ask());
    const askFor = () => askAtRate(seconds, IDLE_RATE, askBoth);
    const rows = [{ name: ALONE, opened: IDLE_CONNECTIONS, asked: await askFor() }];
    for (const idleFrom of [1, 8]) {
      const idle = { ...hostile, sockets: IDLE_CONNECTIONS, idleFrom };
      const { opened, stop } = await begin(idle, hostileCores);
      try {
        await sleep(OPENING_MS, undefined, { signal });
        const asked = await askFor();
        rows.push({ name: `idle ones of ${idleFrom}`, opened: opened(), asked });
      } finally {
        await stop();
      }
    }
    const cells = rows.map(({ name, opened, asked }) => [name, ...shown(asked), String(opened)]);
    const passed = rows.every(
      ({ opened, asked: { milliseconds, failed } }) =>
        opened >= IDLE_CONNECTIONS && failed === 0 && milliseconds.length > 0,
    );
    const headings = ["Phase", "answered", "failed", "p50 ms", "p99 ms", "opened"];
    return { text: table(numbers(headings), cells), passed };
  });
}

type Beside = {
  readonly ask: () => Promise<{ readonly status: number }>;
  /** Over a connection of its own. */
  readonly askAnew: () => Promise<{ readonly status: number }>;
  readonly hostile: Omit<Hostile, "sockets">;
  readonly pid: number;
};

/** A bank of its own, and a TPP that asks for the status of its consent. */
function besideTpp(
  shared: NonNullable<ServerSettings["shared"]>,
  work: (beside: Beside) => Promise<Verdict>,
): Promise<Verdict> {
  return inFolder(async (dataDir) => {
    const bank = { ...(await freshSettings(dataDir)), shared };
    const server = await startServer(bank);
    try {
      const tpp = await testTpp({ bank, roles: ["PSP_AI"] });
      const { qwac, ca } = tpp.certificates;
      const { consentId } = granted(await tpp.bank.createConsent(consentRequest(), tpp));
      const verdict = await work({
        ask: () => tpp.bank.consentStatus(consentId),
        askAnew: () => {
          const own = http({ certificate: qwac, ca });
          const api = xs2a({ url: bank.xs2aUrl, http: own, seal: tpp.seal });
          return api.consentStatus(consentId).finally(() => own.close());
        },
        hostile: { ...bank, ...tpp.certificates },
        pid: server.pid,
      });
      await tpp.close();
      return verdict;
    } finally {
      await server.stop();
    }
  });
}

/** How many connections there have been is of a moment ago. */
async function begin(hostile: Hostile, cores: string | undefined) {
  const { told, stop } = await beginProcess<number>("hostile-process.ts", hostile, cores);
  return { opened: told, stop };
}

/** Hostile clients in a process of their own, which tells again and again what it has done. */
export async function beginProcess<Told>(file: string, given: object, cores: string | undefined) {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  let told: Told | undefined;
  child.on("message", (said) => {
    told = said as Told;
  });
  // All threads. Throws where the cores are none of this machine's, or it has no taskset.
  if (cores !== undefined) await promisify(execFile)("taskset", ["-acp", cores, `${child.pid}`]);
  child.send(given);
  await Promise.race([once(child, "message"), ended]);
  return {
    told: (): Told => {
      if (told === undefined) throw new Error("the hostile clients have not begun");
      return told;
    },
    stop: async () => {
      if (child.exitCode !== null) throw new Error("the hostile clients ended by themselves");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Milliseconds of all cores, of the server and its hosts; the system counts in hundredths of a second. */
function cpuOf(server: number): Promise<number> {
  return sumOf(server, "stat", (stat) => {
    // The name before stands in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  });
}
