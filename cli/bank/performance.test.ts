import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DayCount, dailyFigures } from "@/lib/domain/interface-figures";
import type { IsoDate } from "@/lib/domain/values";
import { requestCounts } from "@/lib/server/request-counts";
import { services } from "@/lib/server/requests-seen";
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
      // The one is for none of the services, and the caller of the other went away by itself.
      request({ over: "2026-11-21T10:00:04Z", status: 500 }),
      request({ over: "2026-11-21T10:00:05Z", service: "cbpii" }),
      request({ over: "2026-11-22T10:00:00Z", service: "cbpii", status: 200, took: 4 }),
    ]);
    expect(await performance(log)).toEqual({
      code: 0,
      stderr: "",
      stdout: `${[
        HEAD,
        "2026-11-21,100.000,0.000,50.5,20.0,,20.000,5",
        "2026-11-22,100.000,0.000,,,4.0,0.000,1",
      ].join("\n")}\n`,
    });
  });

  it("requests, errors and means are those that the server itself counts and a bank publishes", async () => {
    const over = "2026-11-21T10:00:00Z";
    const [at, day] = [new Date(over).getTime(), "2026-11-21" as IsoDate];
    const counts = requestCounts(() => at);
    const asked = [
      ...[200, 201, 303, 401, 429, 500, 503].map((status) => ({ status, took: 30 })),
      ...[{ took: 5_999 }, { took: 6_000 }, { took: 40_000 }, { status: 200, took: 31_000 }],
    ];
    const lines = services.flatMap((service, nth) =>
      asked.slice(nth).map((one) => {
        const url = `/open-banking/v3.1/${service}/v1/x`;
        counts.note({ method: "GET", url, tookMs: one.took, ...one });
        return request({ over, service, ...one });
      }),
    );
    const published: DayCount[] = [];
    await counts.flush(async (all) => void published.push(...all.map((one) => ({ ...one, day }))));
    const raw = { counts: published, runs: [], planned: [] };
    const [figures] = dailyFigures("xs2a", raw, { from: day, to: day, timeZone: "UTC" });
    const { meanMilliseconds: means, errors = 0, requests } = figures ?? {};
    const shown = [means?.pisp, means?.aisp, means?.cbpii].map((mean) => mean?.toFixed(1));
    const { stdout } = await performance(await logOf("same", lines));
    expect(stdout.split("\n")[1]?.split(",").slice(3)).toEqual([
      ...shown,
      (errors * 100).toFixed(3),
      String(requests),
    ]);
  });

  it("an outage of all servers is one, over two days, and one server that answers ends it", async () => {
    const failed = ["21:48:00", "21:48:01", "21:48:02", "21:48:03"].map((time) =>
      request({ over: `2026-11-21T${time}.010Z`, service: "aisp", status: 503 }),
    );
    // Who asked has given up.
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

  it("a refusal is no success: an outage goes on through those that ask no database", async () => {
    const at = (second: string, status: number) =>
      request({ over: `2026-11-21T10:00:${second}Z`, service: "aisp", status });
    const away = ["00.010", "01", "02", "04", "05"].map((second) => at(second, 503));
    const log = await logOf("stranger", [...away, at("03", 401), at("07", 401), at("08.650", 200)]);
    const { stdout } = await performance(log);
    // 8.65 seconds of 86,400.
    expect(stdout).toContain("2026-11-21,99.990,0.010,,10.0,,62.500,8");
  });

  it("an answer after 30 seconds is no reply, nor is none after six; who hangs up before was not left without", async () => {
    const five = (took: number, status?: number) =>
      [0, 1, 2, 3, 4].map((n) =>
        request({
          over: `2026-11-21T10:00:5${n}Z`,
          service: "aisp",
          took,
          ...(status && { status }),
        }),
      );
    const end = request({ over: "2026-11-21T10:30:00Z", service: "aisp", status: 200 });
    const downtime = async (...lines: readonly string[]) =>
      (await performance(await logOf("patience", [...lines, end]))).stdout
        .split("\n")[1]
        ?.split(",")[2];
    expect(await downtime(...five(30_000, 200))).not.toBe("0.000");
    expect(await downtime(...five(29_999, 200))).toBe("0.000");
    expect(await downtime(...five(6_000))).not.toBe("0.000");
    expect(await downtime(...five(5_999))).toBe("0.000");
  });

  it("a day without a request stands between the others, and one of 25 hours is as long as it is", async () => {
    const failed = ["00.010", "01", "02", "03", "04"].map((second) =>
      request({ over: `2026-10-25T10:00:${second}Z`, service: "aisp", status: 503 }),
    );
    const back = request({ over: "2026-10-25T10:15:00Z", service: "aisp", status: 200 });
    const later = request({ over: "2026-10-27T10:00:00Z", service: "aisp", status: 200 });
    const { stdout } = await performance(await logOf("autumn", [...failed, back, later]));
    expect(stdout.split("\n").slice(1, 4)).toEqual([
      // A hundredth of the day, which began with summer time.
      "2026-10-25,99.000,1.000,,10.0,,83.333,6",
      "2026-10-26,100.000,0.000,,,,0.000,0",
      "2026-10-27,100.000,0.000,,10.0,,0.000,1",
    ]);
  });

  it.each([
    ["without a LOG", [], 2, "performance needs at least one LOG\n"],
    ["of a file that is not there", ["no/such"], 1, "there is no file no/such\n"],
    ["of a folder", ["."], 1, ". is no file\n"],
    ["of what can be read once", ["/dev/null"], 1, "/dev/null is no file\n"],
  ] as const)("%s is refused", async (_what, files, code, stderr) => {
    expect(await performance(...files)).toEqual({ code, stdout: "", stderr });
  });

  it("a log without requests says what to do", async () => {
    const { code, stderr } = await performance(
      await logOf("none", ["Drawbridge is ready", '{"msg":"request"']),
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "no request in it: REQUEST_LOG is to be true, and LOG_LEVEL info or debug\n",
    });
  });

  it("half a line of a server that was killed is passed over, and so is what follows on it", async () => {
    const whole = request({ over: "2026-11-21T10:00:00Z", service: "aisp", status: 200 });
    const { stdout } = await performance(
      await logOf("half", [whole, `${whole.slice(0, 40)}${whole}`]),
    );
    expect(stdout).toContain("2026-11-21,100.000,0.000,,10.0,,0.000,1");
  });

  it("lines behind something that the server has not written are refused, with the first of them", async () => {
    const whole = request({ over: "2026-11-21T10:00:00Z", service: "aisp", status: 200 });
    const file = await logOf("prefixed", ["", `drawbridge-1 | ${whole}`]);
    expect(await performance(file)).toMatchObject({
      code: 1,
      stderr: `${file}, line 2: something stands before the log's own line\n`,
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
