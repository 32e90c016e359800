/** One reason: `text` is sent to the TPP, for its developer, so it holds no internals. */
export type Fault = { readonly code: MessageCode; readonly text: string; readonly path?: string };

/** Ends a request. Thrown where it ends; caught once, where the answer is written. */
export class Rejection extends Error {
  override readonly name = "Rejection";

  constructor(
    readonly status: number,
    readonly faults: readonly [Fault, ...Fault[]],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status} ${faults.map((fault) => fault.code).join(", ")}: ${faults[0].text}`);
  }
}

type Where = { readonly path?: string; readonly headers?: Readonly<Record<string, string>> };

/** A rejection with the code's usual status, or with another one that the table allows for it. */
export function reject<Code extends MessageCode>(
  code: Code,
  text: string,
  { status, path, headers }: Where & { readonly status?: StatusOf<Code> } = {},
): Rejection {
  const fault = path === undefined ? { code, text } : { code, text, path };
  return new Rejection(status ?? messageCodes[code][0], [fault], headers);
}

/**
 * Every message code a TPP can get and the HTTP statuses it comes with, most usual first.
 * NextGenPSD2 1.3.12; the last four name faults for which the standard has a status but no code.
 */
export const messageCodes = {
  CERTIFICATE_MISSING: [401],
  CERTIFICATE_INVALID: [401],
  CERTIFICATE_EXPIRED: [401],
  CERTIFICATE_BLOCKED: [401],
  CERTIFICATE_REVOKED: [401],
  ROLE_INVALID: [401],
  SIGNATURE_MISSING: [401],
  SIGNATURE_INVALID: [401],
  TOKEN_UNKNOWN: [401],
  TOKEN_INVALID: [401],
  TOKEN_EXPIRED: [401],
  CONSENT_INVALID: [401],
  CONSENT_EXPIRED: [401],
  CONSENT_UNKNOWN: [403, 400],
  SERVICE_BLOCKED: [403],
  RESOURCE_UNKNOWN: [404, 403, 400],
  PRODUCT_UNKNOWN: [404],
  PRODUCT_INVALID: [403],
  PAYMENT_FAILED: [400],
  CANCELLATION_INVALID: [405],
  CARD_INVALID: [400],
  NO_PIIS_ACTIVATION: [400],
  FORMAT_ERROR: [400],
  PARAMETER_NOT_CONSISTENT: [400],
  PARAMETER_NOT_SUPPORTED: [400],
  PERIOD_INVALID: [400],
  SERVICE_INVALID: [405, 400],
  SESSIONS_NOT_SUPPORTED: [400],
  TIMESTAMP_INVALID: [400],
  STATUS_INVALID: [409],
  ACCESS_EXCEEDED: [429],
  REQUESTED_FORMATS_INVALID: [406],
  UNSUPPORTED_MEDIA_TYPE: [415],
  PAYLOAD_TOO_LARGE: [413],
  INTERNAL_SERVER_ERROR: [500],
  SERVICE_UNAVAILABLE: [503],
} as const satisfies Record<string, readonly number[]>;

export type MessageCode = keyof typeof messageCodes;
export type StatusOf<Code extends MessageCode> = (typeof messageCodes)[Code][number];

/**
 * A service that the bank depends on is unavailable. Whether a change was made is not known, so this is never
 * an acknowledgement, and a repeated request is answered from what is on record.
 */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Which service is unavailable, in a few words for the log; undefined for an error that is no outage. */
export function outageIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof UnavailableError ? error.message : outageIn(error.cause);
}

export function isUnavailable(error: unknown): boolean {
  return outageIn(error) !== undefined;
}

/** When to ask again while the bank cannot answer, in seconds (RFC 9110 10.2.3): it is back soon after its database is. */
export const retryAfter = { "retry-after": "2" } as const;
