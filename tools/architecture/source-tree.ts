import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** A file of the project: its path from the root, with `/`, and its text. */
export type TextFile = { readonly path: string; readonly text: string };

const NOT_OURS = ["node_modules", "test-results", "playwright-report", "dist", "migrations"];
const TEXT = /\.(ts|tsx|md|json|css|sql|sh|yml|yaml)$/;
const GENERATED = ["package-lock.json", "next-env.d.ts"];

/** Every text file that people write; hidden folders hold builds, data and the history. */
export function textFiles(root: string, folder = root): readonly TextFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) {
      const skipped = NOT_OURS.includes(entry.name) || entry.name.startsWith(".");
      return skipped ? [] : textFiles(root, file);
    }
    if (!TEXT.test(entry.name) || GENERATED.includes(entry.name)) return [];
    const path = relative(root, file).split(sep).join("/");
    return [{ path, text: readFileSync(file, "utf8") }];
  });
}

export function isSource({ path }: TextFile): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith(".d.ts");
}

/** Tests, and what only tests use: `*.test.ts`, a `testing` folder, `testing*.ts`. */
export function isForTests(path: string): boolean {
  return /\.(test|spec)(\.tsx?)?$|(^|\/)testing(\/|[-.]|$)/.test(path);
}
