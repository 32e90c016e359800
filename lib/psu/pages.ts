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

/** Pages on which the PSU answers something. */
export type QuestionPage = (typeof questionPages)[number];

/** What the table names: `continue` is the way to the TPP, `ended` one of the ended pages. */
export type Step = QuestionPage | "continue" | "already-confirmed" | "ended" | "unknown";

type QuestionRow = Readonly<Record<SessionState, Step>>;
type Table = Readonly<Record<ScaStatus, QuestionRow>>;

const whoever = (step: Step): QuestionRow => ({
  none: step,
  ended: step,
  "another-psu": step,
  own: step,
});

/** Only who signed in goes on; everybody else is asked to sign in, and then goes on from there. */
const signedIn = (step: Step): QuestionRow => ({
  none: "login-again",
  ended: "login-again",
  "another-psu": "not-yours",
  own: step,
});

/**
 * What is confirmed leads on only in the browser in which the PSU signed in at this very interaction:
 * another open interaction on the same resource must not be handed a code (consent swapping), nor be
 * told why a bank refused a payment.
 */
const confirmed = (step: Step): QuestionRow => ({
  none: "already-confirmed",
  ended: step,
  "another-psu": "already-confirmed",
  own: step,
});

const accountInformation: Table = {
  received: whoever("login"),
  psuAuthenticated: signedIn("accounts"),
  started: signedIn("summary"),
  finalised: confirmed("continue"),
  failed: whoever("ended"),
};

/** The account is fixed: the code is sent with the login, and there is one page to confirm. */
const fixedAccount = (summary: "payment" | "funds"): Table => ({
  received: whoever("login"),
  psuAuthenticated: signedIn(summary),
  started: signedIn(summary),
  finalised: confirmed("continue"),
  failed: whoever("ended"),
});

const questionTables: Readonly<Record<ResourceKind, Table>> = {
  AIS: accountInformation,
  PIIS: fixedAccount("funds"),
  PIS: fixedAccount("payment"),
};

type State = {
  readonly kind: ResourceKind;
  readonly scaStatus: ScaStatus;
  readonly session: SessionState;
  /** The PSU has confirmed, and the bank has refused it. */
  readonly refused?: boolean;
  /** The PSU's wish to see an earlier question again. */
  readonly again?: "accounts" | undefined;
};

/** The one page that fits. */
export function stepFor({ kind, scaStatus, session, refused, again }: State): Step {
  const step = questionTables[kind][scaStatus][session];
  if (step === "continue" && refused === true) return "ended";
  return step === "summary" && again === "accounts" ? "accounts" : step;
}

/**
 * Who is at the keyboard of the bank's own channel, and what they have proved. `ended`: signed in once,
 * then run out or closed. `password`: the first of two elements, which opens nothing.
 */
export type OwnState = "nobody" | "ended" | "password" | "signed-in";

const signInPages = ["sign-in", "sign-in-again", "code"] as const;
export type SignInPage = (typeof signInPages)[number];

/** `onward` is the page that was asked for, `to-sign-in` the way there. */
type OwnStep = SignInPage | "onward" | "to-sign-in" | "asked-for";

type OwnRow = { readonly signIn: OwnStep; readonly inside: OwnStep };

const ownTable: Readonly<Record<OwnState, OwnRow>> = {
  nobody: { signIn: "sign-in", inside: "to-sign-in" },
  ended: { signIn: "sign-in-again", inside: "to-sign-in" },
  password: { signIn: "code", inside: "to-sign-in" },
  "signed-in": { signIn: "onward", inside: "asked-for" },
};

/** What fits the state, at the sign-in and at every page inside. */
export function ownStep(state: OwnState, at: keyof OwnRow): OwnStep {
  return ownTable[state][at];
}

export const endPages = [
  "nothing-to-share",
  "already-confirmed",
  "no-longer-valid",
  "refused",
  "too-many-tries",
  "blocked",
  "expired",
  "withdrawn",
  "not-your-account",
  "account-gone",
  "tpp-blocked",
  "account-blocked",
  "above-your-limit",
  "above-day-limit",
] as const;

/** Pages from which only the way back is left. */
export type EndPage = (typeof endPages)[number];

const failed: Readonly<Record<FailureReason, EndPage>> = {
  cancelled: "refused",
  "too-many-tries": "too-many-tries",
  "psu-blocked": "blocked",
  "window-over": "expired",
  "withdrawn-by-tpp": "withdrawn",
  "not-own-account": "not-your-account",
  "account-gone": "account-gone",
  "tpp-blocked": "tpp-blocked",
};

const refused: Readonly<Record<BankRefusal, EndPage>> = {
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

/** Why nothing came of it, for the PSU's eyes. */
export function endPageFor({ refusal, ...ended }: Ended): EndPage {
  if (refusal !== undefined) return refused[refusal];
  const { failedBecause } = ended.authorisation;
  return failedBecause === undefined ? guessed(ended) : failed[failedBecause];
}

/** For what failed before the reason was kept. */
function guessed({ authorisation, consent, profile, now }: Omit<Ended, "refusal">): EndPage {
  if (consent?.status === "terminatedByTpp") return "withdrawn";
  if (authorisation.failedAttempts >= profile.sca.failedAttemptsMax) return "too-many-tries";
  return now >= authorisation.expiresAt ? "expired" : "refused";
}

/** Why a page of ours is shown instead of leading back to a TPP: a closed list. */
export const endedReasons = ["unknown-client", "wrong-redirect-uri", "gone", "fault"] as const;
export type EndedReason = (typeof endedReasons)[number];

/** Anything else a browser sends as reason says no more than `gone`. */
export function endedReason(text: unknown): EndedReason {
  return endedReasons.find((reason) => reason === text) ?? "gone";
}

export function endedPath(reason: EndedReason): string {
  return `/authorise/ended?reason=${reason}`;
}
