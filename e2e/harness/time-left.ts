/** The project of those specs that can be passed over. */
export const CLOSER = "closer";

/**
 * Until when a test that can be passed over may begin, in milliseconds of the epoch: scripts/test.ts says so, which
 * has a limit for all checks together. What is run by hand has none.
 */
export function lastBeginning(): number {
  const { E2E_LAST_BEGINNING: given } = process.env;
  return given === undefined ? Number.POSITIVE_INFINITY : Number(given);
}

export const NO_TIME_LEFT = "the checks before have taken the time that all have together";
