import { statSync } from "node:fs";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { log } from "@/lib/log";
import { type BankFile, readBankFile } from "./read";

/** The demo bank's, where BANK_PROFILE names no other. */
export const DEMO_PROFILE = "examples/profiles/drawbridge-bank/bank.yaml";

/** How often the file is looked at. */
const LOOK_EVERY_MS = 500;

let known: BankFile | undefined;

/**
 * The profile that is in force: the same object until the file has another content. A request asks once, and keeps what it
 * got to its end. Throws a ProfileError at the first call alone: of a new file with a mistake the mistake is logged, and the
 * profile before it stays.
 */
export function bankProfile(): AspspProfile {
  return bankFile().profile;
}

/** The same with the theme and the texts. */
export function bankFile(): BankFile {
  if (known === undefined) {
    known = readBankFile(process.env["BANK_PROFILE"] || DEMO_PROFILE);
    follow(known.paths);
  }
  return known;
}

/** By looking, since no file system tells of every way in which a file is replaced, a mounted one least of all. */
function follow(first: readonly string[]): void {
  let paths = first;
  let read = marksOf(paths);
  let seen = read;
  const look = () => {
    const mark = marksOf(paths);
    // One that is being written may look whole: it has to be the same twice.
    const isNew = mark !== read && mark === seen;
    if (isNew) paths = readAgain(paths);
    seen = isNew ? marksOf(paths) : mark;
    if (isNew) read = seen;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

/** The files that are to be looked at from now on. */
function readAgain([file = DEMO_PROFILE, ...named]: readonly string[]): readonly string[] {
  try {
    known = readBankFile(file);
    log.info({ file }, "the bank's profile was read again");
    return known.paths;
  } catch (error) {
    const mistakes = error instanceof Error ? error.message.split("\n") : [];
    log.error({ mistakes }, "the bank's new profile is refused, and the one before stays in force");
    return [file, ...named];
  }
}

function marksOf(paths: readonly string[]): string {
  return paths.map(markOf).join();
}

/** Of its content as the file system knows it. */
function markOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return [mtimeMs, size, ino].join();
  } catch {
    return "unreadable";
  }
}
