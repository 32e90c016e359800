import { accountConsentSubject } from "../consent/account-consent-subject";
import { fundsConsentSubject } from "../funds-confirmation/funds-consent-subject";
import type { PsuId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { paymentSubject } from "../payment/payment-subject";
import type { Ports } from "../ports";
import type { Authorisation, Proved, ResourceKind } from "./authorisation";
import type { CodePurpose } from "./code-message";

/** What a code or a passkey's signature stands for, as it is now: made anew for each and for its judge. */
export type Subject = {
  /** Another text as soon as anything differs that the PSU agrees to. */
  readonly linked: string;
  /** For the text on the phone. */
  readonly purpose: CodePurpose;
  /** The PSU's yes. */
  readonly finalise: (confirmed: Confirmed) => Promise<Finalisation>;
};

/** With the challenge that was judged; another one is open when it has changed since. */
export type Confirmed = Proved & {
  readonly psuId: PsuId;
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
  | "authorisations"
  | "consents"
  | "fundsConsents"
  | "payments"
  | "coreBank"
  | "submissionFaults"
  | "profile"
>;

const subjects: Readonly<
  Record<
    ResourceKind,
    (ports: SubjectPorts, authorisation: Authorisation, now: Date) => Promise<Subject | undefined>
  >
> = { AIS: accountConsentSubject, PIIS: fundsConsentSubject, PIS: paymentSubject };

/** Undefined when there is nothing left that could be confirmed. */
export function subjectOf(
  ports: SubjectPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<Subject | undefined> {
  return subjects[authorisation.kind](ports, authorisation, now);
}
