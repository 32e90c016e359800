import {
  type ApprovalChallenge,
  type Authorisation,
  type AuthorisationPorts,
  type FailureReason,
  failAuthorisation,
  isDecided,
  type ProvedByProvider,
} from "./authorisation";
import {
  type CodeWording,
  goneBecause,
  type SubjectPorts,
  signedText,
  subjectOf,
} from "./dynamic-linking";
import { newNonce } from "./passkeys";
import { type PsuDirectory, type TextBudget, textLimits } from "./psu";
import { type AttemptPorts, forgetFailures } from "./psu-attempts";
import type { TppRegister } from "./tpp";
import { type AccountId, addTime, dayIn, type PsuId, sha256 } from "./values";

// What the bank's identity provider proves: who signs in, and that this customer approves what is shown.

/** From an ID token whose issuer, audience, signature, nonce and times have been verified. */
export type Identified = ProvedByProvider & {
  readonly customerId: PsuId;
  readonly authTime: Date;
  readonly idToken: string;
  /** Of what the customer has approved, as the provider returns it; absent where it returns nothing. */
  readonly approvedHash?: string | undefined;
};

/** The customer's app, asked by the provider (OpenID CIBA). It rejects with no error: an outage is an outcome. */
export type ApprovalApp = {
  readonly ask: (request: ApprovalRequest) => Promise<AppAsked>;
  /** `askedSecondsAgo`: the customer must not have approved before. */
  readonly answerTo: (requestId: string, askedSecondsAgo: number) => Promise<AppAnswer>;
};

export type ApprovalRequest = {
  readonly customerId: PsuId;
  /** What the app shows; `reference` is part of it. */
  readonly text: string;
  readonly reference: string;
  readonly hash: string;
  /** By which the provider proves itself when it tells that there is an answer. */
  readonly notificationToken: string;
  readonly expirySeconds: number;
};

type AppAsked =
  | { readonly outcome: "asked"; readonly requestId: string; readonly pollSeconds: number }
  | { readonly outcome: "provider-unavailable" };

type AppAnswer =
  | { readonly outcome: "approved"; readonly identified: Identified }
  | { readonly outcome: "pending"; readonly pollSeconds: number }
  | { readonly outcome: "refused" | "approval-expired" | "provider-unavailable" | Unproved };

/** The provider's answer does not say what was asked for. */
type Unproved = "acr-too-low" | "not-proved";

type SignedIn = {
  readonly authorisation: Authorisation;
  readonly identified: Identified;
  readonly now: Date;
};

/**
 * A customer who has signed in at the identity provider. Failures there are its own to count; what this bank has
 * blocked after wrong codes stays blocked.
 */
export async function identifyByProvider(
  { authorisations }: Pick<AuthorisationPorts, "authorisations">,
  { authorisation: { id, scaStatus }, identified, now }: SignedIn,
): Promise<"authenticated" | "another-psu" | "ended"> {
  if (isDecided(scaStatus)) return "ended";
  const { customerId, acr, amr, authTime } = identified;
  const proof = { means: "oidc", acr, amr, authTime } as const;
  if (await authorisations.authenticate(id, customerId, now, proof)) return "authenticated";
  const current = await authorisations.find(id);
  return current?.psuId === undefined || current.psuId === customerId ? "ended" : "another-psu";
}

export type ApprovalPorts = SubjectPorts & {
  readonly textBudget: TextBudget;
  readonly tppRegister: TppRegister;
  /** Absent where the bank has none. */
  readonly approvalApp?: ApprovalApp | undefined;
};

type Asked = {
  readonly authorisation: Authorisation;
  readonly selection: readonly AccountId[];
  readonly wording: CodeWording;
  readonly now: Date;
};

export type AppAskedOutcome = {
  readonly outcome:
    | "app-asked"
    | "provider-unavailable"
    | "too-many-codes"
    | "too-many-texts"
    | "ended";
};

/**
 * Asks the customer's app for a yes to this authorisation with these accounts. The customer's phone is disturbed as
 * by a text, and bounded as texts are: nobody who knows how to sign in can make it ring all day. While the provider
 * cannot be reached nothing changes: an earlier request stands.
 */
export async function askInApp(
  ports: ApprovalPorts,
  { authorisation, selection, wording, now }: Asked,
): Promise<AppAskedOutcome> {
  const { codesSentMax, codesUndeliveredMax, approvalMinutes } = ports.profile.sca;
  const { psuId } = authorisation;
  if (ports.approvalApp === undefined || psuId === undefined) return { outcome: "ended" };
  if (authorisation.codesSent >= codesSentMax) return { outcome: "too-many-codes" };
  const limits = textLimits(ports.profile, now);
  if (!(await ports.textBudget.take(psuId, limits, now))) return { outcome: "too-many-texts" };

  const request = await approvalOf(ports, { authorisation, selection, wording, now });
  if (request === undefined) return { outcome: "ended" };
  const { id } = authorisation;
  const { authorisations } = ports;
  const { nonce, expiresAt, linkHash, ...shown } = request;
  if (!(await authorisations.countAppRequest(id, selection, linkHash, codesSentMax, now))) {
    return { outcome: "ended" };
  }
  const expirySeconds = approvalMinutes * 60;
  const sent = { customerId: psuId, ...shown, notificationToken: nonce, expirySeconds };
  const asked = await ports.approvalApp.ask(sent);
  if (asked.outcome !== "asked") {
    await authorisations.uncountAppRequest(id, codesUndeliveredMax, now);
    return asked;
  }
  const { requestId, pollSeconds } = asked;
  const pollAt = addTime(now, pollSeconds, "second");
  const approval = { nonce, expiresAt, linkHash, request: { id: requestId, pollAt } };
  const kept = await authorisations.startApproval(id, selection, approval, now);
  return { outcome: kept ? "app-asked" : "ended" };
}

type NewApproval = {
  readonly nonce: string;
  readonly expiresAt: Date;
  readonly linkHash: string;
  readonly hash: string;
  readonly text: string;
  readonly reference: string;
};

/**
 * Opens a challenge for the provider's page, in place of an earlier one; undefined when there is nothing to approve.
 * `shown`: the link hash of what the PSU's page shows; a page of the release before does not say it.
 */
export async function openApproval(
  ports: Omit<ApprovalPorts, "textBudget">,
  { shown, ...asked }: Asked & { readonly shown: string | undefined },
): Promise<NewApproval | "not-shown" | undefined> {
  const { authorisation, selection, now } = asked;
  const approval = await approvalOf(ports, asked);
  if (approval === undefined) return undefined;
  if (shown !== undefined && shown !== approval.linkHash) return "not-shown";
  const { nonce, expiresAt, linkHash } = approval;
  const open = { nonce, expiresAt, linkHash };
  const started = await ports.authorisations.startApproval(authorisation.id, selection, open, now);
  return started ? approval : undefined;
}

/** Of which nothing is kept yet. */
async function approvalOf(
  ports: Omit<ApprovalPorts, "textBudget">,
  { authorisation, selection, wording, now }: Asked,
): Promise<NewApproval | undefined> {
  const { id, resourceId, tppId } = authorisation;
  const subject = await subjectOf(ports, { ...authorisation, selection }, now);
  if (subject === undefined) return undefined;
  const nonce = newNonce();
  const expiresAt = addTime(now, ports.profile.sca.approvalMinutes, "minute");
  const tpp = await ports.tppRegister.find(tppId);
  const reference = referenceOf(nonce);
  const text = wording({ reference, tppName: tpp?.name ?? tppId, purpose: subject.purpose });
  const bound = { authorisationId: id, resourceId, nonce, linked: subject.linked };
  const hash = await sha256(signedText("approval", bound));
  return { nonce, expiresAt, linkHash: subject.linkHash, hash, text, reference };
}

const REFERENCE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Four letters for the page and the app; no two of them look alike. */
export function referenceOf(nonce: string): string {
  const letterOf = (character: string) =>
    REFERENCE_LETTERS.charAt(character.charCodeAt(0) % REFERENCE_LETTERS.length);
  return Array.from(nonce.slice(0, 4), letterOf).join("");
}

/** `not-proved`: the provider has answered something that does not prove the yes to this. */
export type ApprovalOutcome =
  | { readonly outcome: "finalised" | "rejected" | "ended" | "app-pending" | "approval-expired" }
  | { readonly outcome: "refused" | "another-customer" | "provider-unavailable" | Unproved }
  /** What was asked for is no longer what would be done. */
  | { readonly outcome: "changed" };

type Collecting = {
  readonly authorisation: Authorisation;
  /** The provider has said that there is an answer, so that its pause need not be kept. */
  readonly isNotified?: boolean;
  readonly now: Date;
};

/** Asks the provider what the app has answered, if it is time to ask; what is approved is decided at once. */
export async function collectApproval(
  ports: ApprovalPorts & CompletingPorts,
  { authorisation, isNotified = false, now }: Collecting,
): Promise<ApprovalOutcome> {
  const { id, scaStatus, approval } = authorisation;
  const request = approval?.request;
  if (scaStatus !== "started" || ports.approvalApp === undefined) return { outcome: "ended" };
  if (approval === undefined || request === undefined) return { outcome: "approval-expired" };
  if (now >= approval.expiresAt) return { outcome: "approval-expired" };
  const { nonce, expiresAt } = approval;
  const poll = { nonce, pollAt: addTime(now, POLL_SECONDS, "second") };
  // Another request asks meanwhile, and this one does not wait for it.
  if (!(await ports.authorisations.takeApprovalPoll(id, { ...poll, isNotified }, now))) {
    return { outcome: "app-pending" };
  }
  const askedAt = addTime(expiresAt, -ports.profile.sca.approvalMinutes, "minute");
  const askedSecondsAgo = Math.max(0, (now.getTime() - askedAt.getTime()) / 1_000);
  const answer = await ports.approvalApp.answerTo(request.id, askedSecondsAgo);
  if (answer.outcome === "pending") {
    const until = addTime(now, answer.pollSeconds, "second");
    if (until > poll.pollAt) await ports.authorisations.postponeApprovalPoll(id, poll, until, now);
    return { outcome: "app-pending" };
  }
  if (answer.outcome === "refused") return refuse(ports, id, now);
  const { outcome } =
    answer.outcome === "approved"
      ? await completeApproval(ports, { ...answer, authorisation, nonce, means: "ciba", now })
      : answer;
  // A provider answers once: a second question about the same yes must not end what the first is about to finalise.
  if (!isNotified && isFinalRefusal(outcome)) await ports.authorisations.endApproval(id, poll, now);
  return { outcome };
}

/** There will be no other answer to this request, and it confirms nothing. */
function isFinalRefusal(outcome: ApprovalOutcome["outcome"]): boolean {
  const refusals = ["approval-expired", "not-proved", "acr-too-low", "another-customer"] as const;
  return refusals.some((one) => one === outcome);
}

/** The least pause that the standard demands between two questions (OpenID CIBA 7.3). */
const POLL_SECONDS = 5;

type Approved = {
  readonly authorisation: Authorisation;
  /** Of the challenge that the provider was sent. */
  readonly nonce: string;
  readonly means: "ciba" | "oidc";
  readonly identified: Identified;
  readonly now: Date;
};

type CompletingPorts = SubjectPorts &
  Pick<AttemptPorts, "psuAttempts" | "oneTimeCodes"> & { readonly psuDirectory: PsuDirectory };

/**
 * Judges the provider's word and, when it is right, keeps the PSU's yes. What is authorised is computed again from what
 * the rows say now, so a yes to anything else does not fit; the conditional update lets it be used once (RTS art. 4(1)).
 * A completed SCA ends the PSU's row of failures.
 */
export async function completeApproval(
  ports: CompletingPorts,
  { authorisation, nonce, means, identified, now }: Approved,
): Promise<ApprovalOutcome> {
  const { id, psuId, resourceId, scaStatus } = authorisation;
  if (scaStatus !== "started" || psuId === undefined) return { outcome: "ended" };
  if (!isOpen(authorisation.approval, nonce, now)) return { outcome: "approval-expired" };
  if (identified.customerId !== psuId) return { outcome: "another-customer" };
  const subject = await subjectOf(ports, authorisation, now);
  const end = async (because: FailureReason) => {
    await failAuthorisation(ports, { id, because, now });
    return { outcome: "ended" } as const;
  };
  if (subject === undefined) return end(await goneBecause(ports, authorisation, now));
  // Whatever the provider returns: what it was asked for, and the page has shown, is no longer what would be done.
  // The release before kept no hash: there the details that the provider returns decide, below.
  const { selection, linkHash } = authorisation;
  const isOfReleaseBefore = linkHash === undefined && identified.approvedHash !== undefined;
  if (linkHash !== subject.linkHash && !isOfReleaseBefore) {
    await ports.authorisations.select(id, selection, now, { linkHash });
    return { outcome: "changed" };
  }

  const bound = { authorisationId: id, resourceId, nonce, linked: subject.linked };
  const text = signedText("approval", bound);
  const { approvedHash, idToken, acr, amr, authTime } = identified;
  const { approvedDetailsReturned } = ports.profile.sca;
  if (
    approvedHash === undefined ? approvedDetailsReturned : approvedHash !== (await sha256(text))
  ) {
    return { outcome: "not-proved" };
  }
  const evidence = { means, text, idToken, acr, amr, authTime };
  const on = dayIn(ports.profile.timeZone, now);
  const confirmed = { psuId, approvalNonce: nonce, evidence, on, at: now };
  const finalisation = await subject.finalise(confirmed);
  if (finalisation === "gone") return end("account-gone");
  if (finalisation === "too-late") return { outcome: "ended" };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu !== undefined) await forgetFailures(ports, psu.userId);
  return { outcome: finalisation };
}

function isOpen(approval: ApprovalChallenge | undefined, nonce: string, now: Date): boolean {
  return approval?.nonce === nonce && now < approval.expiresAt;
}

/** The customer has said no, in the app or at the provider: the PSU's no. */
export async function refuse(
  ports: AuthorisationPorts,
  id: Authorisation["id"],
  now: Date,
): Promise<ApprovalOutcome> {
  await failAuthorisation(ports, { id, because: "cancelled", now });
  return { outcome: "refused" };
}
