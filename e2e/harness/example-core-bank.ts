import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const example = join(import.meta.dirname, "../../examples/core-bank/core_bank.py");

export type ExampleCoreBank = {
  readonly url: string;
  /** False when the change has found nothing to change. */
  readonly isChanged: boolean;
  readonly stop: () => Promise<void>;
};

/** The example core bank, with its source changed, on a given port or a free one. */
export async function startExample(
  change: (source: string) => string = (source) => source,
  port = 0,
): Promise<ExampleCoreBank> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-core-"));
  const file = join(folder, "core_bank.py");
  const source = await readFile(example, "utf8");
  const changed = change(source);
  await writeFile(file, changed);
  const child = spawn("python3", [file, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const listening = /Port (\d+)/.exec(said.toString())?.[1];
  return {
    url: `http://127.0.0.1:${listening}`,
    isChanged: changed !== source,
    stop: async () => {
      child.kill();
      await gone;
      // Also a second time, where the next one could not be started: its error is the one to see.
      await rm(folder, { recursive: true, force: true });
    },
  };
}
