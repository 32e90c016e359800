/**
 * Why the browser cannot be sent back to a TPP: nothing proves yet whose it is, or where to. The
 * page `/authorise/ended` has a text for each.
 */
export const endedReasons = ["unknown-client", "wrong-redirect-uri", "gone", "fault"] as const;
export type EndedReason = (typeof endedReasons)[number];

/** Ends an authorisation request on the bank's own page; a redirect could be to anybody. */
export class LocalFault extends Error {
  override readonly name = "LocalFault";
  readonly reason: EndedReason;

  constructor(reason: EndedReason) {
    super(reason);
    this.reason = reason;
  }
}

export type AuthorisationError =
  | "invalid_request"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_response_type"
  | "server_error";

/** Ends an authorisation request at the TPP, whose client_id and redirect_uri are proven by then. */
export class AuthorisationFault extends Error {
  override readonly name = "AuthorisationFault";
  readonly error: AuthorisationError;

  /** `description` is for the TPP's developer: ASCII without quotes (RFC 6749 4.1.2.1). */
  constructor(error: AuthorisationError, description: string) {
    super(description);
    this.error = error;
  }
}

/** The bank's own page for what cannot be sent to a TPP. */
export function endedPage(webUrl: string, reason: EndedReason): string {
  return `${webUrl}/authorise/ended?reason=${reason}`;
}
