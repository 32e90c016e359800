import type { MessageCode, messageCodes, StatusOf } from "@/lib/domain/message-codes";

type CodeWith<Status> = {
  [Code in MessageCode]: Status extends StatusOf<Code> ? Code : never;
}[MessageCode];

type Status = (typeof messageCodes)[MessageCode][number];

/** The refusals that an endpoint can answer with, by status; every code with a status of its own. */
export type Refusals = { readonly [S in Status]?: readonly CodeWith<S>[] };

/** What any call can be refused with, by the steps of the pipeline that all endpoints share. */
export const ofEveryCall: Refusals = {
  400: ["FORMAT_ERROR", "TIMESTAMP_INVALID"],
  401: [
    "CERTIFICATE_MISSING",
    "CERTIFICATE_INVALID",
    "CERTIFICATE_EXPIRED",
    "CERTIFICATE_REVOKED",
    "CERTIFICATE_BLOCKED",
    "ROLE_INVALID",
    "SIGNATURE_MISSING",
    "SIGNATURE_INVALID",
  ],
  406: ["REQUESTED_FORMATS_INVALID"],
  413: ["PAYLOAD_TOO_LARGE"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  429: ["ACCESS_EXCEEDED"],
  500: ["INTERNAL_SERVER_ERROR"],
  503: ["SERVICE_UNAVAILABLE"],
};

/** A token that does not fit. */
export const ofToken: Refusals = { 401: ["TOKEN_UNKNOWN", "TOKEN_INVALID", "TOKEN_EXPIRED"] };

/** A consent that this bank does not offer. */
export const ofConsentRequest: Refusals = { 400: ["SERVICE_INVALID", "SESSIONS_NOT_SUPPORTED"] };

/** A consent in the path. */
export const ofConsent: Refusals = { 403: ["CONSENT_UNKNOWN"] };

/** An authorisation below it. */
export const ofAuthorisation: Refusals = { ...ofConsent, 404: ["RESOURCE_UNKNOWN"] };

/** A consent in `Consent-ID`, which has to be open. */
export const ofOpenConsent: Refusals = {
  400: ["CONSENT_UNKNOWN"],
  401: ["CONSENT_INVALID", "CONSENT_EXPIRED"],
};

/** Account data, which the unattended read within a budget. */
export const ofAccountData: Refusals = { 429: ["ACCESS_EXCEEDED"] };

/** One account of them. */
export const ofAccount: Refusals = {
  ...ofAccountData,
  403: ["SERVICE_BLOCKED"],
  404: ["RESOURCE_UNKNOWN"],
};

/** The report of one account. */
export const ofTransactions: Refusals = {
  ...ofAccount,
  400: ["PERIOD_INVALID", "PARAMETER_NOT_SUPPORTED"],
};

/** One entry of it. */
export const ofTransaction: Refusals = { ...ofAccount, 400: ["PERIOD_INVALID"] };

/** A payment product in the path. */
export const ofProduct: Refusals = { 404: ["PRODUCT_UNKNOWN"] };

/** A new payment. */
export const ofPaymentRequest: Refusals = { ...ofProduct, 400: ["PAYMENT_FAILED"] };

/** A payment in the path. */
export const ofPayment: Refusals = {
  403: ["PRODUCT_INVALID"],
  404: ["PRODUCT_UNKNOWN", "RESOURCE_UNKNOWN"],
};

/** The cancellation of a payment, which is refused even where all else is in order. */
export const ofCancellation: Refusals = { ...ofPayment, 405: ["CANCELLATION_INVALID"] };

/** A question about funds. */
export const ofFunds: Refusals = {
  400: ["NO_PIIS_ACTIVATION", "CARD_INVALID"],
  429: ["ACCESS_EXCEEDED"],
};

/** All of them together, each code once, by status in ascending order. */
export function together(...all: readonly Refusals[]): readonly (readonly [string, string[]])[] {
  const statuses = [...new Set(all.flatMap(Object.keys))].toSorted();
  return statuses.map((status) => [status, [...new Set(all.flatMap(codesAt(status)))]]);
}

const codesAt =
  (status: string) =>
  (refusals: Refusals): readonly string[] =>
    Object.entries(refusals).find(([key]) => key === status)?.[1] ?? [];
