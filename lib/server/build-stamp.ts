import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const sources = [
  "app",
  "components",
  "drizzle",
  "instrumentation.ts",
  "lib",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "public",
  "tsconfig.json",
];

/** What the build itself puts below `public/`. */
export const BUILT_MODULES = "public/built";

/**
 * Names the sources a build is made of by their contents: it needs no git and sees unsaved work. A start
 * waits for it, and has nothing else to do: to read a thousand files without turns takes a third of the time.
 */
export function buildStamp(root: string): string {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources) {
    for (const file of filesBelow(root, source)) {
      if (file.startsWith(`${BUILT_MODULES}/`)) continue;
      const content = readFileSync(path.join(root, file));
      hash.update(`\0${file}\0${content.byteLength}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/** Files as paths from the root, in an order that is the same everywhere; what is not there has none. */
export function filesBelow(root: string, source: string): readonly string[] {
  const entries = entriesOf(path.join(root, source));
  if (entries === "a file") return [source];
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = `${source}/${entry.name}`;
    if (entry.isDirectory()) found.push(...filesBelow(root, inside));
    else if (!/\.test\.tsx?$/.test(entry.name)) found.push(inside);
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] | "a file" {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? "a file" : [];
  }
}
