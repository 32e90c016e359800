/** States of an account information consent and the only ways between them; NextGenPSD2 1.3.12. */
export const consentTransitions = {
  received: ["valid", "rejected", "terminatedByTpp"],
  valid: ["expired", "revokedByPsu", "terminatedByTpp"],
  rejected: [],
  expired: [],
  revokedByPsu: [],
  terminatedByTpp: [],
} as const satisfies Record<string, readonly string[]>;

export type ConsentStatus = keyof typeof consentTransitions;

export function mayBecome(from: ConsentStatus, to: ConsentStatus): boolean {
  return (consentTransitions[from] as readonly ConsentStatus[]).includes(to);
}

export function isFinal(status: ConsentStatus): boolean {
  return consentTransitions[status].length === 0;
}
