import type { AspspProfile } from "./bank-profile";
import type { OneTimeCodes } from "./psu";
import { type Branded, base64url, type PsuId } from "./values";

/** The bank's own key of a passkey, for its pages. */
export type PasskeyId = Branded<"PasskeyId">;

const newPasskeyId = () => crypto.randomUUID() as string as PasskeyId;

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
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
};

export type NewPasskey = Omit<Passkey, "lastUsedAt">;

export type PasskeyAdding = "passkey-added" | "known-already" | "too-many-passkeys";

/** Every method is one statement or one transaction; `add` and `remove` record an event. */
export type PasskeyStore = {
  /** Those in use, the oldest first. */
  readonly ofPsu: (psuId: PsuId) => Promise<readonly Passkey[]>;

  /** Of one in use. */
  readonly ownerOf: (credentialId: string) => Promise<PsuId | undefined>;

  /**
   * `known-already` when the bank has had this credential before, of any PSU and even if it was
   * removed; `too-many-passkeys` when its PSU has, or has added within a day, as many as there may be.
   */
  readonly add: (passkey: NewPasskey, passkeysMax: number) => Promise<PasskeyAdding>;

  /**
   * Keeps the counter of a signature. False when the passkey was removed, or when its counter has not
   * grown: then the key, or this very signature, was copied.
   */
  readonly use: (id: PasskeyId, counter: number, now: Date) => Promise<boolean>;

  /** False when this PSU has no such passkey in use. */
  readonly remove: (id: PasskeyId, psuId: PsuId, now: Date) => Promise<boolean>;
};

/** What a browser sends when a passkey has signed; all base64url. */
export type PasskeyAssertion = {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** Whom the device believes to be its user. */
  readonly userHandle?: string | undefined;
};

/** What a browser sends when a passkey has been made. */
export type PasskeyRegistration = {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
};

/** Verifies what browsers send, for the bank's own web address only. */
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

  /** What devices know this PSU by: always the same, and no id of the bank's own. */
  readonly userHandle: (psuId: PsuId) => string;
};

/** Fresh and unguessable. */
export function newNonce(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

export type PasskeyPorts = {
  readonly passkeys: PasskeyStore;
  readonly passkeyVerifier: PasskeyVerifier;
};

export type PasskeyAsked =
  | {
      readonly outcome: "challenged";
      readonly challenge: string;
      /** Any of these may sign it. */
      readonly passkeys: readonly Passkey[];
    }
  | { readonly outcome: "no-passkey" | "ended" };

type AssertionQuestion = {
  readonly psuId: PsuId;
  readonly assertion: PasskeyAssertion;
  readonly challenge: string;
  readonly now: Date;
};

/** What was signed by which key: with it anybody can verify the signature again. */
export type Signed = Pick<Passkey, "credentialId" | "publicKey"> &
  Pick<PasskeyAssertion, "clientDataJson" | "authenticatorData" | "signature">;

/**
 * The signature, when one of this PSU's passkeys has signed this challenge. The counter is kept by a conditional
 * update, so of two that hold the same signature, or the same key, one is refused.
 */
export async function judgeAssertion(
  { passkeys, passkeyVerifier }: PasskeyPorts,
  { psuId, assertion, challenge, now }: AssertionQuestion,
): Promise<Signed | undefined> {
  const own = await passkeys.ofPsu(psuId);
  const passkey = own.find(({ credentialId }) => credentialId === assertion.credentialId);
  if (passkey === undefined) return undefined;
  const verified = await passkeyVerifier.verify(assertion, { passkey, challenge });
  if (verified === undefined) return undefined;
  if (!(await passkeys.use(passkey.id, verified.counter, now))) return undefined;
  const { credentialId, publicKey } = passkey;
  const { clientDataJson, authenticatorData, signature } = assertion;
  return { credentialId, publicKey, clientDataJson, authenticatorData, signature };
}

type Enrolling = {
  /** The PSU, who has done SCA (RTS art. 24(2)(b)). */
  readonly psuId: PsuId;
  readonly registration: PasskeyRegistration;
  /** What the browser was given to make it with. */
  readonly challenge: string;
  readonly name: string;
  readonly notice: string;
  readonly now: Date;
};

/** Adds a passkey, and notifies the PSU by text message. */
export async function enrolPasskey(
  ports: PasskeyPorts & {
    readonly oneTimeCodes: OneTimeCodes;
    readonly profile: AspspProfile;
  },
  { psuId, registration, challenge, name, notice, now }: Enrolling,
): Promise<{ readonly outcome: PasskeyAdding | "not-understood" }> {
  const made = await ports.passkeyVerifier.verifyNew(registration, { challenge });
  if (made === undefined) return { outcome: "not-understood" };
  const { transports } = registration;
  const passkey = { ...made, id: newPasskeyId(), psuId, transports, name, createdAt: now };
  const outcome = await ports.passkeys.add(passkey, ports.profile.sca.passkeysMax);
  if (outcome !== "passkey-added") return { outcome };
  // It is added whether or not the phone can be reached.
  await ports.oneTimeCodes.send({ psuId, text: notice, sentAt: now });
  return { outcome };
}

type Removing = {
  readonly id: PasskeyId;
  readonly psuId: PsuId;
  readonly notice: string;
  readonly now: Date;
};

/** False, and no message is sent, when this PSU has no such passkey in use. */
export async function removePasskey(
  ports: { readonly passkeys: PasskeyStore; readonly oneTimeCodes: OneTimeCodes },
  { id, psuId, notice, now }: Removing,
): Promise<boolean> {
  if (!(await ports.passkeys.remove(id, psuId, now))) return false;
  // It is removed whether or not the phone can be reached.
  await ports.oneTimeCodes.send({ psuId, text: notice, sentAt: now });
  return true;
}
