import type { Challenge, JudgedHere, PasskeyChallenge } from "./authorisation";
import type { AspspProfile } from "./bank-profile";
import type { Identified } from "./identity-provider";
import {
  judgeAssertion,
  newNonce,
  type PasskeyAsked,
  type PasskeyAssertion,
  type PasskeyPorts,
} from "./passkeys";
import { type CodeSent, type Psu, type PsuDirectory, type TextBudget, textLimits } from "./psu";
import {
  attemptLimits,
  type BlockNotices,
  blockPsu,
  forgetFailures,
  givingBack,
  keyOf,
  type PsuAttempts,
  type Unlocked,
} from "./psu-attempts";
import { isWaitedFor, judgeProof, type Proof } from "./sca";
import { type GuardPorts, guarded, type HeldBack, type Network } from "./sign-in-throttle";
import { addTime, type Branded, type PsuId, sha256 } from "./values";

type Credentials = Unlocked & {
  readonly userId: string;
  readonly password: string;
  /** Of the session that begins when both are right. */
  readonly session: SessionHash;
  readonly network?: Network | undefined;
  readonly now: Date;
};

type SignInBeginning =
  | { readonly outcome: "password-right"; readonly signIn: SignIn }
  | { readonly outcome: "wrong-credentials"; readonly attemptsLeft: number }
  /** `blocked-for-good` is said only to whom the password is known. */
  | { readonly outcome: "blocked" | "blocked-for-good" }
  | HeldBack;

/**
 * The first of two elements at the bank's own channel. The outcome does not show whether user ID or
 * password was wrong (RTS art. 4(3)(a)), and failures count with all others of the same user ID
 * (4(3)(b)). A right password gives back no failure before it.
 */
export async function beginSignIn(
  ports: SignInPorts,
  credentials: Credentials,
): Promise<SignInBeginning> {
  return guarded(ports, credentials, () => judgePassword(ports, credentials), isWrong);
}

type SignInPorts = GuardPorts &
  PasskeyPorts & {
    readonly signIns: SignInStore;
    readonly psuDirectory: PsuDirectory;
    readonly psuAttempts: PsuAttempts;
    readonly blockNotices: BlockNotices;
    readonly textBudget: TextBudget;
  };

const isWrong = ({ outcome }: SignInBeginning) =>
  outcome === "wrong-credentials" || outcome === "blocked";

async function judgePassword(
  ports: SignInPorts,
  { userId, password, session, unlockedFor, now }: Credentials,
): Promise<SignInBeginning> {
  const user = await keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, "password", limits, now);
  if (taken === undefined) return { outcome: "blocked" };
  const giveBack = () => ports.psuAttempts.giveBack(user, "password");
  const psu = await ports.psuDirectory.verifyPassword(userId, password).catch(givingBack(giveBack));
  if (psu === undefined) {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-credentials", attemptsLeft };
    await blockPsu(ports, { userId, user, takenAt: now }, now);
    return { outcome: "blocked" };
  }
  await giveBack();
  if (await ports.psuAttempts.isBlockedForGood(user, limits))
    return { outcome: "blocked-for-good" };
  await ports.signIns.begin(session, psu.id, now);
  const signIn = { session, psuId: psu.id, beganAt: now, codesSent: 0 };
  return { outcome: "password-right", signIn };
}

type SendingPorts = Pick<SignInPorts, "signIns" | "oneTimeCodes" | "textBudget" | "profile">;

/** Sends a code, unless the PSU has a passkey: then only when the PSU asks for one. */
export async function askAtSignIn(
  ports: SendingPorts & Pick<SignInPorts, "passkeys">,
  asked: AskedToSend,
): Promise<CodeSent | { readonly outcome: "passkey-asked" }> {
  const own = await ports.passkeys.ofPsu(asked.signIn.psuId);
  return own.length > 0 ? { outcome: "passkey-asked" } : sendSignInCode(ports, asked);
}

/** What the text on the phone has to say, in the PSU's language. */
export type SignInWording = (message: {
  readonly code: string;
  readonly reference: string;
}) => string;

type AskedToSend = {
  readonly signIn: SignIn;
  readonly wording: SignInWording;
  readonly now: Date;
};

/** Sends a code for this sign-in alone; it replaces an earlier one. */
export async function sendSignInCode(
  ports: SendingPorts,
  { signIn, wording, now }: AskedToSend,
): Promise<CodeSent> {
  const { codeDigits, codeMinutes, codesSentMax } = ports.profile.sca;
  const { session, psuId } = signIn;
  if (signIn.codesSent >= codesSentMax) return { outcome: "too-many-codes" };
  // Before anything changes: a code that was sent before stays valid.
  const limits = textLimits(ports.profile, now);
  if (!(await ports.textBudget.take(psuId, limits, now))) return { outcome: "too-many-texts" };

  const code = ports.oneTimeCodes.create(codeDigits);
  const codeFingerprint = ports.oneTimeCodes.fingerprint(textsOf(session).codeText(code));
  const challenge = { codeFingerprint, expiresAt: addTime(now, codeMinutes, "minute") };
  if (!(await ports.signIns.startChallenge(session, challenge, codesSentMax, now))) {
    return { outcome: "ended" };
  }
  const text = wording({ code, reference: referenceOf(session) });
  if (await ports.oneTimeCodes.send({ psuId, text, code, sentAt: now })) {
    return { outcome: "code-sent" };
  }
  // A PSU without codes left can sign in again, so this one stays counted.
  await ports.signIns.withdrawCode(session, codeFingerprint);
  return { outcome: "not-delivered" };
}

/**
 * The texts of a sign-in, for one browser, which alone has the session. Of a code the keyed fingerprint is kept, of a
 * passkey's the SHA-256 is signed. Those of authorisations and of user IDs begin otherwise, so nothing of one fits another.
 */
const textsOf = (session: SessionHash) => ({
  codeText: (code: string) => ["sign-in", session, code].join("\n"),
  passkeyText: (nonce: string) => ["passkey sign-in", session, nonce].join("\n"),
});

/** Shown on the page and in the message, so that a PSU can tell which sign-in a code is for. */
export function referenceOf(session: SessionHash): string {
  return session.slice(0, 4).toUpperCase();
}

/** A new challenge, which replaces an earlier one. */
export async function openSignInPasskeyChallenge(
  { passkeys, signIns, profile }: Pick<SignInPorts, "passkeys" | "signIns" | "profile">,
  { signIn: { session, psuId }, now }: { readonly signIn: SignIn; readonly now: Date },
): Promise<PasskeyAsked> {
  const own = await passkeys.ofPsu(psuId);
  if (own.length === 0) return { outcome: "no-passkey" };
  const nonce = newNonce();
  const expiresAt = addTime(now, profile.sca.passkeyMinutes, "minute");
  if (!(await signIns.startPasskeyChallenge(session, { nonce, expiresAt }, now))) {
    return { outcome: "ended" };
  }
  const challenge = await sha256(textsOf(session).passkeyText(nonce));
  return { outcome: "challenged", challenge, passkeys: own };
}

type Completion = Unlocked & {
  readonly signIn: SignIn;
  readonly proof: Proof;
  /** The session that begins with SCA, in place of the one known before it. */
  readonly opens: SessionHash;
  readonly now: Date;
};

type SignInCompletion =
  | { readonly outcome: "signed-in" | "stale-proof" | "blocked" | "ended" }
  | { readonly outcome: "wrong-proof"; readonly attemptsLeft: number };

/**
 * The second element, whichever the PSU has chosen; it completes SCA. The attempt is counted before it is
 * judged, so that parallel guesses cannot outrun the limit; the fifth failure ends the sign-in and blocks
 * the user ID (RTS art. 4(3)(b)). A completed SCA ends the row of failures.
 */
export async function completeSignIn(
  ports: Omit<SignInPorts, "signInThrottle" | "passwordTurns" | "textBudget">,
  { signIn, proof, opens, unlockedFor, now }: Completion,
): Promise<SignInCompletion> {
  const { session, psuId } = signIn;
  if (signIn.scaDoneAt !== undefined) return { outcome: "ended" };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu === undefined) return endSignIn(ports, signIn, "ended", now);

  const { userId } = psu;
  const user = await keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, proof.method, limits, now);
  if (taken === undefined) return endSignIn(ports, signIn, "blocked", now);
  const giveBack = () => ports.psuAttempts.giveBack(user, proof.method);
  const question = { open: signIn, psuId, proof, now, ...textsOf(session) };
  const judged = isWaitedFor(signIn, proof, now)
    ? await judgeProof(ports, question).catch(givingBack(giveBack))
    : "stale";
  if (judged === "wrong") {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-proof", attemptsLeft };
    await blockPsu(ports, { userId, user, takenAt: now }, now);
    return endSignIn(ports, signIn, "blocked", now);
  }
  if (judged !== "stale") {
    const completed = { session, opened: opens, judged, at: now };
    if (await ports.signIns.complete(completed).catch(givingBack(giveBack))) {
      await forgetFailures(ports, userId);
      return { outcome: "signed-in" };
    }
  }
  await giveBack();
  return { outcome: judged === "stale" ? "stale-proof" : "ended" };
}

async function endSignIn(
  { signIns }: { readonly signIns: SignInStore },
  { session }: SignIn,
  outcome: "blocked" | "ended",
  now: Date,
): Promise<SignInCompletion> {
  await signIns.revoke(session, now);
  return { outcome };
}

type ProviderSignIn = {
  readonly session: SessionHash;
  readonly identified: Pick<Identified, "customerId" | "authTime">;
  /** By the clock that the provider's is compared with: a sandbox's own may have been moved. */
  readonly machineNow: Date;
  readonly now: Date;
};

/** The identity provider has proved both elements: SCA was done when it says, which may be a while ago. */
export async function signInByProvider(
  { signIns }: { readonly signIns: SignInStore },
  { session, identified: { customerId, authTime }, machineNow, now }: ProviderSignIn,
): Promise<void> {
  const secondsAgo = Math.max(0, (machineNow.getTime() - authTime.getTime()) / 1_000);
  const scaDoneAt = addTime(now, -secondsAgo, "second");
  await signIns.beginSignedIn(session, customerId, scaDoneAt, now);
}

/** What a passkey signs to unlock its user ID in one browser; its first line differs from that of every other challenge. */
export function unlockChallenge(nonce: string): Promise<string> {
  return sha256(["passkey unlock", nonce].join("\n"));
}

type UnlockAsked = {
  readonly assertion: PasskeyAssertion;
  readonly nonce: string;
  readonly now: Date;
};

/**
 * The owner of the passkey that has signed; no user ID is asked for, so the answer does not show whether one exists.
 * In this browser the owner may then sign in although the user ID is blocked: with the password and a second element
 * as ever, since this proves possession alone (RTS art. 9), and with attempts counted apart (art. 4(3)(b)). A failure
 * here is not counted: nobody guesses a signature, and no password or code was tried.
 */
export async function unlock(
  ports: PasskeyPorts & { readonly psuDirectory: PsuDirectory },
  { assertion, nonce, now }: UnlockAsked,
): Promise<Psu | undefined> {
  const psuId = await ports.passkeys.ownerOf(assertion.credentialId);
  if (psuId === undefined) return undefined;
  const challenge = await unlockChallenge(nonce);
  const signed = await judgeAssertion(ports, { psuId, assertion, challenge, now });
  return signed && ports.psuDirectory.find(psuId);
}

/** The SHA-256 of a session's id, which itself is in nothing but the browser's cookie. */
export type SessionHash = Branded<"SessionHash">;

/** A PSU's session at the bank's own channel, and what the PSU has proved in it. */
export type SignIn = {
  readonly session: SessionHash;
  readonly psuId: PsuId;
  readonly beganAt: Date;
  /** Absent after the password alone, which opens nothing. At the identity provider it may have been before. */
  readonly scaDoneAt?: Date;
  readonly challenge?: Challenge;
  readonly passkeyChallenge?: PasskeyChallenge;
  readonly codesSent: number;
};

export type SessionLimits = {
  /** RTS art. 4(3)(d). */
  readonly inactivityMinutes: number;
  readonly sessionMinutes: number;
};

/** Every method is one conditional statement; `undefined` or `false`: too late. */
export type SignInStore = {
  /** The password was right. Throws when the session is known already: nobody gets another's. */
  readonly begin: (session: SessionHash, psuId: PsuId, now: Date) => Promise<void>;

  /** The identity provider has proved both elements: the session is signed in. Throws when it is known already. */
  readonly beginSignedIn: (
    session: SessionHash,
    psuId: PsuId,
    scaDoneAt: Date,
    now: Date,
  ) => Promise<void>;

  /** Counts as activity; undefined once a limit has passed or the session was ended. */
  readonly touch: (
    session: SessionHash,
    limits: SessionLimits,
    now: Date,
  ) => Promise<SignIn | undefined>;

  /** Keeps the challenge in place of an earlier one, and counts the code; while SCA is open. */
  readonly startChallenge: (
    session: SessionHash,
    challenge: Challenge,
    codesSentMax: number,
    now: Date,
  ) => Promise<boolean>;

  /** Keeps a passkey's challenge in place of an earlier one; while SCA is open. */
  readonly startPasskeyChallenge: (
    session: SessionHash,
    challenge: PasskeyChallenge,
    now: Date,
  ) => Promise<boolean>;

  /** The code could not be delivered: its challenge ends. It stays counted. */
  readonly withdrawCode: (session: SessionHash, codeFingerprint: string) => Promise<void>;

  /**
   * SCA is done: `opened` is a signed-in session of the same PSU, and the one that only knew the
   * password is over. Once, and only while that one lives and its challenge is the one judged.
   */
  readonly complete: (completed: Completed) => Promise<boolean>;

  /** Signs out, whatever was proved. */
  readonly revoke: (session: SessionHash, now: Date) => Promise<void>;
};

export type Completed = {
  readonly session: SessionHash;
  readonly opened: SessionHash;
  readonly judged: JudgedHere;
  readonly at: Date;
};

/**
 * A passkey identifies its PSU from now on, so adding one takes a recent SCA (RTS art. 24(2)(b)): a browser
 * that was left open, or a copied cookie, is not enough. Where the bank takes none, it would do nothing.
 */
export function mayAddPasskey(
  { ownChannel, sca }: AspspProfile,
  { scaDoneAt }: Pick<SignIn, "scaDoneAt">,
  now: Date,
): boolean {
  if (scaDoneAt === undefined || !sca.means.includes("passkey")) return false;
  return now < addTime(scaDoneAt, ownChannel.addPasskeyMinutes, "minute");
}
