import { posix } from "node:path";
import { isForTests, type TextFile } from "./source-tree";
import { importsOf } from "./syntax";

export type Room = {
  /** Files and folders this room may import besides its own; `drizzle/schema` includes what is under it. */
  readonly rooms: readonly string[];
  /** `node:` modules by their name, packages with everything under them; `node:*` is all of Node. */
  readonly packages: readonly string[];
  /** Why the row differs from the design's table. */
  readonly because?: string;
};

export type ImportTable = Readonly<Record<string, Room>>;

/** The imports of one file that its room may not have, each in a sentence; none is well. */
export function forbiddenImports(file: TextFile, table: ImportTable): readonly string[] {
  const name = roomOf(file.path, table);
  const room = name === undefined ? undefined : table[name];
  if (name === undefined || room === undefined) return [`${file.path} is in no known room`];
  return importsOf(file).flatMap(({ specifier, line }) => {
    const where = `${file.path}:${line}: ${name} may not import ${specifier}`;
    const target = targetOf(specifier, file.path);
    if (target === undefined) return isListed(specifier, room.packages) ? [] : [where];
    if (isForTests(target) && !room.rooms.includes(target)) return [`${where}, which is for tests`];
    return isUnder(target, name) || isListed(target, room.rooms) ? [] : [where];
  });
}

/** The longest row the path lies in; a row names a folder, or a file without its ending. */
export function roomOf(path: string, table: ImportTable): string | undefined {
  return Object.keys(table)
    .filter((name) => isUnder(path.replace(/\.tsx?$/, ""), name))
    .sort((a, b) => b.length - a.length)[0];
}

/** The path of one of our own files without its ending, or undefined for a package. */
function targetOf(specifier: string, from: string): string | undefined {
  const path = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? posix.join(posix.dirname(from), specifier)
      : undefined;
  return path?.replace(/\.(tsx?|jsx?|json)$/, "");
}

function isListed(target: string, list: readonly string[]): boolean {
  return list.some((entry) =>
    entry === "node:*" ? target.startsWith("node:") : isUnder(target, entry),
  );
}

function isUnder(path: string, entry: string): boolean {
  return path === entry || path.startsWith(`${entry}/`);
}
