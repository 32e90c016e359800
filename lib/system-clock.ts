import type { Clock } from "./domain/clock";

/** The machine's clock: the one place where the house reads it. */
export const systemClock: Clock = { now: async () => new Date() };
