/**
 * States of an authorisation. A login proves identity and password together, so `psuIdentified`,
 * which would tell a TPP that a user ID exists, is never entered. `started` may start again: a new
 * code or another selection of accounts replaces the challenge.
 */
export const scaTransitions = {
  received: ["psuAuthenticated", "failed"],
  psuAuthenticated: ["started", "failed"],
  started: ["started", "finalised", "failed"],
  finalised: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type ScaStatus = keyof typeof scaTransitions;

export function mayMove(from: ScaStatus, to: ScaStatus): boolean {
  return (scaTransitions[from] as readonly ScaStatus[]).includes(to);
}

export function isDecided(status: ScaStatus): boolean {
  return scaTransitions[status].length === 0;
}

/** The states from which the table allows to reach `to`; what a conditional UPDATE asks for. */
export function statesBefore(to: ScaStatus): readonly ScaStatus[] {
  return (Object.keys(scaTransitions) as ScaStatus[]).filter((from) => mayMove(from, to));
}
