import { availableParallelism, cpus } from "node:os";

/**
 * Starts, and tells what has passed since: the seconds, and how busy all processors of the machine were. Whoever has
 * to find time wants to know whether a step computes or waits.
 */
export function stopwatch(): () => string {
  const started = performance.now();
  const before = processorTime();
  return () => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    const after = processorTime();
    const passed = after.all - before.all;
    const busy = passed === 0 ? 0 : 1 - (after.idle - before.idle) / passed;
    return `${seconds} s on ${availableParallelism()} of ${cpus().length} processors, all of them ${Math.round(busy * 100)} % busy`;
  };
}

/** Of all processors together, in milliseconds. */
function processorTime(): { readonly all: number; readonly idle: number } {
  const times = cpus().map(({ times }) => times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, part) => sum + part, 0);
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}
