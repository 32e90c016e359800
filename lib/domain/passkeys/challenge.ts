import type { AuthorisationId } from "../identifiers";
import { base64url, sha256 } from "../sha256";

/** Fresh and unguessable. */
export function newNonce(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

type Bound = {
  readonly authorisationId: AuthorisationId;
  /** ConsentId or PaymentId. */
  readonly resourceId: string;
  readonly nonce: string;
  /** What the signature stands for; see `Subject`. */
  readonly linked: string;
};

/**
 * What a passkey signs: the SHA-256 of what is authorised. So dynamic linking (RTS art. 5(1)) lies in the
 * signature itself, and nothing else than this amount to this payee fits it. The first line keeps it
 * apart from all else the bank makes fingerprints of; what is free in form comes last.
 */
export function passkeyChallenge(bound: Bound): Promise<string> {
  return sha256(passkeyText(bound));
}

/** The text itself: whoever has it can show later what was signed. */
export function passkeyText({ authorisationId, resourceId, nonce, linked }: Bound): string {
  return ["passkey", authorisationId, resourceId, nonce, linked].join("\n");
}
