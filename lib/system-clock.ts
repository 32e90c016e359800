import type { Clock } from "./domain/clock";

/** The machine's clock: the one place where the house reads it. */
export const systemClock: Clock = { now: async () => new Date() };

/** For what is judged while the process starts, before there is anybody to ask. */
export const machineNow = () => new Date();
