/**
 * States of a confirmation of funds consent and the only ways between them; consent guidelines 2.0.
 * `partiallyAuthorised` is one of the standard's, and is never entered: nobody has to authorise twice.
 */
export const fundsConsentTransitions = {
  received: ["valid", "rejected", "terminatedByTpp"],
  valid: ["expired", "revokedByPsu", "terminatedByTpp"],
  rejected: [],
  partiallyAuthorised: [],
  expired: [],
  revokedByPsu: [],
  terminatedByTpp: [],
} as const satisfies Record<string, readonly string[]>;

export type FundsConsentStatus = keyof typeof fundsConsentTransitions;

export function fundsConsentMayBecome(from: FundsConsentStatus, to: FundsConsentStatus): boolean {
  return (fundsConsentTransitions[from] as readonly FundsConsentStatus[]).includes(to);
}

export function fundsConsentIsFinal(status: FundsConsentStatus): boolean {
  return fundsConsentTransitions[status].length === 0;
}
