import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const PROCESSES = 3;
const LINES = 2_500;

/** Of a pipe that is full the reader takes its time, so that each writer comes back to it again and again. */
const reader = "(sleep 0.5; dd bs=1000 2>/dev/null)";

it.runIf(process.platform === "linux")(
  "what several processes write to one pipe comes out as the lines that each has written",
  async () => {
    const program = `const { log } = await import("./lib/log.ts");
      const padding = "x".repeat(1_000);
      for (let n = 0; n < ${LINES}; n += 1) log.info({ of: process.pid, n, padding }, "one of many");`;
    const one = '"$NODE" --import tsx --input-type=module -e "$PROGRAM" &';
    const all = `(${one.repeat(PROCESSES)} wait) | ${reader}`;
    const env = { ...process.env, NODE: process.execPath, PROGRAM: program, LOG_LEVEL: "info" };
    const { stdout } = spawn("sh", ["-c", all], { stdio: ["ignore", "pipe", "inherit"], env });
    const lines = (await text(stdout)).trimEnd().split("\n");
    const said = lines.map(
      (line) => JSON.parse(line) as { readonly of: number; readonly n: number },
    );
    expect(said).toHaveLength(PROCESSES * LINES);
    const writers = new Set(said.map(({ of }) => of));
    expect(writers.size).toBe(PROCESSES);
    for (const writer of writers) {
      const own = said.filter(({ of }) => of === writer).map(({ n }) => n);
      expect(own).toEqual(Array.from({ length: LINES }, (_, n) => n));
    }
  },
);
