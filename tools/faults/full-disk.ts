import { execFile } from "node:child_process";
import { chmod, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { databaseUrl } from "@/cli/bank/database-url";
import { stopLeftDatabase } from "@/e2e/harness/own-database";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import { readSettings } from "@/lib/config";
import { campaign, inFolder, PATIENCE_MS, type Size, timesOf } from "./campaign";
import type { Outcome } from "./journal";
import type { Run } from "./tpp";

const command = promisify(execFile);
/** A new PostgreSQL takes 50 MB; as many again are for what the run writes between two faults. */
const FILE_SYSTEM_MB = 256;
const FULL_MS = 3_000;
const REFILLED_EVERY_MS = 10;
const CHUNK = Buffer.alloc(64 * 1024);
/** Bounds for readiness to follow, in both directions: a crash recovery of PostgreSQL may lie between. */
const NOT_READY_WITHIN_MS = 1_500;
const READY_WITHIN_MS = 5_000;
/** A server that has not said "ready" for so long while the disk is full knows of it. */
const UNREADY_MS = 1_500;
const ASKED_EVERY_MS = 50;

/** Undefined where this process may mount a file system; otherwise why it may not. */
export async function noMount(): Promise<string | undefined> {
  return inFolder((folder) =>
    mounted(folder, async () => undefined).catch((error: Error) => error.message.trim()),
  );
}

/**
 * The file system of PostgreSQL runs full under clients that pay, is full for a while, and is emptied again. The server
 * has its own PostgreSQL there, which it starts again where a full disk has ended it.
 */
export function fullDisk(size: Size): Promise<Outcome> {
  return inFolder(async (dataDir) => {
    // The database's user has to come through.
    await chmod(dataDir, 0o711);
    const disk = join(dataDir, "pg");
    await mkdir(disk);
    return mounted(disk, async () => {
      const bank = await freshSettings(dataDir);
      const server = await startServer(bank);
      try {
        const url = await databaseUrl(readSettings({ DATA_DIR: dataDir }));
        return await campaign({
          ...{ clients: size.clients, mayFail: "a service", bank, databaseUrl: () => url },
          breakAgain: (run) =>
            timesOf(size, run, async () => {
              await whileFull(disk, () => becomesUnready(run, bank, size));
              await readyAgain(run, bank, size);
            }),
        });
      } finally {
        await server.stop();
        await stopLeftDatabase(dataDir);
      }
    });
  });
}

async function mounted<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  await command("mount", ["-t", "tmpfs", "-o", `size=${FILE_SYSTEM_MB}m`, "tmpfs", folder]);
  try {
    return await work();
  } finally {
    await command("umount", ["-l", folder]);
  }
}

/** What PostgreSQL gives back meanwhile, a segment of its log for instance, is taken again. */
async function whileFull(disk: string, work: () => Promise<void>): Promise<void> {
  const file = join(disk, "filling");
  const filling = await open(file, "w");
  let over = false;
  const fill = async () => {
    let bytes = CHUNK.byteLength;
    while (bytes >= 512) {
      const isWritten = await filling.write(CHUNK, 0, bytes).catch(() => undefined);
      if (isWritten === undefined) bytes /= 2;
    }
  };
  const keepFull = async () => {
    while (!over) {
      await fill();
      await sleep(REFILLED_EVERY_MS);
    }
  };
  await fill();
  const refilling = keepFull();
  try {
    await work();
  } finally {
    over = true;
    await refilling;
    await filling.close();
    await rm(file);
  }
}

/** Keeps the disk full until the server has known of it for a while. */
async function becomesUnready(
  { journal: { late } }: Run,
  bank: ServerSettings,
  { judgesTimes }: Pick<Size, "judgesTimes">,
): Promise<void> {
  const began = performance.now();
  const passed = () => performance.now() - began;
  let readyAt = 0;
  while (passed() < FULL_MS || (passed() < readyAt + UNREADY_MS && passed() < PATIENCE_MS)) {
    if (await isReady(bank)) readyAt = passed();
    await sleep(ASKED_EVERY_MS);
  }
  const isKnown = passed() >= readyAt + UNREADY_MS;
  if (!isKnown || (judgesTimes && readyAt > NOT_READY_WITHIN_MS)) {
    late.push(`ready ${Math.round(readyAt)} ms after the disk was full`);
  }
}

async function readyAgain(
  { journal: { tally, late } }: Run,
  bank: ServerSettings,
  { judgesTimes }: Pick<Size, "judgesTimes">,
): Promise<void> {
  const began = performance.now();
  const took = () => performance.now() - began;
  while (!(await isReady(bank)) && took() < PATIENCE_MS) await sleep(ASKED_EVERY_MS);
  const ms = Math.round(took());
  tally["slowest recovery in ms"] = Math.max(tally["slowest recovery in ms"], ms);
  if (ms > (judgesTimes ? READY_WITHIN_MS : PATIENCE_MS)) {
    late.push(`not ready for ${ms} ms with an empty disk`);
  }
}

async function isReady({ webPort }: ServerSettings): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${webPort}/health/ready`).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok === true;
}
