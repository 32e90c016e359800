import { AuthorisationFault } from "../faults";

/** base64url of a SHA-256, without padding. */
const SHA_256 = /^[A-Za-z0-9_-]{43}$/;

/** PKCE is mandatory and `plain` would show the verifier to whoever sees the request (RFC 7636). */
export function checkCodeChallenge(parameters: URLSearchParams): string {
  if (parameters.get("code_challenge_method") !== "S256") {
    throw new AuthorisationFault("invalid_request", "code_challenge_method must be S256");
  }
  const challenge = parameters.get("code_challenge");
  if (challenge === null || !SHA_256.test(challenge)) {
    throw new AuthorisationFault(
      "invalid_request",
      "code_challenge must be 43 characters of base64url",
    );
  }
  return challenge;
}
