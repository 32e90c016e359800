import { after } from "../clock";
import type { AccountConsent } from "../consent/account-consent";
import type { AccountId } from "../identifiers";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";
import { challengeText } from "./challenge";
import { offerAccounts } from "./offer-accounts";
import { isDecided } from "./sca-status";

type ChallengePorts = Pick<
  Ports,
  "authorisations" | "consents" | "accountSource" | "oneTimeCodes" | "tppRegister" | "profile"
>;

export type Selection = {
  readonly outcome:
    | "code-sent"
    | "nothing-selected"
    | "not-offered"
    | "not-delivered"
    | "too-many-codes"
    | "ended";
};

type Choice = {
  readonly authorisation: Authorisation;
  readonly selected: readonly string[];
  readonly now: Date;
};

/**
 * The PSU's choice of accounts. It must lie within the PSU's own payment accounts as they are now;
 * what a form says beyond that is refused whole. Then a code goes to the PSU's phone.
 */
export async function selectAccounts(
  ports: ChallengePorts,
  { authorisation, selected, now }: Choice,
): Promise<Selection> {
  if (isDecided(authorisation.scaStatus) || authorisation.psuId === undefined) {
    return { outcome: "ended" };
  }
  if (selected.length === 0) return { outcome: "nothing-selected" };
  const offered = await offerAccounts(ports, { authorisation, psuId: authorisation.psuId });
  const chosen = offered.map(({ account }) => account.id).filter((id) => selected.includes(id));
  if (chosen.length !== new Set(selected).size) return { outcome: "not-offered" };
  return challenge(ports, { authorisation, selection: chosen, now });
}

/** Another code for the selection already made; the earlier code is worth nothing from then on. */
export async function sendNewCode(
  ports: ChallengePorts,
  { authorisation, now }: { readonly authorisation: Authorisation; readonly now: Date },
): Promise<Selection> {
  if (authorisation.scaStatus !== "started") return { outcome: "ended" };
  return challenge(ports, { authorisation, selection: authorisation.selection, now });
}

type Challenged = {
  readonly authorisation: Authorisation;
  readonly selection: readonly AccountId[];
  readonly now: Date;
};

async function challenge(
  ports: ChallengePorts,
  { authorisation, selection, now }: Challenged,
): Promise<Selection> {
  const { codeDigits, codeMinutes, codesSentMax } = ports.profile.sca;
  const { id, resourceId, psuId } = authorisation;
  const consent = await ports.consents.findByAuthorisation(id);
  if (consent === undefined || psuId === undefined) return { outcome: "ended" };
  if (authorisation.codesSent >= codesSentMax) return { outcome: "too-many-codes" };

  const code = ports.oneTimeCodes.create(codeDigits);
  const codeFingerprint = ports.oneTimeCodes.fingerprint(
    challengeText({ authorisationId: id, resourceId, selection }, code),
  );
  const open = { codeFingerprint, expiresAt: after(now, codeMinutes, "minute") };
  const started = await ports.authorisations.startChallenge(id, selection, open, codesSentMax, now);
  if (!started) return { outcome: "ended" };

  const tpp = await ports.tppRegister.find(authorisation.tppId);
  const text = codeMessage(code, tpp?.name ?? authorisation.tppId, selection.length, consent);
  const delivered = await ports.oneTimeCodes.send({ psuId, text, code, sentAt: now });
  return { outcome: delivered ? "code-sent" : "not-delivered" };
}

/** The PSU reads on the phone what the code will do, not only the code. */
function codeMessage(code: string, tppName: string, accounts: number, consent: AccountConsent) {
  const shared = accounts === 1 ? "1 account" : `${accounts} accounts`;
  const until = consent.recurringIndicator ? `until ${consent.validUntil}` : "once";
  return `${code} is your code to let ${tppName} read ${shared} ${until}. Never tell it to anybody.`;
}
