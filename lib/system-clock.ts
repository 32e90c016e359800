import type { Clock } from "./domain/values";

/** The machine's clock: the one place where the house reads it. */
export const systemClock: Clock = { now: async () => new Date() };

/**
 * When this process began: what was fit to be started with stays so until the next start, whenever
 * somebody first asks for it.
 */
export const startOfProcess = () => new Date(performance.timeOrigin);
