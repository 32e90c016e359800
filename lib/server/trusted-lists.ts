// biome-ignore-all lint/style/noRestrictedImports: the lists are fetched in a process that has no services

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { SettingError, type Settings } from "@/lib/config";
import {
  EU_LIST_OF_LISTS,
  type Followed,
  followLists,
  LIST_OF_LISTS,
} from "@/lib/eidas/followed-lists";
import { followedLists } from "@/lib/eidas/trusted-list";
import { replaceFile } from "@/lib/files";
import { log } from "@/lib/log";
import { guardedFetch } from "@/lib/outbound/guarded-fetch";
import { BUILT_SERVER } from "./build";
import { loadSettings, ROOT } from "./hosts";
import { repeat, type Step } from "./processes";
import { checkTrustAnchors } from "./tls";

/** The longest list has a tenth of this. */
const LIST_BYTES_MAX = 40_000_000;
const LIST_MILLISECONDS_MAX = 30_000;
/** Operators publish some times a month, and after an incident at once. */
const CHECK_HOURS = 6;
/** After an attempt at which not all of them were had. */
const RETRY_HOURS = 1;
const LOOK_SECONDS = 600;
/** A list that was not had for longer is an error in the log and an alert, while it is believed to its next update. */
export const STALE_HOURS = 24;
const HOUR_MS = 3_600_000;

const checksRead = z.object({
  /** When lists were last asked for, whatever came of it. */
  attemptedAt: z.iso.datetime(),
  /** By territory, when its list was last had and good; `EU`: the list of lists. */
  checkedAt: z.record(z.string(), z.iso.datetime()),
});
export type ListChecks = z.infer<typeof checksRead>;

const checksFile = (listsFile: string) => `${listsFile}.checks`;

/** What is known of the lists that are followed, and when they were checked; undefined where none was had yet. */
export async function readFollowed(listsFile: string) {
  const [lists, checks] = await Promise.all(
    [listsFile, checksFile(listsFile)].map((file) => readFile(file, "utf8").catch(() => undefined)),
  );
  if (lists === undefined || checks === undefined) return undefined;
  return { ...followedLists.parse(JSON.parse(lists)), ...checksRead.parse(JSON.parse(checks)) };
}

/** Before the first request: no start waits for lists while those that are known are believed. */
export async function haveTrustedLists(settings: Settings, now: Date): Promise<void> {
  const { TRUSTED_LISTS, TRUST_ANCHORS: file = "none" } = settings;
  if (TRUSTED_LISTS === undefined) return;
  const isKnown = checkTrustAnchors(file, { listSigners: undefined, now }).then(() => true);
  if (!(await isKnown.catch(() => false))) await updateTrustedLists(settings, now);
}

/**
 * Asks for the lists if that is due, and keeps what is good in DATA_DIR, where the servers find it: after a restart too, and
 * while the lists cannot be had. Throws a SettingError when nothing is known at all.
 */
export async function updateTrustedLists(settings: Settings, now: Date): Promise<void> {
  const { TRUST_ANCHORS: file, TRUSTED_LIST_SIGNERS: signers, TRUSTED_LISTS_URL } = settings;
  if (settings.TRUSTED_LISTS === undefined || file === undefined || signers === undefined) return;
  const known = await readFollowed(file).catch(() => undefined);
  if (known !== undefined && !isDue(known, now)) return;
  const url = TRUSTED_LISTS_URL ?? EU_LIST_OF_LISTS;
  const signersPem = await readFile(signers, "utf8").catch(() => {
    throw new SettingError(`TRUSTED_LIST_SIGNERS: ${signers} cannot be read`);
  });
  const found = await followLists({ fetchText: fetching(settings), url, signersPem, known, now });
  const at = now.toISOString();
  const checked = Object.fromEntries(found.checked.map((territory) => [territory, at]));
  const checks: ListChecks = { attemptedAt: at, checkedAt: { ...known?.checkedAt, ...checked } };
  logNotes(found, checks, now);
  if (found.lists === undefined || found.lists.lists.length === 0) {
    const [fault] = found.faults;
    const reason = fault?.reason ?? "no list is in date";
    throw new SettingError(`TRUSTED_LISTS: ${url} cannot be followed (${reason})`);
  }
  const text = `${JSON.stringify(found.lists)}\n`;
  const before = await readFile(file, "utf8").catch(() => undefined);
  if (text !== before) await replaceFile(file, text, 0o600);
  await replaceFile(checksFile(file), `${JSON.stringify(checks)}\n`, 0o600);
}

function fetching({ REVOCATION_ORIGINS, TRUSTED_LISTS_URL }: Settings) {
  // A mirror inside the bank is named by the bank.
  const own = TRUSTED_LISTS_URL === undefined ? [] : [new URL(TRUSTED_LISTS_URL).origin];
  const allowedOrigins = [...REVOCATION_ORIGINS, ...own];
  const fetchBytes = guardedFetch({ allowedOrigins, millisecondsMax: LIST_MILLISECONDS_MAX });
  return async (url: string): Promise<string> => {
    const bytes = await fetchBytes({ url, bytesMax: LIST_BYTES_MAX });
    return Buffer.from(bytes)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  };
}

function logNotes({ unfit, faults }: Followed, { checkedAt }: ListChecks, now: Date): void {
  for (const note of unfit) log.warn(note, "an issuer on a trusted list is not believed");
  for (const fault of faults) {
    const since = checkedAt[fault.territory];
    const known = { ...fault, checkedAt: since };
    if (since === undefined || isStale(since, now)) log.error(known, "a trusted list is stale");
    else log.warn(known, "a trusted list could not be renewed");
  }
}

function isDue({ attemptedAt, checkedAt, pointers }: NonNullable<Known>, now: Date): boolean {
  const wanted = [LIST_OF_LISTS, ...pointers.map(({ territory }) => territory)];
  const isWhole = wanted.every((territory) => {
    const at = checkedAt[territory];
    return at !== undefined && hoursSince(at, now) < CHECK_HOURS;
  });
  return !isWhole && hoursSince(attemptedAt, now) >= RETRY_HOURS;
}

type Known = Awaited<ReturnType<typeof readFollowed>>;

export function isStale(checkedAt: string, now: Date): boolean {
  return hoursSince(checkedAt, now) > STALE_HOURS;
}

/** A time that is still to come was noted while the clock was ahead, and says nothing: it is endlessly long ago. */
function hoursSince(at: string, now: Date): number {
  const hours = (now.getTime() - Date.parse(at)) / HOUR_MS;
  return hours < 0 ? Number.POSITIVE_INFINITY : hours;
}

/**
 * Follows the lists for as long as the server runs, in a process of its own each time: to verify a list of megabytes
 * takes seconds, in which this one could not answer.
 */
export function startTrustedLists({ TRUSTED_LISTS }: Pick<Settings, "TRUSTED_LISTS">): Step {
  if (TRUSTED_LISTS === undefined) return { finish: async () => undefined };
  const stopping = new AbortController();
  const turn = () =>
    new Promise<false>((done) => {
      const { signal } = stopping;
      const file = path.join(ROOT, BUILT_SERVER, "lists.mjs");
      const child = spawn(process.execPath, [file], { stdio: "inherit", signal });
      child.on("error", (err) => {
        if (!signal.aborted) log.error({ err }, "trusted lists could not be followed");
        done(false);
      });
      child.on("close", () => done(false));
    });
  const { stop } = repeat({ everySeconds: LOOK_SECONDS, turn });
  return {
    finish: () => {
      stopping.abort();
      return stop();
    },
  };
}

/** The process that follows them once. */
export async function runTrustedLists(): Promise<void> {
  await updateTrustedLists(loadSettings(), new Date()).catch((err: unknown) =>
    log.error({ err }, "trusted lists could not be followed"),
  );
}
