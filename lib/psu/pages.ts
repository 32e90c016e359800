import type {
  Authorisation,
  FailureReason,
  ResourceKind,
  ScaStatus,
} from "@/lib/domain/authorisation";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { AccountConsent } from "@/lib/domain/consents";
import type { BankRefusal } from "@/lib/domain/core-bank";
import type { SessionState } from "./session";

export const questionPages = [
  "login",
  "login-again",
  "not-yours",
  "accounts",
  "summary",
  "payment",
  "funds",
] as const;

export type QuestionPage = (typeof questionPages)[number];

/** `continue` leads to the TPP, `ended` is one of the ended pages. */
export type Step = QuestionPage | "continue" | "already-confirmed" | "ended" | "unknown";

type QuestionRow = Readonly<Record<SessionState, Step>>;
type Table = Readonly<Record<ScaStatus, QuestionRow>>;

const anybody = (step: Step): QuestionRow => ({
  none: step,
  ended: step,
  "another-psu": step,
  own: step,
});

/** Only the PSU who signed in goes on; everybody else is asked to sign in first. */
const signedIn = (step: Step): QuestionRow => ({
  none: "login-again",
  ended: "login-again",
  "another-psu": "not-yours",
  own: step,
});

/**
 * What is confirmed leads on only in the browser in which the PSU signed in at this very interaction:
 * another open interaction on the same resource must neither get a code (consent swapping)
 * nor learn why a bank refused a payment.
 */
const confirmed = (step: Step): QuestionRow => ({
  none: "already-confirmed",
  ended: step,
  "another-psu": "already-confirmed",
  own: step,
});

const tableWith = (afterLogin: QuestionPage, started: QuestionPage): Table => ({
  received: anybody("login"),
  psuAuthenticated: signedIn(afterLogin),
  started: signedIn(started),
  finalised: confirmed("continue"),
  failed: anybody("ended"),
});

/** Where the account is fixed, the code is sent with the login, and there is one page to confirm. */
const questionTables: Readonly<Record<ResourceKind, Table>> = {
  AIS: tableWith("accounts", "summary"),
  PIIS: tableWith("funds", "funds"),
  PIS: tableWith("payment", "payment"),
};

type State = {
  readonly kind: ResourceKind;
  readonly scaStatus: ScaStatus;
  readonly session: SessionState;
  /** The PSU has confirmed, and the bank has refused it. */
  readonly refused?: boolean;
  /** The PSU asks for an earlier question. */
  readonly again?: "accounts" | undefined;
};

/** The one page that fits. */
export function stepFor({ kind, scaStatus, session, refused, again }: State): Step {
  const step = questionTables[kind][scaStatus][session];
  if (step === "continue" && refused === true) return "ended";
  return step === "summary" && again === "accounts" ? "accounts" : step;
}

export const endPages = [
  "nothing-to-share",
  "already-confirmed",
  "no-longer-valid",
  "refused",
  "too-many-tries",
  "blocked",
  "confirming-blocked",
  "expired",
  "withdrawn",
  "not-your-account",
  "account-gone",
  "tpp-blocked",
  "opted-out",
  "customer-blocked",
  "account-blocked",
  "above-your-limit",
  "above-day-limit",
] as const;

/** Pages with nothing to answer, which only lead back to the TPP. */
export type EndPage = (typeof endPages)[number];

const pagesOfFailures: Readonly<Record<FailureReason, EndPage>> = {
  cancelled: "refused",
  "too-many-tries": "too-many-tries",
  "psu-blocked": "blocked",
  "window-over": "expired",
  "withdrawn-by-tpp": "withdrawn",
  "not-own-account": "not-your-account",
  "account-gone": "account-gone",
  "last-day-over": "expired",
  "tpp-blocked": "tpp-blocked",
  "opted-out": "opted-out",
  "customer-blocked": "customer-blocked",
};

const pagesOfRefusals: Readonly<Record<BankRefusal, EndPage>> = {
  "account-blocked": "account-blocked",
  "psu-limit": "above-your-limit",
  "day-limit": "above-day-limit",
};

type Ended = {
  readonly authorisation: Authorisation;
  /** Of a payment that its PSU has confirmed. */
  readonly refusal: BankRefusal | undefined;
  readonly consent: Pick<AccountConsent, "status"> | undefined;
  readonly profile: AspspProfile;
  readonly now: Date;
};

/** The page that tells the PSU why. */
export function endPageFor({ refusal, ...ended }: Ended): EndPage {
  if (refusal !== undefined) return pagesOfRefusals[refusal];
  const { failedBecause } = ended.authorisation;
  return failedBecause === undefined ? guessed(ended) : pagesOfFailures[failedBecause];
}

/** For what failed before the reason was kept. */
function guessed({ authorisation, consent, profile, now }: Omit<Ended, "refusal">): EndPage {
  if (consent?.status === "terminatedByTpp") return "withdrawn";
  if (authorisation.failedAttempts >= profile.sca.failedAttemptsMax) return "too-many-tries";
  return now >= authorisation.expiresAt ? "expired" : "refused";
}

/** Why a page of ours is shown instead of leading back to a TPP. */
export const endedReasons = ["unknown-client", "wrong-redirect-uri", "gone", "fault"] as const;
export type EndedReason = (typeof endedReasons)[number];

/** Any other reason in an address is shown as `gone`. */
export function endedReason(text: unknown): EndedReason {
  return endedReasons.find((reason) => reason === text) ?? "gone";
}

export function endedPath(reason: EndedReason): string {
  return `/authorise/ended?reason=${reason}`;
}
