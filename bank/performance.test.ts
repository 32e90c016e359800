import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBank } from "./testing";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-performance-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Asked = {
  readonly over: string;
  readonly service?: string;
  readonly status?: number;
  readonly took?: number;
};

const request = ({ over, took = 10, ...rest }: Asked) =>
  JSON.stringify({ level: 30, time: over, ...rest, method: "GET", tookMs: took, msg: "request" });

async function logOf(name: string, lines: readonly string[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

const performance = (...files: readonly string[]) => runBank(["performance", ...files], {});
const HEAD = "day,uptime %,downtime %,PISP ms,AISP ms,CBPII ms,errors %,requests";

describe("npm run bank -- performance", () => {
  it("RTS 32(4): availability, mean time of each service and errors, for each day of the bank", async () => {
    const log = await logOf("one", [
      "Drawbridge is ready",
      '{"level":30,"msg":"token refused"}',
      // Half past midnight in Bucharest.
      request({ over: "2026-11-20T22:30:00.010Z", service: "aisp", status: 200 }),
      request({ over: "2026-11-21T10:00:00.030Z", service: "aisp", status: 200, took: 30 }),
      request({ over: "2026-11-21T10:00:01Z", service: "aisp", status: 429, took: 1 }),
      request({ over: "2026-11-21T10:00:02Z", service: "pisp", status: 201, took: 50.5 }),
      request({ over: "2026-11-21T10:00:03Z", service: "pisp", status: 503, took: 900 }),
      // Neither is a request for one of the services, or left without an answer.
      request({ over: "2026-11-21T10:00:04Z", status: 500 }),
      request({ over: "2026-11-21T10:00:05Z", service: "cbpii" }),
      request({ over: "2026-11-22T10:00:00Z", service: "cbpii", status: 200, took: 4 }),
    ]);
    expect(await performance(log)).toEqual({
      code: 0,
      stderr: "",
      stdout: `${[
        HEAD,
        "2026-11-21,100.000,0.000,50.5,20.0,,16.667,6",
        "2026-11-22,100.000,0.000,,,4.0,0.000,1",
      ].join("\n")}\n`,
    });
  });

  it("an outage of all servers is one, over two days, and one server that answers ends it", async () => {
    const failed = ["21:48:00", "21:48:01", "21:48:02", "21:48:03"].map((time) =>
      request({ over: `2026-11-21T${time}.010Z`, service: "aisp", status: 503 }),
    );
    // It waited until it was given up: half a minute is no answer, too.
    const late = request({ over: "2026-11-21T21:48:44Z", service: "pisp", took: 40_000 });
    const again = { service: "aisp", status: 200 } as const;
    const one = await logOf("of-one", [
      late,
      request({ over: "2026-11-21T22:14:24.010Z", ...again }),
    ]);
    const other = await logOf("of-other", [
      request({ over: "2026-11-21T21:47:00Z", ...again }),
      request({ over: "2026-11-21T22:30:00Z", ...again }),
      ...failed,
    ]);
    const { stdout } = await performance(one, other);
    // Twelve minutes of a day of 1,440 before midnight, and fourteen and two fifths after it.
    expect(stdout.split("\n").slice(1, 3)).toEqual([
      "2026-11-21,99.167,0.833,,10.0,,83.333,6",
      "2026-11-22,99.000,1.000,,10.0,,0.000,2",
    ]);
  });

  it.each([
    ["without a LOG", [], 2, "performance needs at least one LOG\n"],
    ["of a file that is not there", ["no/such"], 1, "there is no file no/such\n"],
    ["of a folder", ["."], 1, ". cannot be read (EISDIR)\n"],
  ] as const)("%s is refused", async (_what, files, code, stderr) => {
    expect(await performance(...files)).toEqual({ code, stdout: "", stderr });
  });

  it("a log without requests says what to do", async () => {
    const { code, stderr } = await performance(await logOf("none", ["Drawbridge is ready", "{"]));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "no request in it: does the server run with REQUEST_LOG=true?\n",
    });
  });

  it("a request of another form than a server's is refused with its line", async () => {
    const file = await logOf("odd", ["", request({ over: "yesterday", service: "aisp" })]);
    expect(await performance(file)).toEqual({
      code: 1,
      stdout: "",
      stderr: `${file}, line 2: no request as a server logs it\n`,
    });
  });
});
