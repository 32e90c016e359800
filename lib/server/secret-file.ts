import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";

/**
 * The secret kept in a file, made at the first call. Only the owner may read it. Of two processes
 * that start at once the first one's secret stands, and both yield it.
 */
export async function keepSecret(file: string, make: () => string): Promise<string> {
  const kept = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (kept !== undefined) return kept.trim();
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${make().trim()}\n`, { mode: 0o600 });
  // A link, unlike a rename, fails where a file is already.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await readFile(file, "utf8")).trim();
}
