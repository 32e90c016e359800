import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { log } from "@/lib/log";

const LOOK_EVERY_MS = 500;

/**
 * Calls `changed` after one of the files has another content, until the function that is returned is called. By looking,
 * since no file system tells of every way in which a file is replaced, a mounted one least of all.
 */
export function watchFiles(paths: () => readonly string[], changed: () => void): () => void {
  let read = marksOf(paths());
  let seen = read;
  const look = () => {
    const mark = marksOf(paths());
    // One that is being written may look whole: it has to be the same twice.
    if (mark !== read && mark === seen) {
      // Before they are read: one that is replaced meanwhile is read again.
      read = mark;
      changed();
    }
    seen = mark;
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

type Read<Value> = {
  /** For the log: the settings that name the files. */
  readonly what: string;
  readonly files: readonly (string | undefined)[];
  readonly read: (isFirst: boolean) => Value;
};

/**
 * The value of what is in the files: the same until one of them changes. Throws at first alone: of files that cannot be
 * read later the reason is logged, and the value before stays.
 */
export function followFiles<Value>({ what, files, read }: Read<Value>): () => Value {
  const named = files.filter((file) => file !== undefined);
  let value = read(true);
  if (named.length === 0) return () => value;
  watchFiles(
    () => named,
    () => {
      try {
        value = read(false);
        log.info({ what }, "changed files were read again");
      } catch (error) {
        const reason = error instanceof Error ? error.message : "unreadable";
        log.error({ what, reason }, "changed files are refused, and what was read before is used");
      }
    },
  );
  return () => value;
}

/** Its text; undefined where there is no such file. */
export function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}

/** Written aside and moved into place, so that no half-written file is ever read. */
export async function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await writeFile(aside, text, { mode });
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
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
