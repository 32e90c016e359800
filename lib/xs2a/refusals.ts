import * as z from "zod";
import {
  type Fault,
  type MessageCode,
  messageCodes,
  type Rejection,
  type StatusOf,
} from "@/lib/domain/errors";

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

export const ofToken: Refusals = { 401: ["TOKEN_UNKNOWN", "TOKEN_INVALID", "TOKEN_EXPIRED"] };

export const ofConsentRequest: Refusals = { 400: ["SERVICE_INVALID", "SESSIONS_NOT_SUPPORTED"] };

export const ofConsent: Refusals = { 403: ["CONSENT_UNKNOWN"] };

export const ofAuthorisation: Refusals = { ...ofConsent, 404: ["RESOURCE_UNKNOWN"] };

/** A consent in `Consent-ID`, which has to be open. */
export const ofOpenConsent: Refusals = {
  400: ["CONSENT_UNKNOWN"],
  401: ["CONSENT_INVALID", "CONSENT_EXPIRED"],
};

/** Account data, which the unattended read within a budget. */
export const ofAccountData: Refusals = { 403: ["SERVICE_BLOCKED"], 429: ["ACCESS_EXCEEDED"] };

export const ofAccount: Refusals = { ...ofAccountData, 404: ["RESOURCE_UNKNOWN"] };

export const ofTransactions: Refusals = {
  ...ofAccount,
  400: ["PERIOD_INVALID", "PARAMETER_NOT_SUPPORTED"],
};

export const ofTransaction: Refusals = { ...ofAccount, 400: ["PERIOD_INVALID"] };

const ofProduct: Refusals = { 404: ["PRODUCT_UNKNOWN"] };

export const ofPaymentRequest: Refusals = { ...ofProduct, 400: ["PAYMENT_FAILED"] };

export const ofPayment: Refusals = {
  403: ["PRODUCT_INVALID"],
  404: ["PRODUCT_UNKNOWN", "RESOURCE_UNKNOWN"],
};

/** The cancellation of a payment, which is refused even where all else is in order. */
export const ofCancellation: Refusals = { ...ofPayment, 405: ["CANCELLATION_INVALID"] };

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

const TEXT_CHARACTERS_MAX = 500;
const TYPE_CHARACTERS_MAX = 70;
const text = z.string().max(TEXT_CHARACTERS_MAX);
const codes = Object.keys(messageCodes) as MessageCode[];

/** What each code says to the developer of a TPP, for the description of the API. */
export const meaningOf: Readonly<Record<MessageCode, string>> = {
  CERTIFICATE_MISSING: "A certificate was not sent.",
  CERTIFICATE_INVALID:
    "This bank cannot accept a certificate, or nobody can tell whether it is revoked.",
  CERTIFICATE_EXPIRED: "A certificate's time is over, or has not begun.",
  CERTIFICATE_BLOCKED: "The TPP is blocked.",
  CERTIFICATE_REVOKED: "The issuer has revoked the certificate.",
  ROLE_INVALID: "The certificate lacks the PSD2 role of this path.",
  SIGNATURE_MISSING: "The request is not signed.",
  SIGNATURE_INVALID: "The signature does not verify, or does not cover what it has to.",
  TOKEN_UNKNOWN: "No access token of this TPP was sent.",
  TOKEN_INVALID: "The access token is for another resource, or bound to another certificate.",
  TOKEN_EXPIRED: "The access token has expired; refresh it.",
  CONSENT_INVALID: "The consent does not cover this, or is not authorised.",
  CONSENT_EXPIRED: "The consent's time is over, or a newer one has replaced it.",
  CONSENT_UNKNOWN: "This TPP has no such consent.",
  SERVICE_BLOCKED: "The PSU or the account is blocked.",
  RESOURCE_UNKNOWN: "There is nothing at this address that this TPP may see.",
  PRODUCT_UNKNOWN: "This payment product is not offered.",
  PRODUCT_INVALID: "The payment was started as another product.",
  PAYMENT_FAILED: "The bank does not execute such a payment.",
  CANCELLATION_INVALID: "Payments cannot be cancelled.",
  CARD_INVALID: "The consent is for another card.",
  NO_PIIS_ACTIVATION: "The consent is for another account.",
  FORMAT_ERROR: "A part of the request does not have its form.",
  PARAMETER_NOT_CONSISTENT: "Two parts of the request contradict each other.",
  PARAMETER_NOT_SUPPORTED: "A parameter of the standard that this bank does not offer.",
  PERIOD_INVALID: "The dates lie outside what can be asked for.",
  SERVICE_INVALID: "The method or service is not offered here.",
  SESSIONS_NOT_SUPPORTED: "Account information and payment in one session are not offered.",
  TIMESTAMP_INVALID: "Date is too far from the bank's clock.",
  STATUS_INVALID: "The state of the resource does not allow it.",
  ACCESS_EXCEEDED:
    "The calls of this consent are used up, or too many authorisations wait for their PSUs.",
  REQUESTED_FORMATS_INVALID: "Accept allows nothing that this bank can answer with.",
  UNSUPPORTED_MEDIA_TYPE: "The body is not plain application/json in UTF-8.",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  INTERNAL_SERVER_ERROR: "A fault of the bank's own.",
  SERVICE_UNAVAILABLE: "The bank cannot answer now.",
};

const code = z
  .union(codes.map((name) => z.literal(name).describe(meaningOf[name])))
  .meta({ id: "MessageCode", description: "What is wrong." });

const path = z.string().describe("Which part of the request it is about.");

const error = z.strictObject({
  category: z.literal("ERROR"),
  code,
  path: path.optional(),
  text: text.describe("The cause, for the developer of the TPP."),
});

const links = z.strictObject({
  help: z.strictObject({ href: z.url() }).describe("What the first code means and what to do."),
});

export const refusalSent = z
  .strictObject({ tppMessages: z.array(error).min(1), _links: links.optional() })
  .meta({ id: "TppMessages", description: "A refusal, with an entry for each fault." });

/** The same for a TPP that asks for nothing else (RFC 7807). */
export const problemSent = z
  .strictObject({
    type: z.url().max(TYPE_CHARACTERS_MAX),
    title: code,
    status: z.int().min(400).max(599),
    detail: text,
    code,
    additionalErrors: z.array(z.strictObject({ code, detail: text })).optional(),
    _links: links,
  })
  .meta({ id: "Problem", description: "A refusal as a problem document (RFC 7807)." });

export const warningSent = z
  .strictObject({ category: z.literal("WARNING"), code: z.literal("WARNING"), path, text })
  .meta({ id: "Warning", description: "A remark: the request was granted with a change." });

/**
 * The standard's form of a refusal: every fault an entry, and a link to the page of the first one's code. `errors` is
 * the address below which these pages are; a request that never reached the pipeline is answered without it.
 */
export function tppMessages(
  faults: readonly Fault[],
  errors?: string,
): z.infer<typeof refusalSent> {
  const messages = faults.map(({ code, path, text }) => {
    const known = { category: "ERROR" as const, code, text: clipped(text) };
    return path === undefined ? known : { ...known, path };
  });
  const code = faults[0]?.code;
  if (errors === undefined || code === undefined) return { tppMessages: messages };
  return { tppMessages: messages, _links: { help: { href: `${errors}/${code}` } } };
}

/** The same refusal for a TPP that asks for nothing but problem documents. */
export function problemDocument(
  { status, faults: [{ code, text }, ...others] }: Rejection,
  errors: string,
): z.infer<typeof problemSent> {
  const help = `${errors}/${code}`;
  const additionalErrors = others.map((other) => ({
    code: other.code,
    detail: clipped(other.text),
  }));
  return {
    // RFC 9457 4.2.1: without an address of its own a problem has this type.
    type: help.length > TYPE_CHARACTERS_MAX ? "about:blank" : help,
    title: code,
    status,
    detail: clipped(text),
    code,
    ...(additionalErrors.length > 0 && { additionalErrors }),
    _links: { help: { href: help } },
  };
}

/** The first code of a refusal in either form. No text in it is taken for one: there each quote has a backslash before it. */
export function firstCodeIn(body: string): MessageCode | undefined {
  const name = /"code":"(?<name>[A-Z_]+)"/.exec(body)?.groups?.["name"];
  return codes.find((code) => code === name);
}

function clipped(text: string): string {
  return text.slice(0, TEXT_CHARACTERS_MAX);
}
