import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";
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
 * What is confirmed leads on only in the browser in which the PSU signed in at this very interaction:
 * another open interaction on the same resource must not be handed a code (consent swapping), nor be
 * told why a bank refused a payment.
 */
const confirmed = (step: Step): Row => ({
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

const tables: Readonly<Record<ResourceKind, Table>> = {
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
  const step = tables[kind][scaStatus][session];
  if (step === "continue" && refused === true) return "ended";
  return step === "summary" && again === "accounts" ? "accounts" : step;
}
