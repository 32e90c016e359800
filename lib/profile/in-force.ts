import { statSync } from "node:fs";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { log } from "@/lib/log";
import { readProfile } from "./read";

/** The demo bank's, where BANK_PROFILE names no other. */
export const DEMO_PROFILE = "examples/profiles/drawbridge-bank/bank.yaml";

/** How often the file is looked at. */
const LOOK_EVERY_MS = 500;

let known: { readonly file: string; readonly profile: AspspProfile } | undefined;

/**
 * The profile that is in force: the same object until the file has another content. A request asks once, and keeps what it
 * got to its end. Throws a ProfileError at the first call alone: of a new file with a mistake the mistake is logged, and the
 * profile before it stays.
 */
export function bankProfile(): AspspProfile {
  if (known === undefined) {
    const file = process.env["BANK_PROFILE"] || DEMO_PROFILE;
    const mark = markOf(file);
    known = { file, profile: readProfile(file) };
    follow(file, mark);
  }
  return known.profile;
}

/** By looking, since no file system tells of every way in which a file is replaced, a mounted one least of all. */
function follow(file: string, first: string): void {
  let read = first;
  let seen = first;
  const look = () => {
    const mark = markOf(file);
    // One that is being written may look whole: it has to be the same twice.
    if (mark !== read && mark === seen) {
      read = mark;
      readAgain(file);
    }
    seen = mark;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

function readAgain(file: string): void {
  try {
    known = { file, profile: readProfile(file) };
    log.info({ file }, "the bank's profile was read again");
  } catch (error) {
    const mistakes = error instanceof Error ? error.message.split("\n") : [];
    log.error({ mistakes }, "the bank's new profile is refused, and the one before stays in force");
  }
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
