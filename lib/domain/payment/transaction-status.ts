/**
 * States of a payment and the only ways between them; NextGenPSD2 1.3.12, ISO 20022
 * ExternalPaymentTransactionStatus1Code. Forward only; the database refuses everything else too.
 */
export const transactionTransitions = {
  /** Received, not authorised. */
  RCVD: ["ACTC", "RJCT"],
  /** The PSU has authorised it. */
  ACTC: ["ACCP", "RJCT"],
  /** Account and limits are in order. */
  ACCP: ["ACSP", "PDNG", "RJCT"],
  /** Waits for funds. */
  PDNG: ["ACSP", "RJCT"],
  /** In execution: the account is debited, pending. */
  ACSP: ["ACSC", "RJCT"],
  /** Settled on the debtor's side. */
  ACSC: ["ACCC"],
  /** Settled on the creditor's account. */
  ACCC: [],
  RJCT: [],
} as const satisfies Record<string, readonly string[]>;

export type TransactionStatus = keyof typeof transactionTransitions;

export function mayProceed(from: TransactionStatus, to: TransactionStatus): boolean {
  return (transactionTransitions[from] as readonly TransactionStatus[]).includes(to);
}
