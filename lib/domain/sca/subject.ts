import { accountConsentSubject } from "../consent/account-consent-subject";
import { fundsConsentSubject } from "../funds-confirmation/funds-consent-subject";
import type { PsuId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { paymentSubject } from "../payment/payment-subject";
import type { Ports } from "../ports";
import type { Authorisation, ResourceKind } from "./authorisation";

/** What a code stands for, as it is now: made anew whenever a code is made or judged. */
export type Subject = {
  /** Another text as soon as anything differs that the PSU agrees to. */
  readonly linked: string;
  /** What the PSU reads on the phone: not only the code, but what it will do. */
  readonly codeMessage: (code: string, tppName: string) => string;
  /** The PSU's yes. */
  readonly finalise: (confirmed: Confirmed) => Promise<Finalisation>;
};

export type Confirmed = {
  readonly psuId: PsuId;
  /** Of the challenge that was judged; another one is open when it has changed since. */
  readonly codeFingerprint: string;
  readonly on: IsoDate;
  readonly at: Date;
};

/**
 * `rejected`: the PSU has authorised it, and a rule of the bank refuses it all the same. `gone`: it is
 * no longer what the PSU agreed to. `too-late`: another request was first.
 */
export type Finalisation = "finalised" | "rejected" | "gone" | "too-late";

export type SubjectPorts = Pick<
  Ports,
  "authorisations" | "consents" | "fundsConsents" | "payments" | "accountSource" | "profile"
>;

const subjects: Readonly<
  Record<
    ResourceKind,
    (ports: SubjectPorts, authorisation: Authorisation) => Promise<Subject | undefined>
  >
> = { AIS: accountConsentSubject, PIIS: fundsConsentSubject, PIS: paymentSubject };

/** Undefined when there is nothing left that a code could stand for. */
export function subjectOf(
  ports: SubjectPorts,
  authorisation: Authorisation,
): Promise<Subject | undefined> {
  return subjects[authorisation.kind](ports, authorisation);
}
