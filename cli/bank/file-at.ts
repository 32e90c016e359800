import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { checkFileSize } from "./camt053/xml";
import { CommandFailed } from "./command-failed";

/** The bytes of a statement's file. One that is too large is refused before it is read. */
export async function statementFile(path: string): Promise<Uint8Array> {
  checkFileSize((await fileAt(path)).size);
  return readFile(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error));
}

/** Throws CommandFailed for what is no file that can be read. */
export async function fileAt(path: string): Promise<Stats> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error));
  if (!found.isFile()) throw new CommandFailed(`${path} is no file`);
  return found;
}

function unreadable(path: string, { code }: NodeJS.ErrnoException): never {
  if (code === "ENOENT") throw new CommandFailed(`there is no file ${path}`);
  throw new CommandFailed(`${path} cannot be read (${code})`);
}
