import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const sources = [
  "app",
  "components",
  "drizzle",
  "lib",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "public",
  "tsconfig.json",
];

/** What the build itself puts below `public/`. */
export const BUILT_MODULES = "public/built";

/** Names the sources a build is made of by their contents: it needs no git and sees unsaved work. */
export async function buildStamp(root: string): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources) {
    for (const file of await filesBelow(root, source)) {
      if (file.startsWith(`${BUILT_MODULES}/`)) continue;
      const content = await readFile(path.join(root, file));
      hash.update(`\0${file}\0${content.byteLength}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/** Files as paths from the root, in an order that is the same everywhere; what is not there has none. */
export async function filesBelow(root: string, source: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(root, source), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (entries === "ENOTDIR") return [source];
  if (!Array.isArray(entries)) return [];
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = `${source}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, inside)));
    else if (!/\.test\.tsx?$/.test(entry.name)) found.push(inside);
  }
  return found;
}
