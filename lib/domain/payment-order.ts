import type { AccountReference, Debit } from "./accounts";
import type { FailureReason } from "./authorisation";
import type { ChargeBearer, PaymentProduct } from "./bank-profile";
import type {
  AuthorisationId,
  Branded,
  Currency,
  Iban,
  Money,
  PaymentId,
  PsuId,
  TppId,
} from "./values";

/** A bank's code of eight characters, upper case; branches are not named here. */
export type Bic = Branded<"Bic">;

export type Creditor = {
  readonly name: string;
  readonly iban: Iban;
  readonly currency?: Currency | undefined;
  readonly agent?: Bic | undefined;
  readonly address?: CreditorAddress | undefined;
};

export type CreditorAddress = {
  readonly streetName?: string | undefined;
  readonly buildingNumber?: string | undefined;
  readonly townName?: string | undefined;
  readonly postCode?: string | undefined;
  readonly country: string;
};

/** What is to be paid. It never changes after the TPP has sent it; the database refuses it too. */
export type PaymentOrder = {
  readonly product: PaymentProduct;
  readonly amount: Money;
  readonly debtor: AccountReference;
  readonly creditor: Creditor;
  readonly endToEndId?: string | undefined;
  readonly remittance?: string | undefined;
  readonly chargeBearer: ChargeBearer;
  /** TPP-Rejection-NoFunds-Preferred: without funds the payment is rejected and does not wait. */
  readonly rejectWithoutFunds: boolean;
};

/** Why a payment is RJCT. */
export type PaymentRejection =
  | FailureReason
  | "account-blocked"
  | "psu-limit"
  | "day-limit"
  | "no-funds"
  | "creditor-account-closed";

export type Payment = {
  readonly id: PaymentId;
  readonly tppId: TppId;
  readonly authorisationId: AuthorisationId;
  readonly order: PaymentOrder;
  /** The body word for word, for the TPP's GET. */
  readonly instruction: unknown;
  readonly createdAt: Date;
  readonly status: TransactionStatus;
  readonly statusAt: Date;
  /** Set with RJCT. */
  readonly reason?: PaymentRejection;
  /** What the check at the PSU's authorisation found. */
  readonly fundsAvailable?: boolean;
  /** Set once the PSU has authorised it. */
  readonly psuId?: PsuId;
  readonly authorisedAt?: Date;
  readonly debit?: Debit;
  /** The core bank has refused the submission, since it has another order under this id. */
  readonly conflict?: boolean;
};

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
