import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");
const FOLDERS = [
  "app",
  "cli",
  "clients",
  "components",
  "docs",
  "drizzle/schema",
  "e2e",
  "lib",
  "tools",
];

/** What people write of this ending, each with its path from the root. */
export function sourceFiles(ending: RegExp) {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name),
    ),
  );
  return [...readdirSync(ROOT), ...below]
    .filter((path) => ending.test(path) && statSync(join(ROOT, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}
