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
