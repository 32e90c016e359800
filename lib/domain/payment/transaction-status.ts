/**
 * States of a payment and the only ways between them; NextGenPSD2 1.3.12, ISO 20022
 * ExternalPaymentTransactionStatus1Code. Forward only; the database refuses everything else too.
 */
export const transactionTransitions = {
  /** Received, not authorised. */
  RCVD: ["ACTC", "RJCT"],
  /** The PSU has authorised it; it waits for the core bank's answer. */
  ACTC: ["ACCP", "RJCT"],
  /** The core bank has accepted it: account and limits are in order. */
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

/** The states from which the table allows to reach `to`; what a conditional UPDATE asks for. */
export function statusesBefore(to: TransactionStatus): readonly TransactionStatus[] {
  const all = Object.keys(transactionTransitions) as TransactionStatus[];
  return all.filter((from) => mayProceed(from, to));
}
