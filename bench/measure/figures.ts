import type { Volley } from "../load/clients";
import { median, percentile } from "./statistics";
import type { Saturated } from "./turn";

/** What one server showed in one round, or the medians over rounds. */
export type Figures = {
  /** At saturation. */
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly databaseCpuMicroseconds: number;
  readonly memoryMegabytes: number;
  /** Share of one core that the busiest load process used at saturation. */
  readonly clientLoad: number;
  /** At the fixed rate, in milliseconds from when a request was due. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
};

const MEGABYTE = 1_048_576;

/** Of all slices of a round together. Processor time is per request, user and system together. */
export function figuresOf(slices: readonly Saturated[], paced: Volley): Figures {
  const requests = sum(slices.map(({ volley }) => volley.latencies.length));
  const seconds = slices.map(({ volley }) => volley.latencies.length / volley.requestsPerSecond);
  const each = (whose: "server" | "database") =>
    sum(slices.map(({ before, after }) => after[whose].cpuSeconds - before[whose].cpuSeconds)) *
    (1_000_000 / requests);
  return {
    requestsPerSecond: requests / sum(seconds),
    cpuMicroseconds: each("server"),
    databaseCpuMicroseconds: each("database"),
    memoryMegabytes: median(slices.map(({ after }) => after.server.memoryBytes)) / MEGABYTE,
    clientLoad: Math.max(...slices.map(({ volley }) => volley.busiest)),
    p50: percentile(paced.latencies, 50),
    p99: percentile(paced.latencies, 99),
    p999: percentile(paced.latencies, 99.9),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Figure by figure. */
export function medians(rounds: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]));
  return {
    requestsPerSecond: of("requestsPerSecond"),
    cpuMicroseconds: of("cpuMicroseconds"),
    databaseCpuMicroseconds: of("databaseCpuMicroseconds"),
    memoryMegabytes: of("memoryMegabytes"),
    clientLoad: of("clientLoad"),
    p50: of("p50"),
    p99: of("p99"),
    p999: of("p999"),
  };
}
