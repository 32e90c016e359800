const SHAPE =
  /^P(?=.)(?:(?<weeks>\d{1,5})W|(?:(?<days>\d{1,6})D)?(?:T(?=\d)(?:(?<hours>\d{1,7})H)?(?:(?<minutes>\d{1,9})M)?(?:(?<seconds>\d{1,10})S)?)?)$/;

const MILLISECONDS = {
  weeks: 604_800_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
} as const;

/**
 * An ISO 8601 duration in milliseconds, e.g. `P180D` or `PT10M1S`; undefined for anything else.
 * Months and years are none: how long they are depends on when they begin.
 */
export function parseDuration(text: string): number | undefined {
  const parts = SHAPE.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const units = Object.keys(MILLISECONDS) as (keyof typeof MILLISECONDS)[];
  return units.reduce((sum, unit) => sum + Number(parts[unit] ?? 0) * MILLISECONDS[unit], 0);
}
