import type { ConsentStatus } from "../consent/consent-status";
import type { FundsConsentStatus } from "../funds-confirmation/funds-consent-status";
import type { Payment, PaymentRejection } from "../payment/payment";
import type { PermissionRecord } from "./permission-records";

/** What a PSU is told of a permission or payment. */
export type PermissionState =
  | "active"
  | "waiting"
  | "revoked"
  | "expired"
  | "ended-by-tpp"
  | "never-confirmed"
  | "in-progress"
  | "waiting-for-funds"
  | "paid"
  | "refused-by-bank";

const ofConsent: Readonly<Record<ConsentStatus | FundsConsentStatus, PermissionState>> = {
  received: "waiting",
  partiallyAuthorised: "waiting",
  valid: "active",
  rejected: "never-confirmed",
  expired: "expired",
  revokedByPsu: "revoked",
  terminatedByTpp: "ended-by-tpp",
};

const ofPayment: Readonly<Record<Exclude<Payment["status"], "RJCT">, PermissionState>> = {
  RCVD: "waiting",
  ACTC: "in-progress",
  ACCP: "in-progress",
  PDNG: "waiting-for-funds",
  ACSP: "in-progress",
  ACSC: "paid",
  ACCC: "paid",
};

/** The first eight ended the authorisation, so the PSU's yes is missing. */
const ofRejection: Readonly<Record<PaymentRejection, PermissionState>> = {
  cancelled: "never-confirmed",
  "too-many-tries": "never-confirmed",
  "psu-blocked": "never-confirmed",
  "window-over": "never-confirmed",
  "withdrawn-by-tpp": "never-confirmed",
  "not-own-account": "never-confirmed",
  "account-gone": "never-confirmed",
  "tpp-blocked": "never-confirmed",
  "account-blocked": "refused-by-bank",
  "psu-limit": "refused-by-bank",
  "day-limit": "refused-by-bank",
  "no-funds": "refused-by-bank",
  "creditor-account-closed": "refused-by-bank",
};

export function permissionState(record: PermissionRecord): PermissionState {
  return record.kind === "payments"
    ? paymentState(record.payment)
    : ofConsent[record.consent.status];
}

function paymentState({ status, reason }: Payment): PermissionState {
  if (status !== "RJCT") return ofPayment[status];
  return reason === undefined ? "refused-by-bank" : ofRejection[reason];
}

/** Still to come to an end: shown first. */
export function isInForce(state: PermissionState): boolean {
  return state === "active" || state === "in-progress" || state === "waiting-for-funds";
}
