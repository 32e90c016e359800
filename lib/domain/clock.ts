/**
 * Where time comes from. A request asks once and hands `now` on as a value, so that every decision
 * within it is made at the same instant; nothing else in the house reads the machine's clock.
 */
export type Clock = { readonly now: () => Promise<Date> };

const MILLISECONDS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export function after(instant: Date, amount: number, unit: keyof typeof MILLISECONDS): Date {
  return new Date(instant.getTime() + amount * MILLISECONDS[unit]);
}
