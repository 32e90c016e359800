import { after } from "../clock";
import type { AccountId } from "../identifiers";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";
import { challengeText } from "./challenge";
import { type SubjectPorts, subjectOf } from "./subject";

export type ChallengePorts = SubjectPorts & Pick<Ports, "oneTimeCodes" | "tppRegister">;

export type Challenged = {
  readonly outcome: "code-sent" | "not-delivered" | "too-many-codes" | "ended";
};

type Asked = {
  readonly authorisation: Authorisation;
  readonly selection: readonly AccountId[];
  readonly now: Date;
};

/** Sends a code for what the authorisation stands for with these accounts; an earlier code is dead. */
export async function openChallenge(
  ports: ChallengePorts,
  { authorisation, selection, now }: Asked,
): Promise<Challenged> {
  const { codeDigits, codeMinutes, codesSentMax } = ports.profile.sca;
  const { id, resourceId, psuId } = authorisation;
  const subject = await subjectOf(ports, { ...authorisation, selection });
  if (subject === undefined || psuId === undefined) return { outcome: "ended" };
  if (authorisation.codesSent >= codesSentMax) return { outcome: "too-many-codes" };

  const code = ports.oneTimeCodes.create(codeDigits);
  const codeFingerprint = ports.oneTimeCodes.fingerprint(
    challengeText({ authorisationId: id, resourceId, linked: subject.linked }, code),
  );
  const open = { codeFingerprint, expiresAt: after(now, codeMinutes, "minute") };
  const started = await ports.authorisations.startChallenge(id, selection, open, codesSentMax, now);
  if (!started) return { outcome: "ended" };

  const tpp = await ports.tppRegister.find(authorisation.tppId);
  const text = subject.codeMessage(code, tpp?.name ?? authorisation.tppId);
  const delivered = await ports.oneTimeCodes.send({ psuId, text, code, sentAt: now });
  return { outcome: delivered ? "code-sent" : "not-delivered" };
}

/** Another code for the selection already made; the earlier code is worth nothing from then on. */
export async function sendNewCode(
  ports: ChallengePorts,
  { authorisation, now }: { readonly authorisation: Authorisation; readonly now: Date },
): Promise<Challenged> {
  if (authorisation.scaStatus !== "started") return { outcome: "ended" };
  return openChallenge(ports, { authorisation, selection: authorisation.selection, now });
}
