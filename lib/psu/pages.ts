import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { Authorisation, ResourceKind } from "@/lib/domain/sca/authorisation";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";
import type { SessionState } from "./session";

export const questionPages = ["login", "login-again", "not-yours", "accounts", "summary"] as const;
export const endPages = [
  "nothing-to-share",
  "already-confirmed",
  "refused",
  "too-many-tries",
  "expired",
  "withdrawn",
] as const;

/** Pages on which the PSU answers something. */
export type QuestionPage = (typeof questionPages)[number];
/** Pages from which only the way back is left. */
export type EndPage = (typeof endPages)[number];

/** What the table names: `continue` is the way to the TPP, `ended` one of the ended pages. */
export type Step = QuestionPage | "continue" | "already-confirmed" | "ended" | "unknown";

type Row = Readonly<Record<SessionState, Step>>;
type Table = Readonly<Record<ScaStatus, Row>>;

const whoever = (step: Step): Row => ({
  none: step,
  ended: step,
  "another-psu": step,
  own: step,
});

/** Only who signed in goes on; everybody else is asked to sign in, and then goes on from there. */
const signedIn = (step: Step): Row => ({
  none: "login-again",
  ended: "login-again",
  "another-psu": "not-yours",
  own: step,
});

/**
 * `finalised` leads on only in the browser in which the PSU signed in at this very interaction:
 * another open interaction on the same consent must not be handed a code (consent swapping).
 */
const accountInformation: Table = {
  received: whoever("login"),
  psuAuthenticated: signedIn("accounts"),
  started: signedIn("summary"),
  finalised: {
    none: "already-confirmed",
    ended: "continue",
    "another-psu": "already-confirmed",
    own: "continue",
  },
  failed: whoever("ended"),
};

/** A kind without pages of its own has none at all. */
const notOffered: Table = {
  received: whoever("unknown"),
  psuAuthenticated: whoever("unknown"),
  started: whoever("unknown"),
  finalised: whoever("unknown"),
  failed: whoever("unknown"),
};

const tables: Readonly<Record<ResourceKind, Table>> = {
  AIS: accountInformation,
  PIIS: notOffered,
  PIS: notOffered,
};

type State = {
  readonly kind: ResourceKind;
  readonly scaStatus: ScaStatus;
  readonly session: SessionState;
  /** The PSU's wish to see an earlier question again. */
  readonly again?: "accounts" | undefined;
};

/** The one page that fits. */
export function stepFor({ kind, scaStatus, session, again }: State): Step {
  const step = tables[kind][scaStatus][session];
  return step === "summary" && again === "accounts" ? "accounts" : step;
}

type Ended = {
  readonly authorisation: Authorisation;
  readonly consent: Pick<AccountConsent, "status"> | undefined;
  readonly profile: AspspProfile;
  readonly now: Date;
};

/** Why an authorisation is `failed`, for the PSU's eyes. */
export function endPageFor({ authorisation, consent, profile, now }: Ended): EndPage {
  if (consent?.status === "terminatedByTpp") return "withdrawn";
  if (authorisation.failedAttempts >= profile.sca.failedAttemptsMax) return "too-many-tries";
  return now >= authorisation.expiresAt ? "expired" : "refused";
}
