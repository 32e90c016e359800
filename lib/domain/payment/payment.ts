import type { AccountReference } from "../consent/access-request";
import type { Iban } from "../iban";
import type { AccountId, AuthorisationId, Branded, PaymentId, PsuId, TppId } from "../identifiers";
import type { Currency, Money } from "../money";
import type { FailureReason } from "../sca/authorisation";
import type { PaymentProduct } from "./payment-product";
import type { ChargeBearer } from "./product-terms";
import type { TransactionStatus } from "./transaction-status";

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
  readonly streetName?: string;
  readonly buildingNumber?: string;
  readonly townName?: string;
  readonly postCode?: string;
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

/** What leaves the debtor's account, in that account's currency. */
export type Debit = {
  readonly accountId: AccountId;
  readonly amount: Money;
  readonly fee: Money;
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
};
