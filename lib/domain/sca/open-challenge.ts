import { after } from "../clock";
import type { AccountId } from "../identifiers";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";
import { challengeText } from "./challenge";
import type { CodeWording } from "./code-message";
import { type SubjectPorts, subjectOf } from "./subject";
import { textLimits } from "./text-budget";

export type ChallengePorts = SubjectPorts &
  Pick<Ports, "oneTimeCodes" | "textBudget" | "tppRegister">;

export type Challenged = {
  readonly outcome: "code-sent" | "not-delivered" | "too-many-codes" | "too-many-texts" | "ended";
};

type Again = {
  readonly authorisation: Authorisation;
  /** In the PSU's language. */
  readonly wording: CodeWording;
  readonly now: Date;
};
export type Asked = Again & { readonly selection: readonly AccountId[] };

/** Sends a code for what the authorisation stands for with these accounts; an earlier code is dead. */
export async function openChallenge(
  ports: ChallengePorts,
  { authorisation, selection, wording, now }: Asked,
): Promise<Challenged> {
  const { codeDigits, codeMinutes, codesSentMax, codesUndeliveredMax } = ports.profile.sca;
  const { id, resourceId, psuId } = authorisation;
  const subject = await subjectOf(ports, { ...authorisation, selection }, now);
  if (subject === undefined || psuId === undefined) return { outcome: "ended" };
  if (authorisation.codesSent >= codesSentMax) return { outcome: "too-many-codes" };
  // Before anything changes: a code that is under way stays good.
  const limits = textLimits(ports.profile, now);
  if (!(await ports.textBudget.take(psuId, limits, now))) return { outcome: "too-many-texts" };

  const code = ports.oneTimeCodes.create(codeDigits);
  const codeFingerprint = ports.oneTimeCodes.fingerprint(
    challengeText({ authorisationId: id, resourceId, linked: subject.linked }, code),
  );
  const open = { codeFingerprint, expiresAt: after(now, codeMinutes, "minute") };
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

/** Another code for the selection already made; the earlier code is worth nothing from then on. */
export async function sendNewCode(ports: ChallengePorts, asked: Again): Promise<Challenged> {
  const { scaStatus, selection } = asked.authorisation;
  if (scaStatus !== "started") return { outcome: "ended" };
  return openChallenge(ports, { ...asked, selection });
}
