import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { DrizzleQueryError } from "drizzle-orm";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { log, loggable } from "./log";

describe("the log", () => {
  const IBAN = "RO49AAAA1B31007593840000";

  function ofPostgres() {
    const fields = {
      severity: "ERROR",
      code: "53100",
      detail: IBAN,
      constraint_name: "payment_key",
    };
    return Object.assign(new Error(`value ${IBAN} is too long`), {
      name: "PostgresError",
      ...fields,
    });
  }

  describe("X7: an error in the log", () => {
    it("has the statement, without its values and without the database's message", () => {
      const fault = new DrizzleQueryError("insert into payment values ($1)", [IBAN], ofPostgres());
      const logged = loggable(fault);
      expect(JSON.stringify(logged)).not.toContain(IBAN);
      expect(logged).toMatchObject({
        query: "insert into payment values ($1)",
        cause: { type: "PostgresError", code: "53100", constraint: "payment_key" },
      });
    });

    it("keeps the message and the stack of an internal error", () => {
      const logged = loggable(new TypeError("no such thing"));
      expect(logged).toMatchObject({ type: "TypeError", message: "no such thing" });
      expect(logged).toHaveProperty("frames.0", expect.stringContaining("log.test.ts"));
    });

    it("has only the type of a value that is no Error", () => {
      expect(loggable(IBAN)).toEqual({ type: "string" });
    });

    it("ends, however its causes refer to each other", () => {
      const [one, other] = [new Error("one"), new Error("other")];
      one.cause = other;
      other.cause = one;
      expect(() => JSON.stringify(loggable(one))).not.toThrow();
    });

    it("is written in this form by the log itself", () => {
      const { err } = log[pino.symbols.serializersSym as never] as Record<string, unknown>;
      const fault = ofPostgres();
      expect((err as typeof loggable)(fault)).toEqual(loggable(fault));
    });
  });

  /** A program that logs, and says on stderr when it has. */
  const logging = (program: string, stdout: "pipe" | number) =>
    spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        "--input-type=module",
        "-e",
        `const { log } = await import("./lib/log.ts"); ${program}`,
      ],
      { stdio: ["ignore", stdout, "pipe"], env: { ...process.env, LOG_LEVEL: "info" } },
    );

  describe("a log that cannot be written", () => {
    it.runIf(process.platform === "linux")(
      "on a disk that is full: the process goes on",
      async () => {
        const full = openSync("/dev/full", "w");
        const program = `
      for (let n = 0; n < 3; n += 1) { log.info("lost"); await new Promise((r) => setTimeout(r, 100)); }
      console.error("alive");`;
        const child = logging(program, full);
        closeSync(full);
        if (child.stderr === null) throw new Error("it was to have one");
        expect(await text(child.stderr)).toBe("alive\n");
      },
    );

    it("behind a reader that does not read: lines above the limit are lost, and no line is cut", async () => {
      const program = `
      const padding = "x".repeat(1_000);
      for (let n = 0; n < 40_000; n += 1) log.info({ n, padding }, "many");
      console.error("written");`;
      const child = logging(program, "pipe");
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new Error("it was to have both");
      await once(stderr, "data");
      const lines = (await text(stdout)).trimEnd().split("\n");
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: "many" });
      expect(lines.length).toBeGreaterThan(1_000);
      expect(lines.length).toBeLessThan(10_000);
    });
  });
});

describe("the output of the log", () => {
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
});
