import type { Clock } from "./domain/values";

/** The machine's clock: the only place that reads it. */
export const systemClock: Clock = { now: async () => new Date() };

/** The same at once, for files that are read. */
export const machineTime = () => new Date();

/**
 * When this process started: a trusted list that was valid then stays valid until the next start, whenever
 * it is first used.
 */
export const startOfProcess = () => new Date(performance.timeOrigin);
