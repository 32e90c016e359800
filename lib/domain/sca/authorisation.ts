import type { AccountId, AuthorisationId, PsuId, RequestId, TppId } from "../identifiers";
import type { Signed } from "../passkeys/judge-assertion";
import type { ScaStatus } from "./sca-status";

/** Where the PSU's browser goes back to; the TPP's signature vouches for both hosts. */
export type WayBack = { readonly redirectUri: string; readonly nokRedirectUri?: string };

/** What is authorised, by the prefix of its OAuth scope. */
export type ResourceKind = "AIS" | "PIIS" | "PIS";

/** The open challenge. Only a keyed fingerprint of the code is kept, bound to what it authorises. */
export type Challenge = { readonly codeFingerprint: string; readonly expiresAt: Date };

/** The same for a passkey: what it signs is made of the nonce and of what it authorises, each time anew. */
export type PasskeyChallenge = { readonly nonce: string; readonly expiresAt: Date };

/** Which challenge was judged. A code and a passkey may be waited for at once; either ends both. */
export type Judged = { readonly codeFingerprint: string } | { readonly passkeyNonce: string };

/**
 * What was judged and found right. A signature is kept whole with the decision it stands for: the bank
 * has to prove that its PSU has authorised it (PSD2 art. 72(1)).
 */
export type Proved =
  | { readonly codeFingerprint: string }
  | { readonly passkeyNonce: string; readonly evidence: PasskeyEvidence };

/** `text` is what the challenge is the SHA-256 of; with it anybody can verify the signature again. */
export type PasskeyEvidence = Signed & { readonly text: string };

/** Why an authorisation is `failed`. */
export type FailureReason =
  | "cancelled"
  | "too-many-tries"
  | "psu-blocked"
  | "window-over"
  | "withdrawn-by-tpp"
  | "not-own-account"
  | "account-gone"
  | "tpp-blocked";

/** One PSU's authorisation of one resource, and what the PSU has proved so far. */
export type Authorisation = {
  readonly id: AuthorisationId;
  readonly kind: ResourceKind;
  /** ConsentId or PaymentId, as `kind` says. */
  readonly resourceId: string;
  readonly tppId: TppId;
  /** Of the TPP's request that started it; each starts one authorisation of a kind and no more. */
  readonly requestId: RequestId;
  /** Of that request, where it can be told by it that it arrives again; a payment keeps its own. */
  readonly bodyDigest?: string;
  readonly scaStatus: ScaStatus;
  readonly wayBack: WayBack;
  /** The TPP's PSU-ID header: it fills the login field, no more. */
  readonly loginHint?: string | undefined;
  /** The first PSU who logs in; nobody else can go on from there. */
  readonly psuId?: PsuId;
  /** Wrong passwords and wrong codes together; RTS art. 4(3)(b). */
  readonly failedAttempts: number;
  readonly selection: readonly AccountId[];
  readonly challenge?: Challenge;
  readonly passkeyChallenge?: PasskeyChallenge;
  readonly codesSent: number;
  readonly createdAt: Date;
  readonly failedBecause?: FailureReason;
  /** The end of the SCA window. */
  readonly expiresAt: Date;
};
