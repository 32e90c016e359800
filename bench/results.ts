import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Findings } from "./report";

/** What was found, and how: a file for each mode, and the newest run of a mode is what it has. */
export async function writeResults<How extends object>(
  folder: string,
  how: How,
  found: Findings,
): Promise<void> {
  const file = found.mode === "compare" ? "results.json" : `results-${found.mode}.json`;
  const text = `${JSON.stringify({ ...how, ...found }, undefined, 2)}\n`;
  await writeFile(join(folder, file), text);
}
