import type { Challenge, Judged, PasskeyChallenge } from "./authorisation";
import type { AspspProfile } from "./bank-profile";
import {
  judgeAssertion,
  newNonce,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyPorts,
  type PasskeyStore,
} from "./passkeys";
import { type OneTimeCodes, type Psu, type PsuDirectory, type TextBudget, textLimits } from "./psu";
import {
  attemptLimits,
  type BlockNotices,
  blockPsu,
  forgetFailures,
  keyOf,
  type PsuAttempts,
  type Unlocked,
} from "./psu-attempts";
import type { Proof } from "./sca";
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
 * The first of two elements at the bank's own channel. Nothing in the outcome tells whether user ID or
 * password was wrong (RTS art. 4(3)(a)), and failures count with all others of the same user ID
 * (4(3)(b)). A right password gives back no failure before it.
 */
export async function beginSignIn(
  ports: BeginPorts,
  credentials: Credentials,
): Promise<SignInBeginning> {
  const asked = { network: undefined, ...credentials };
  return guarded(ports, asked, () => judgePassword(ports, credentials), isWrong);
}

type BeginPorts = GuardPorts & {
  readonly signIns: SignInStore;
  readonly psuDirectory: PsuDirectory;
  readonly psuAttempts: PsuAttempts;
  readonly blockNotices: BlockNotices;
};

const isWrong = ({ outcome }: SignInBeginning) =>
  outcome === "wrong-credentials" || outcome === "blocked";

async function judgePassword(
  ports: BeginPorts,
  { userId, password, session, unlockedFor, now }: Credentials,
): Promise<SignInBeginning> {
  const user = keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, "password", limits, now);
  if (taken === undefined) return { outcome: "blocked" };
  const psu = await ports.psuDirectory.verifyPassword(userId, password);
  if (psu === undefined) {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-credentials", attemptsLeft };
    await blockPsu(ports, { userId, user, takenAt: now }, now);
    return { outcome: "blocked" };
  }
  await ports.psuAttempts.giveBack(user, "password");
  if (await ports.psuAttempts.isBlockedForGood(user, limits))
    return { outcome: "blocked-for-good" };
  await ports.signIns.begin(session, psu.id, now);
  const signIn = { session, psuId: psu.id, codesSent: 0 };
  return { outcome: "password-right", signIn };
}

type AskingPorts = {
  readonly passkeys: PasskeyStore;
  readonly signIns: SignInStore;
  readonly oneTimeCodes: OneTimeCodes;
  readonly textBudget: TextBudget;
  readonly profile: AspspProfile;
};

/** A code goes to the phone, unless the PSU has a passkey. Then none is sent until the PSU asks for it. */
export async function askAtSignIn(
  ports: AskingPorts,
  asked: AskedToSend,
): Promise<SignInCodeSent | { readonly outcome: "passkey-asked" }> {
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

type SignInCodeSent = {
  readonly outcome: "code-sent" | "not-delivered" | "too-many-codes" | "too-many-texts" | "ended";
};

/** Sends a code that is for this sign-in and for nothing else; an earlier one is dead. */
export async function sendSignInCode(
  ports: {
    readonly signIns: SignInStore;
    readonly oneTimeCodes: OneTimeCodes;
    readonly textBudget: TextBudget;
    readonly profile: AspspProfile;
  },
  { signIn, wording, now }: AskedToSend,
): Promise<SignInCodeSent> {
  const { codeDigits, codeMinutes, codesSentMax } = ports.profile.sca;
  const { session, psuId } = signIn;
  if (signIn.codesSent >= codesSentMax) return { outcome: "too-many-codes" };
  // Before anything changes: a code that is under way stays good.
  const limits = textLimits(ports.profile, now);
  if (!(await ports.textBudget.take(psuId, limits, now))) return { outcome: "too-many-texts" };

  const code = ports.oneTimeCodes.create(codeDigits);
  const codeFingerprint = ports.oneTimeCodes.fingerprint(signInChallengeText(session, code));
  const challenge = { codeFingerprint, expiresAt: addTime(now, codeMinutes, "minute") };
  if (!(await ports.signIns.startChallenge(session, challenge, codesSentMax, now))) {
    return { outcome: "ended" };
  }
  const text = wording({ code, reference: referenceOf(session) });
  if (await ports.oneTimeCodes.send({ psuId, text, code, sentAt: now })) {
    return { outcome: "code-sent" };
  }
  // Who has used up all codes here starts again, so it need not be given back.
  await ports.signIns.withdrawCode(session, codeFingerprint);
  return { outcome: "not-delivered" };
}

/**
 * The text whose keyed fingerprint is kept. Those of authorisations begin with a UUID and those of user
 * IDs with a word of their own, so no code of one fits another.
 */
export function signInChallengeText(session: SessionHash, code: string): string {
  return ["sign-in", session, code].join("\n");
}

/** Shown on the page and in the message, so that a PSU can tell which sign-in a code is for. */
export function referenceOf(session: SessionHash): string {
  return session.slice(0, 4).toUpperCase();
}

type Bound = { readonly session: SessionHash; readonly nonce: string };

/**
 * What a passkey signs to sign in: for one browser, which alone has the session, and for one use. What is
 * signed for a payment or a consent begins with another line, and fits nothing here.
 */
function signInPasskeyChallenge({ session, nonce }: Bound): Promise<string> {
  return sha256(["passkey sign-in", session, nonce].join("\n"));
}

type PasskeyChallengeAsked = { readonly signIn: SignIn; readonly now: Date };

type SignInPasskeyAsked =
  | {
      readonly outcome: "challenged";
      readonly challenge: string;
      /** Any of these may sign it. */
      readonly passkeys: readonly Passkey[];
    }
  | { readonly outcome: "no-passkey" | "ended" };

/** A fresh challenge, which ends as an authorisation's does; an earlier one is dead. */
export async function openSignInPasskeyChallenge(
  {
    passkeys,
    signIns,
    profile,
  }: {
    readonly passkeys: PasskeyStore;
    readonly signIns: SignInStore;
    readonly profile: AspspProfile;
  },
  { signIn: { session, psuId }, now }: PasskeyChallengeAsked,
): Promise<SignInPasskeyAsked> {
  const own = await passkeys.ofPsu(psuId);
  if (own.length === 0) return { outcome: "no-passkey" };
  const nonce = newNonce();
  const expiresAt = addTime(now, profile.sca.passkeyMinutes, "minute");
  if (!(await signIns.startPasskeyChallenge(session, { nonce, expiresAt }, now))) {
    return { outcome: "ended" };
  }
  const challenge = await signInPasskeyChallenge({ session, nonce });
  return { outcome: "challenged", challenge, passkeys: own };
}

type Completion = Unlocked & {
  readonly signIn: SignIn;
  readonly proof: Proof;
  /** Of the session that is opened: one known before SCA is worth nothing after it. */
  readonly opens: SessionHash;
  readonly now: Date;
};

type SignInCompletion =
  | { readonly outcome: "signed-in" }
  | { readonly outcome: "wrong-proof"; readonly attemptsLeft: number }
  | { readonly outcome: "stale-proof" }
  | { readonly outcome: "blocked" }
  | { readonly outcome: "ended" };

type CompletionPorts = JudgingPorts & {
  readonly signIns: SignInStore;
  readonly psuDirectory: PsuDirectory;
  readonly psuAttempts: PsuAttempts;
  readonly blockNotices: BlockNotices;
  readonly oneTimeCodes: OneTimeCodes;
  readonly profile: AspspProfile;
};

/**
 * The second element, whichever the PSU has chosen; it completes SCA. The attempt is counted before it is
 * judged, so that parallel guesses cannot outrun the limit; the fifth failure ends the sign-in and blocks
 * the user ID (RTS art. 4(3)(b)). A completed SCA ends the row of failures.
 */
export async function completeSignIn(
  ports: CompletionPorts,
  { signIn, proof, opens, unlockedFor, now }: Completion,
): Promise<SignInCompletion> {
  const { session, psuId } = signIn;
  if (signIn.scaDoneAt !== undefined) return { outcome: "ended" };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu === undefined) return endSignIn(ports, signIn, "ended", now);

  const { userId } = psu;
  const user = keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, "second", limits, now);
  if (taken === undefined) return endSignIn(ports, signIn, "blocked", now);
  const judgement = await judgeProof(ports, { signIn, proof, now });
  if (judgement.verdict === "wrong") {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-proof", attemptsLeft };
    await blockPsu(ports, { userId, user, takenAt: now }, now);
    return endSignIn(ports, signIn, "blocked", now);
  }
  const { verdict } = judgement;
  if (verdict === "right") {
    const completed = { session, opened: opens, judged: judgement.judged, at: now };
    if (await ports.signIns.complete(completed)) {
      await forgetFailures(ports, userId);
      return { outcome: "signed-in" };
    }
  }
  await ports.psuAttempts.giveBack(user, "second");
  return { outcome: verdict === "stale" ? "stale-proof" : "ended" };
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

/** `stale`: there is nothing that it could be judged by, so nobody has mistyped anything. */
type Verdict =
  | { readonly verdict: "right"; readonly judged: Judged }
  | { readonly verdict: "wrong" | "stale" };

type Question<Method extends Proof["method"]> = {
  readonly signIn: SignIn;
  readonly proof: Extract<Proof, { readonly method: Method }>;
  readonly now: Date;
};

type JudgingPorts = PasskeyPorts & { readonly oneTimeCodes: OneTimeCodes };

type ProofAsked = Omit<Question<"code">, "proof"> & { readonly proof: Proof };

function judgeProof(ports: JudgingPorts, { proof, ...asked }: ProofAsked): Promise<Verdict> {
  return proof.method === "code"
    ? judgeCode(ports, { ...asked, proof })
    : judgePasskey(ports, { ...asked, proof });
}

/** Constant in time. */
async function judgeCode(
  { oneTimeCodes }: JudgingPorts,
  { signIn: { session, challenge }, proof, now }: Question<"code">,
): Promise<Verdict> {
  if (challenge === undefined || now >= challenge.expiresAt) return { verdict: "stale" };
  const { codeFingerprint } = challenge;
  const typed = oneTimeCodes.fingerprint(signInChallengeText(session, proof.code));
  const right = oneTimeCodes.equal(typed, codeFingerprint);
  return right ? { verdict: "right", judged: { codeFingerprint } } : { verdict: "wrong" };
}

async function judgePasskey(
  ports: JudgingPorts,
  { signIn: { session, psuId, passkeyChallenge: open }, proof, now }: Question<"passkey">,
): Promise<Verdict> {
  if (open === undefined || now >= open.expiresAt) return { verdict: "stale" };
  const { nonce } = open;
  const challenge = await signInPasskeyChallenge({ session, nonce });
  const { assertion } = proof;
  const signed = await judgeAssertion(ports, { psuId, assertion, challenge, now });
  if (signed === undefined) return { verdict: "wrong" };
  return { verdict: "right", judged: { passkeyNonce: nonce } };
}

/** What a passkey signs to be heard in spite of a block; it signs in nobody, and begins with a line of its own. */
export function unlockChallenge(nonce: string): Promise<string> {
  return sha256(["passkey unlock", nonce].join("\n"));
}

type UnlockAsked = {
  readonly assertion: PasskeyAssertion;
  readonly nonce: string;
  readonly now: Date;
};

/**
 * Whose passkey has signed; nobody has said a user ID, so nothing tells whether there is one. The owner may then
 * sign in at this browser while strangers block the user ID: with the password and a second element as ever, since what
 * was proved here is possession alone (RTS art. 9), within as many attempts of its own (art. 4(3)(b)). No failure is
 * counted: nobody guesses a signature, and whoever fails here has touched no password and no code.
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

/** A PSU at the bank's own channel, and what the PSU has proved there. */
export type SignIn = {
  readonly session: SessionHash;
  readonly psuId: PsuId;
  /** Absent after the password alone, which opens nothing. */
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

  /** The code of this challenge went nowhere: it is not waited for any more. It counts all the same. */
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
  readonly judged: Judged;
  readonly at: Date;
};

/**
 * A passkey will stand for its PSU from now on, so it takes an SCA that was done just now (RTS art.
 * 24(2)(b)): a browser that was left open, or a cookie that was copied, adds none.
 */
export function mayAddPasskey(
  { ownChannel }: AspspProfile,
  { scaDoneAt }: Pick<SignIn, "scaDoneAt">,
  now: Date,
): boolean {
  return (
    scaDoneAt !== undefined && now < addTime(scaDoneAt, ownChannel.addPasskeyMinutes, "minute")
  );
}
