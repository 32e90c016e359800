import type { Branded, PsuId } from "../identifiers";

/** The bank's own key of a passkey, for its pages. */
export type PasskeyId = Branded<"PasskeyId">;

export const newPasskeyId = () => crypto.randomUUID() as string as PasskeyId;

/** A PSU's key pair of which the bank has the public half (WebAuthn); binary values are base64url. */
export type Passkey = {
  readonly id: PasskeyId;
  /** Made by the PSU's device. */
  readonly credentialId: string;
  readonly psuId: PsuId;
  /** COSE_Key, RFC 9052. */
  readonly publicKey: string;
  /** Of signatures, as the device counts them; devices that share a passkey do not, and say 0. */
  readonly counter: number;
  /** How browsers may reach the device, in their own words. */
  readonly transports: readonly string[];
  /** The PSU's own word for it. */
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
};

export type NewPasskey = Omit<Passkey, "lastUsedAt">;

export type PasskeyAdding = "passkey-added" | "known-already" | "too-many-passkeys";

/** Every method is one statement or one transaction. Who adds or removes leaves an audit event. */
export type PasskeyStore = {
  /** Those in use, the oldest first. */
  readonly ofPsu: (psuId: PsuId) => Promise<readonly Passkey[]>;

  /** Of one in use. */
  readonly ownerOf: (credentialId: string) => Promise<PsuId | undefined>;

  /**
   * `known-already` when the bank has met this credential before, whosever it is and even if it was
   * removed; `too-many-passkeys` when its PSU has, or has added within a day, as many as there may be.
   */
  readonly add: (passkey: NewPasskey, passkeysMax: number) => Promise<PasskeyAdding>;

  /**
   * Keeps the counter of a signature. False when the passkey was removed, or when its counter has not
   * grown: then somebody has copied the key, or the same signature.
   */
  readonly use: (id: PasskeyId, counter: number, now: Date) => Promise<boolean>;

  /** False when this PSU has no such passkey in use. */
  readonly remove: (id: PasskeyId, psuId: PsuId, now: Date) => Promise<boolean>;
};

/** What a browser hands over when a passkey has signed; all base64url. */
export type PasskeyAssertion = {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** Whom the device believes to be its user. */
  readonly userHandle?: string | undefined;
};

/** What a browser hands over when a passkey has been made. */
export type PasskeyRegistration = {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
};

/** Judges what browsers hand over, for the bank's own web address and nobody else's. */
export type PasskeyVerifier = {
  /**
   * The signature's counter, or undefined unless this passkey has signed this very challenge at the
   * bank's address, and the device made sure of its user.
   */
  readonly verify: (
    assertion: PasskeyAssertion,
    expected: { readonly passkey: Passkey; readonly challenge: string },
  ) => Promise<{ readonly counter: number } | undefined>;

  /** The same for a passkey that has just been made. */
  readonly verifyNew: (
    registration: PasskeyRegistration,
    expected: { readonly challenge: string },
  ) => Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter"> | undefined>;

  /** By what a device knows this PSU: always the same, and nothing of the bank's own. */
  readonly userHandle: (psuId: PsuId) => string;
};
