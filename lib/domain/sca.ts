import { accountMeant, type BankAccount } from "./accounts";
import {
  type Authorisation,
  type FailureReason,
  failAuthorisation,
  isDecided,
  type Proved,
} from "./authorisation";
import type { ScaMeans } from "./bank-profile";
import { offerAccounts } from "./consents";
import {
  type CodeWording,
  challengeText,
  goneBecause,
  type NotShown,
  type SubjectPorts,
  signedText,
  subjectOf,
} from "./dynamic-linking";
import { type AppAskedOutcome, type ApprovalPorts, askInApp } from "./identity-provider";
import {
  judgeAssertion,
  newNonce,
  type PasskeyAsked,
  type PasskeyAssertion,
  type PasskeyPorts,
  type PasskeyStore,
} from "./passkeys";
import {
  type CodeSent,
  type OneTimeCodes,
  type Psu,
  type PsuDirectory,
  type TextBudget,
  textLimits,
} from "./psu";
import {
  type AttemptPorts,
  attemptLimits,
  failAttempt,
  forgetFailures,
  giveBackAttempt,
  givingBack,
  takeAttempt,
  type Unlocked,
} from "./psu-attempts";
import { type GuardPorts, guarded, type HeldBack, type Network } from "./sign-in-throttle";
import type { TppRegister } from "./tpp";
import { type AccountId, addTime, dayIn, type PsuId, sha256 } from "./values";

type SignIn = Unlocked & {
  readonly authorisation: Authorisation;
  readonly userId: string;
  readonly password: string;
  readonly network?: Network | undefined;
  readonly now: Date;
};

type Identification =
  | { readonly outcome: "authenticated"; readonly psu: Psu }
  | { readonly outcome: "wrong-credentials"; readonly attemptsLeft: number }
  | { readonly outcome: "another-psu" }
  | HeldBack
  | { readonly outcome: "ended" };

/**
 * Judges user ID and password. The outcome does not show which of the two was wrong (RTS art. 4(3)(a)). A
 * right password costs no attempt and gives back none that failed before: somebody who knows it gets no
 * more guesses at codes by signing in again.
 */
export async function identifyPsu(ports: IdentifyPorts, signIn: SignIn): Promise<Identification> {
  return guarded(ports, signIn, () => judgePassword(ports, signIn), isWrongPassword);
}

type IdentifyPorts = AttemptPorts & GuardPorts & { readonly psuDirectory: PsuDirectory };

const isWrongPassword = ({ outcome }: Identification) =>
  outcome === "wrong-credentials" || outcome === "ended";

async function judgePassword(
  ports: IdentifyPorts,
  { authorisation: { id, tppId }, userId, password, unlockedFor, now }: SignIn,
): Promise<Identification> {
  const means = "password";
  const attempt = await takeAttempt(ports, { id, userId, means, unlockedFor, now });
  if (attempt === undefined) return { outcome: "ended" };

  const psu = await ports.psuDirectory
    .verifyPassword(userId, password, tppId)
    .catch(givingBack(() => giveBackAttempt(ports, attempt, now)));
  if (psu === undefined) {
    const attemptsLeft = await failAttempt(ports, attempt, now);
    return attemptsLeft === 0
      ? { outcome: "ended" }
      : { outcome: "wrong-credentials", attemptsLeft };
  }
  await ports.psuAttempts.giveBack(attempt.user, means);
  // Only after a right password: to anybody else it would show that there is such a user ID.
  if (await ports.psuAttempts.isBlockedForGood(attempt.user, attemptLimits(ports.profile, now))) {
    await failAuthorisation(ports, { id, because: "psu-blocked", now });
    return { outcome: "ended" };
  }
  if (await ports.authorisations.authenticate(id, psu.id, now)) {
    return { outcome: "authenticated", psu };
  }
  const wrongPlace = { ...attempt, leftOfPsu: ports.profile.sca.failedAttemptsMax };
  const attemptsLeft = await failAttempt(ports, wrongPlace, now);
  return { outcome: attemptsLeft === 0 ? "ended" : "another-psu" };
}

type Selection = AskedFor | { readonly outcome: "nothing-selected" | "not-offered" };

type Choice = {
  readonly authorisation: Authorisation;
  readonly selected: readonly string[];
  readonly wording: CodeWording;
  readonly now: Date;
};

/**
 * The PSU's choice of accounts. It must lie within the PSU's own payment accounts as they are now;
 * what a form says beyond that is refused whole. Then the PSU is asked for a proof.
 */
export async function selectAccounts(
  ports: AskingPorts,
  { authorisation, selected, wording, now }: Choice,
): Promise<Selection> {
  const { kind, scaStatus, psuId } = authorisation;
  if (kind !== "AIS" || isDecided(scaStatus) || psuId === undefined) return { outcome: "ended" };
  if (selected.length === 0) return { outcome: "nothing-selected" };
  const offered = await offerAccounts(ports, { authorisation, psuId });
  const chosen = offered.map(({ account }) => account.id).filter((id) => selected.includes(id));
  if (chosen.length !== new Set(selected).size) return { outcome: "not-offered" };
  return askForProof(ports, { authorisation, selection: chosen, wording, now });
}

type Beginner = {
  readonly authorisation: Authorisation;
  readonly wording: CodeWording;
  /** What the PSU wants; the first that this PSU has, where nothing is wanted yet. */
  readonly by?: "ciba" | "code";
  readonly now: Date;
};

type Beginning = AskedFor | { readonly outcome: "not-own-account" };

/**
 * Where the account is fixed there is nothing to choose: the proof is asked for as soon as the PSU is
 * known. An account that is none of the PSU's own payment accounts ends the authorisation here.
 */
export async function beginChallenge(
  ports: AskingPorts,
  { authorisation, wording, by, now }: Beginner,
): Promise<Beginning> {
  const { id, kind, scaStatus } = authorisation;
  if (kind === "AIS" || isDecided(scaStatus)) return { outcome: "ended" };
  const account = await fixedAccount(ports, authorisation);
  if (account === undefined) {
    await failAuthorisation(ports, { id, because: "not-own-account", now });
    return { outcome: "not-own-account" };
  }
  return askForProof(ports, { authorisation, selection: [account.id], wording, now }, by);
}

type AccountPorts = Pick<ChallengePorts, "payments" | "fundsConsents" | "coreBank">;

/** The account that the payment or the funds consent is about, if it is this PSU's own. */
export async function fixedAccount(
  ports: AccountPorts,
  { id, kind, psuId }: Pick<Authorisation, "id" | "kind" | "psuId">,
): Promise<BankAccount | undefined> {
  if (psuId === undefined) return undefined;
  const own = await ports.coreBank.accountsOf(psuId);
  if (kind === "PIS") {
    const payment = await ports.payments.findByAuthorisation(id);
    const order = payment?.order;
    return order && accountMeant(order.debtor, own, order.amount.currency);
  }
  const consent = await ports.fundsConsents.findByAuthorisation(id);
  return consent && accountMeant(consent.account, own);
}

type AskingPorts = ChallengePorts & ApprovalPorts & { readonly passkeys: PasskeyStore };

/** `passkey-asked`, `provider-asked`: the authorisation waits, and nothing is under way. */
type AskedFor =
  | CodeSent
  | AppAskedOutcome
  | { readonly outcome: "passkey-asked" | "provider-asked" | "no-means" };

/**
 * Once it is fixed what the PSU is asked to confirm: by the first of the bank's means that this PSU has, or by the one
 * that the PSU wants. A code or a request to the app goes to the phone at once; the others wait for the PSU.
 */
async function askForProof(
  ports: AskingPorts,
  asked: ChallengeAsked,
  wanted?: "ciba" | "code",
): Promise<AskedFor> {
  const { authorisation, selection, now } = asked;
  const { id, psuId } = authorisation;
  const offered = psuId === undefined ? [] : await meansOf(ports, psuId);
  const means = offered.find((one) => one === wanted) ?? offered[0];
  if (means === "code" || means === "ciba") {
    const { outcome } = await (means === "code" ? openChallenge : askInApp)(ports, asked);
    // The page that follows offers the other means. What another submission has opened meanwhile stays.
    if (outcome === "too-many-texts" && authorisation.scaStatus === "psuAuthenticated") {
      await ports.authorisations.select(id, selection, now, { linkHash: undefined });
    }
    return { outcome };
  }
  const selected = await ports.authorisations.select(id, selection, now);
  if (!selected) return { outcome: "ended" };
  if (means === undefined) return { outcome: "no-means" };
  return { outcome: means === "passkey" ? "passkey-asked" : "provider-asked" };
}

/** By which of the bank's means this PSU may confirm: all of them, but a passkey takes one. */
export async function meansOf(
  { passkeys, profile }: Pick<AskingPorts, "passkeys" | "profile">,
  psuId: PsuId,
): Promise<readonly ScaMeans[]> {
  const { means } = profile.sca;
  if (!means.includes("passkey")) return means;
  const own = await passkeys.ofPsu(psuId);
  return means.filter((one) => one !== "passkey" || own.length > 0);
}

type ChallengePorts = SubjectPorts & {
  readonly oneTimeCodes: OneTimeCodes;
  readonly textBudget: TextBudget;
  readonly tppRegister: TppRegister;
};

type NewCodeAsked = {
  readonly authorisation: Authorisation;
  /** In the PSU's language. */
  readonly wording: CodeWording;
  readonly now: Date;
};
type ChallengeAsked = NewCodeAsked & { readonly selection: readonly AccountId[] };

/** Sends a code for this authorisation with these accounts; it replaces an earlier one. */
async function openChallenge(
  ports: ChallengePorts,
  { authorisation, selection, wording, now }: ChallengeAsked,
): Promise<CodeSent> {
  const { codeDigits, codeMinutes, codesSentMax, codesUndeliveredMax } = ports.profile.sca;
  const { id, resourceId, psuId } = authorisation;
  const subject = await subjectOf(ports, { ...authorisation, selection }, now);
  if (subject === undefined || psuId === undefined) return { outcome: "ended" };
  if (authorisation.codesSent >= codesSentMax) return { outcome: "too-many-codes" };
  // Before anything changes: a code that was sent before stays valid.
  const limits = textLimits(ports.profile, now);
  if (!(await ports.textBudget.take(psuId, limits, now))) return { outcome: "too-many-texts" };

  const code = ports.oneTimeCodes.create(codeDigits);
  const codeFingerprint = ports.oneTimeCodes.fingerprint(
    challengeText({ authorisationId: id, resourceId, linked: subject.linked }, code),
  );
  const { linkHash } = subject;
  const open = { codeFingerprint, expiresAt: addTime(now, codeMinutes, "minute"), linkHash };
  const started = await ports.authorisations.startChallenge(id, selection, open, codesSentMax, now);
  if (!started) return { outcome: "ended" };

  const tpp = await ports.tppRegister.find(authorisation.tppId);
  const tppName = tpp?.name ?? authorisation.tppId;
  const text = wording({ code, tppName, purpose: subject.purpose });
  if (await ports.oneTimeCodes.send({ psuId, text, code, sentAt: now })) {
    return { outcome: "code-sent" };
  }
  await ports.authorisations.withdrawCode(id, codeFingerprint, codesUndeliveredMax, now);
  return { outcome: "not-delivered" };
}

/** Another code, or another request to the app, for the same selection; it replaces the earlier one. */
export async function askAgain(
  ports: AskingPorts,
  { by, ...asked }: NewCodeAsked & { readonly by: "ciba" | "code" },
): Promise<AskedFor> {
  const { scaStatus, selection } = asked.authorisation;
  if (scaStatus !== "started" || !ports.profile.sca.means.includes(by)) return { outcome: "ended" };
  return askForProof(ports, { ...asked, selection }, by);
}

type PasskeyChallengeAsked = {
  readonly authorisation: Authorisation;
  /** The link hash of what the PSU's page shows; a page of the release before does not say it. */
  readonly shown?: string | undefined;
  readonly now: Date;
};

/** A new challenge for the authorisation as it is now; it replaces an earlier one. */
export async function openPasskeyChallenge(
  ports: SubjectPorts & { readonly passkeys: PasskeyStore },
  { authorisation, shown, now }: PasskeyChallengeAsked,
): Promise<PasskeyAsked | NotShown> {
  const { id, resourceId, psuId, selection, scaStatus } = authorisation;
  if (scaStatus !== "started" || psuId === undefined) return { outcome: "ended" };
  const subject = await subjectOf(ports, authorisation, now);
  if (subject === undefined) return { outcome: "ended" };
  if (shown !== undefined && shown !== subject.linkHash) return { outcome: "not-shown" };
  const passkeys = await ports.passkeys.ofPsu(psuId);
  if (passkeys.length === 0) return { outcome: "no-passkey" };

  const nonce = newNonce();
  const expiresAt = addTime(now, ports.profile.sca.passkeyMinutes, "minute");
  const { linked, linkHash } = subject;
  const open = { nonce, expiresAt, linkHash };
  const started = await ports.authorisations.startPasskeyChallenge(id, selection, open, now);
  if (!started) return { outcome: "ended" };
  const bound = { authorisationId: id, resourceId, nonce, linked };
  const challenge = await sha256(signedText("passkey", bound));
  return { outcome: "challenged", challenge, passkeys };
}

type Confirmation = Unlocked & {
  readonly authorisation: Authorisation;
  readonly proof: Proof;
  /** The link hash of what the PSU's page shows; a page of the release before does not say it. */
  readonly shown?: string | undefined;
  readonly now: Date;
};

/** `rejected`: authorised by the PSU, and refused by a rule of the bank. `changed`: nothing was judged, and the PSU is to be asked again. */
type Completion =
  | { readonly outcome: "finalised" | "rejected" | "ended" }
  | { readonly outcome: "wrong-code" | "wrong-passkey"; readonly attemptsLeft: number }
  | { readonly outcome: "changed" | "code-expired" | "passkey-expired" }
  | NotShown;

const proofFaults = {
  code: { wrong: "wrong-code", expired: "code-expired" },
  passkey: { wrong: "wrong-passkey", expired: "passkey-expired" },
} as const;

/**
 * Judges the PSU's proof and, when it is right, keeps the PSU's yes. The challenge is computed again from
 * what the rows say now, so a proof given for anything else does not fit; the conditional update lets
 * it be used once (RTS art. 4(1)). A completed SCA ends the PSU's row of failures.
 */
export async function completeAuthorisation(
  ports: SubjectPorts & AttemptPorts & JudgingPorts & { readonly psuDirectory: PsuDirectory },
  { authorisation, proof, shown, unlockedFor, now }: Confirmation,
): Promise<Completion> {
  const { id, psuId, scaStatus } = authorisation;
  const fault = proofFaults[proof.method];
  if (scaStatus !== "started" || psuId === undefined) return { outcome: "ended" };
  if (!isWaitedFor(authorisation, proof, now)) return { outcome: fault.expired };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu === undefined) return endedAsGone(ports, { id, now });
  // Before an attempt is taken: an outage of the core bank costs none.
  const subject = await subjectOf(ports, authorisation, now);
  if (subject === undefined) {
    return endedAsGone(ports, { id, because: await goneBecause(ports, authorisation, now), now });
  }
  const { linked, linkHash } = subject;
  if (authorisation.linkHash !== undefined && authorisation.linkHash !== linkHash) {
    const { selection, linkHash: ofChallenge } = authorisation;
    const only = { linkHash: ofChallenge };
    const ended = await ports.authorisations.select(id, selection, now, only);
    return { outcome: ended ? "changed" : "ended" };
  }
  if (shown !== undefined && shown !== linkHash) return { outcome: "not-shown" };

  const { userId } = psu;
  const means = proof.method;
  const attempt = await takeAttempt(ports, { id, userId, means, unlockedFor, now });
  if (attempt === undefined) return { outcome: "ended" };
  const giveBack = () => giveBackAttempt(ports, attempt, now);
  const bound = { authorisationId: id, resourceId: authorisation.resourceId, linked };
  const proved = await judgeProof(ports, {
    ...{ open: attempt.authorisation, psuId, proof, now },
    codeText: (code) => challengeText(bound, code),
    passkeyText: (nonce) => signedText("passkey", { ...bound, nonce }),
  }).catch(givingBack(giveBack));
  if (proved === "stale") {
    await giveBack();
    return { outcome: "ended" };
  }
  if (proved === "wrong") {
    const attemptsLeft = await failAttempt(ports, attempt, now);
    return attemptsLeft === 0 ? { outcome: "ended" } : { outcome: fault.wrong, attemptsLeft };
  }

  const on = dayIn(ports.profile.timeZone, now);
  const confirmed = { psuId, ...proved, on, at: now };
  const finalisation = await subject.finalise(confirmed).catch(givingBack(giveBack));
  if (finalisation === "finalised" || finalisation === "rejected") {
    await forgetFailures(ports, userId);
    return { outcome: finalisation };
  }
  // Nobody has mistyped anything.
  await giveBack();
  return finalisation === "too-late" ? { outcome: "ended" } : endedAsGone(ports, { id, now });
}

type Gone = Pick<Authorisation, "id"> & {
  readonly because?: FailureReason;
  readonly now: Date;
};

async function endedAsGone(
  ports: AttemptPorts,
  { because = "account-gone", ...gone }: Gone,
): Promise<Completion> {
  await failAuthorisation(ports, { ...gone, because });
  return { outcome: "ended" };
}

type JudgingPorts = PasskeyPorts & { readonly oneTimeCodes: OneTimeCodes };

/** Of an authorisation, or of a sign-in at the bank's own channel. */
type OpenChallenges = Pick<Authorisation, "challenge" | "passkeyChallenge">;

/** Whether a challenge for such a proof is open. */
export function isWaitedFor(
  { challenge, passkeyChallenge: open }: OpenChallenges,
  { method }: Proof,
  now: Date,
): boolean {
  const asked = method === "code" ? challenge : open;
  return asked !== undefined && now < asked.expiresAt;
}

type ProofQuestion = {
  readonly open: OpenChallenges;
  readonly psuId: PsuId;
  readonly proof: Proof;
  /** What code and passkey authorise, as it is now: a proof given for anything else does not fit. */
  readonly codeText: (code: string) => string;
  readonly passkeyText: (nonce: string) => string;
  readonly now: Date;
};

/** `stale`: no challenge is open for it, so it is no failure of the PSU. A code is compared in constant time. */
export async function judgeProof(
  ports: JudgingPorts,
  { open, psuId, proof, codeText, passkeyText, now }: ProofQuestion,
): Promise<Exclude<Proved, { readonly approvalNonce: string }> | "stale" | "wrong"> {
  const { challenge, passkeyChallenge } = open;
  if (proof.method === "code") {
    if (challenge === undefined) return "stale";
    const { codeFingerprint } = challenge;
    const isRight = ports.oneTimeCodes.matches(codeText(proof.code), codeFingerprint);
    return isRight ? { codeFingerprint } : "wrong";
  }
  if (passkeyChallenge === undefined) return "stale";
  const { nonce } = passkeyChallenge;
  const text = passkeyText(nonce);
  const question = { psuId, assertion: proof.assertion, challenge: await sha256(text), now };
  const signed = await judgeAssertion(ports, question);
  return signed === undefined ? "wrong" : { passkeyNonce: nonce, evidence: { ...signed, text } };
}

/**
 * The second element of SCA, as the PSU has presented it: a code that only the PSU's phone has, or the
 * signature of a key that only the PSU's device has (possession, RTS art. 7).
 */
export type Proof =
  | { readonly method: "code"; readonly code: string }
  | { readonly method: "passkey"; readonly assertion: PasskeyAssertion };
