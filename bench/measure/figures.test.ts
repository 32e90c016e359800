import { expect, it } from "vitest";
import { figuresOf, medians } from "./figures";

const volley = (latencies: readonly number[]) => ({
  latencies: Float64Array.from(latencies),
  requestsPerSecond: 250,
  busiest: 0.2,
  signedOnTheWay: 0,
});
const used = (server: number, database: number) => ({
  server: { cpuSeconds: server, memoryBytes: 3 * 1_048_576 },
  database: { cpuSeconds: database, memoryBytes: 0 },
});

const slice = { before: used(1, 10), volley: volley([1, 2, 3, 4]), after: used(1.002, 10.001) };
const figures = figuresOf([slice], volley([5, 6, 7]));

it("throughput, processor time and memory are of the saturated part, latencies of the paced one", () => {
  const { cpuMicroseconds, databaseCpuMicroseconds, ...rest } = figures;
  expect(cpuMicroseconds).toBeCloseTo(500);
  expect(databaseCpuMicroseconds).toBeCloseTo(250);
  expect(rest).toEqual({
    requestsPerSecond: 250,
    memoryMegabytes: 3,
    clientLoad: 0.2,
    p50: 6,
    p99: 7,
    p999: 7,
  });
});

it("the slices of a round count by their requests and not each for itself", () => {
  const slower = { ...slice, volley: { ...volley([1]), requestsPerSecond: 62.5 } };
  const both = figuresOf([slice, slower], volley([5]));
  expect(both.requestsPerSecond).toBeCloseTo(5 / 0.032);
  expect(both.cpuMicroseconds).toBeCloseTo(4_000 / 5);
});

it("over rounds each figure has its own median", () => {
  const rounds = [1, 9, 5].map((p50) => ({ ...figures, p50, p99: 10 - p50 }));
  expect(medians(rounds)).toMatchObject({ p50: 5, p99: 5, p999: 7 });
});
