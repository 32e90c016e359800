import type { MessageCode } from "@/lib/domain/errors";

/** What a TPP's developer does about each code, and what an answer with it says in `text`. */
type ErrorHelp = { readonly toDo: string; readonly text: string; readonly path?: string };

export const errorHelp: Readonly<Record<MessageCode, ErrorHelp>> = {
  CERTIFICATE_MISSING: {
    toDo: "Show the QWAC in the TLS handshake, and send the QSealC in TPP-Signature-Certificate.",
    text: "no client certificate was presented",
  },
  CERTIFICATE_INVALID: {
    toDo: "Compare the certificate with what the text names: its issuer, its kind, its PSD2 statement, its organisation. If its status cannot be told, try again later.",
    text: "certificate is not issued by a trusted issuer",
  },
  CERTIFICATE_EXPIRED: {
    toDo: "Use a certificate that is valid today; the text has the day.",
    text: "certificate was valid until 2026-11-20T12:00:00Z, the bank's clock says 2026-11-26T12:00:00Z",
  },
  CERTIFICATE_BLOCKED: {
    toDo: "Ask the bank why it has blocked you. Do not retry.",
    text: "PSDRO-NBR-1234567 is blocked by the bank",
  },
  CERTIFICATE_REVOKED: {
    toDo: "Use another certificate, and ask your trust service provider about this one.",
    text: "certificate has been revoked by its issuer",
  },
  ROLE_INVALID: {
    toDo: "Accounts need PSP_AI, payments PSP_PI, confirmation of funds PSP_IC: use a QWAC with the role.",
    text: "the certificate lacks PSP_PI; it has PSP_AI",
  },
  SIGNATURE_MISSING: {
    toDo: "Sign the request with the QSealC's key and send it in Signature, also when there is no body.",
    text: "Signature is missing: every request has to be signed",
    path: "Signature",
  },
  SIGNATURE_INVALID: {
    toDo: "Compare your signing string with the bank's: the text names the likely mistake. Sign digest, x-request-id and date, and psu-id, psu-corporate-id and tpp-redirect-uri where you send them, and tpp-nok-redirect-uri where it leads to another host than tpp-redirect-uri.",
    text: "Signature does not cover tpp-redirect-uri",
    path: "Signature",
  },
  TOKEN_UNKNOWN: {
    toDo: "Send the access token of this resource in Authorization: Bearer.",
    text: "the access token is none that this bank has issued to this TPP",
    path: "Authorization",
  },
  TOKEN_INVALID: {
    toDo: "Refresh the token after renewing the QWAC. If it was revoked, or its consent has ended, have the PSU authorise a new consent.",
    text: "the access token was revoked, or what it was issued on has ended",
    path: "Authorization",
  },
  TOKEN_EXPIRED: {
    toDo: "Refresh the token at the token endpoint and repeat the request.",
    text: "the access token has expired at 2026-11-26T12:15:00.000Z, the bank's clock says 2026-11-26T12:15:01.000Z; refresh it",
    path: "Authorization",
  },
  CONSENT_INVALID: {
    toDo: "Read the consent: its status, and what the PSU has granted. For more, ask for a new one.",
    text: "the consent does not cover the transactions of this account",
  },
  CONSENT_EXPIRED: {
    toDo: "Use the newer consent where the PSU has authorised one; otherwise ask for a new one and have the PSU authorise it.",
    text: "this consent has expired; the PSU has to authorise a new one",
  },
  CONSENT_UNKNOWN: {
    toDo: "Use the consentId of the answer that created the consent, with the same organisation's certificate.",
    text: "this consent is not known",
  },
  SERVICE_BLOCKED: {
    toDo: "Tell the PSU to ask the bank: it has blocked the account, or the PSU. In the first case other accounts of the consent stay open.",
    text: "this account is blocked",
  },
  RESOURCE_UNKNOWN: {
    toDo: "Check the path and the id. Ids of accounts belong to one consent and are other ones in the next.",
    text: "this authorisation is not known",
  },
  PRODUCT_UNKNOWN: {
    toDo: "Use a payment product of the reference.",
    text: "this payment service or product is not offered",
  },
  PRODUCT_INVALID: {
    toDo: "Name the product that the payment was started with.",
    text: "this payment was started as instant-sepa-credit-transfers",
  },
  PAYMENT_FAILED: {
    toDo: "Change the payment as the text says, for example to a lower amount, and send it with a new X-Request-ID.",
    text: "the amount is above this bank's limit for sepa-credit-transfers, 50000.00 EUR a payment",
    path: "instructedAmount.amount",
  },
  CANCELLATION_INVALID: {
    toDo: "Do not offer the cancellation of payments at this bank.",
    text: "payments cannot be cancelled at this bank",
  },
  CARD_INVALID: {
    toDo: "Ask about the card that the consent names, or for a consent for this one.",
    text: "the consent is for another card",
    path: "cardNumber",
  },
  NO_PIIS_ACTIVATION: {
    toDo: "Ask about the account that the consent names, or for a consent for this one.",
    text: "the consent is for another account",
    path: "account",
  },
  FORMAT_ERROR: {
    toDo: "Correct each part that path names, as the reference describes it. All faults of a body are in one answer.",
    text: "X-Request-ID is missing",
    path: "X-Request-ID",
  },
  PARAMETER_NOT_CONSISTENT: {
    toDo: "Send only one of the two parts that the text names, or make them agree.",
    text: "two parts of the request contradict each other",
  },
  PARAMETER_NOT_SUPPORTED: {
    toDo: "Leave the parameter out.",
    text: "deltaList is not supported",
    path: "deltaList",
  },
  PERIOD_INVALID: {
    toDo: "Ask for a later dateFrom. Older entries are open only in the first minutes after the PSU's authorisation.",
    text: "entries before 2026-08-28 (90 days) are open only in the first 10 minutes after the PSU's authorisation",
    path: "dateFrom",
  },
  SERVICE_INVALID: {
    toDo: "Use a method that Allow names, or a service of the reference.",
    text: "PUT is not offered here; offered: GET, DELETE",
  },
  SESSIONS_NOT_SUPPORTED: {
    toDo: "Send combinedServiceIndicator: false, and start payments by themselves.",
    text: "account information and payment in one session are not offered",
    path: "combinedServiceIndicator",
  },
  TIMESTAMP_INVALID: {
    toDo: "Set your clock by NTP, and sign at the moment of sending. In the sandbox the bank's clock may have been moved.",
    text: "Date is 900 s behind the bank's clock, which says Thu, 26 Nov 2026 12:15:00 GMT; 300 s are allowed",
    path: "Date",
  },
  STATUS_INVALID: {
    toDo: "Read the resource's status first; it allows the call in another state.",
    text: "the state of the resource does not allow it",
  },
  ACCESS_EXCEEDED: {
    toDo: "Wait as long as Retry-After says. Calls with the PSU present carry PSU-IP-Address and are not counted.",
    text: "the consent allows 4 unattended accesses in 24 hours",
  },
  REQUESTED_FORMATS_INVALID: {
    toDo: "Send Accept: application/json, or leave Accept out.",
    text: "only application/json is offered, and Accept does not allow it",
    path: "Accept",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    toDo: "Send Content-Type: application/json, and the body in UTF-8 without compression.",
    text: "the body has to be application/json in UTF-8; Content-Type is missing",
    path: "Content-Type",
  },
  PAYLOAD_TOO_LARGE: {
    toDo: "Send a smaller body; the text has the limit.",
    text: "the body is larger than 65536 bytes",
  },
  INTERNAL_SERVER_ERROR: {
    toDo: "Repeat a payment with the same X-Request-ID: nothing is paid twice. If it stays, send the bank the X-Request-ID.",
    text: "the request failed by a fault of ours",
  },
  SERVICE_UNAVAILABLE: {
    toDo: "Wait as long as Retry-After says, and repeat the request with the same X-Request-ID: nothing is paid twice.",
    text: "the bank cannot answer at the moment, try again",
  },
};
