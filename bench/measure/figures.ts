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

/** Processor time is per request, user and system together. */
export function figuresOf({ before, volley, after }: Saturated, paced: Volley): Figures {
  const requests = volley.latencies.length;
  const each = (whose: "server" | "database") =>
    ((after[whose].cpuSeconds - before[whose].cpuSeconds) * 1_000_000) / requests;
  return {
    requestsPerSecond: volley.requestsPerSecond,
    cpuMicroseconds: each("server"),
    databaseCpuMicroseconds: each("database"),
    memoryMegabytes: after.server.memoryBytes / MEGABYTE,
    clientLoad: volley.busiest,
    p50: percentile(paced.latencies, 50),
    p99: percentile(paced.latencies, 99),
    p999: percentile(paced.latencies, 99.9),
  };
}

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
