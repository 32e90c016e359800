import { z } from "zod";
import { type QuestionPage, questionPages, type SignInPage } from "./pages";
import type { PsuServices } from "./services";
import { isSecure, readCookie, seal, setCookie, unseal } from "./session";

const signIn = ["login", "login-again", "not-yours"] as const;
const confirming = ["summary", "payment", "funds"] as const;
const questions = questionPages;

/**
 * What came of the PSU's last answer when the question has to be asked again, and the pages that
 * can say so; on any other page it is of no use any more.
 */
export const outcomes = {
  "user-id-missing": signIn,
  "password-missing": signIn,
  "credentials-missing": signIn,
  "wrong-credentials": signIn,
  "too-soon": signIn,
  busy: signIn,
  "another-psu": signIn,
  "nothing-selected": ["accounts"],
  "not-offered": ["accounts"],
  "code-missing": confirming,
  "code-malformed": confirming,
  "wrong-code": confirming,
  "code-expired": confirming,
  "not-delivered": confirming,
  "wrong-passkey": confirming,
  "passkey-expired": confirming,
  "passkey-missing": confirming,
  "too-many-codes": confirming,
  "too-many-texts": ["accounts", ...confirming],
  "new-code-sent": confirming,
  "more-time": questions,
  "time-after-sign-in": signIn,
  "stale-form": questions,
  fault: questions,
} as const satisfies Record<string, readonly QuestionPage[]>;

export type OutcomeName = keyof typeof outcomes;

const outcomeContent = z.object({
  outcome: z.enum(Object.keys(outcomes) as [OutcomeName, ...OutcomeName[]]),
  attemptsLeft: z.number().int().min(0).optional(),
  waitSeconds: z.number().int().min(1).optional(),
  /** What was typed, so that it need not be typed again. Passwords and codes never travel. */
  userId: z.string().max(100).optional(),
});
export type Outcome = z.infer<typeof outcomeContent>;

/** Long enough for a redirect, short enough not to come back on a later visit. */
const OUTCOME_SECONDS = 60;

type SealingConfig = Pick<PsuServices["config"], "SESSION_SECRET" | "WEB_URL">;
type OutcomeWhere = { readonly uid: string; readonly config: SealingConfig };

/** The Set-Cookie that carries the outcome over the redirect; without outcome, the one that clears it. */
export async function carryOutcome(
  { uid, config }: OutcomeWhere,
  outcome?: Outcome,
): Promise<string> {
  const cookie = {
    name: outcomeCookieName(config.WEB_URL),
    path: `/authorise/${uid}`,
    secure: isSecure(config.WEB_URL),
  };
  if (outcome === undefined) return setCookie({ ...cookie, value: "", seconds: 0 });
  const value = await seal(config.SESSION_SECRET, outcomePurpose(uid), outcome, OUTCOME_SECONDS);
  return setCookie({ ...cookie, value, seconds: OUTCOME_SECONDS });
}

/** The outcome that this page can show. Anything malformed or of another authorisation is none. */
export async function readOutcome(
  { uid, config }: OutcomeWhere,
  cookieHeader: string,
  page: QuestionPage,
): Promise<Outcome | undefined> {
  const sealed = readCookie(cookieHeader, outcomeCookieName(config.WEB_URL));
  const outcome = await unseal(config.SESSION_SECRET, outcomePurpose(uid), sealed, outcomeContent);
  if (outcome === undefined) return undefined;
  const shownOn: readonly QuestionPage[] = outcomes[outcome.outcome];
  return shownOn.includes(page) ? outcome : undefined;
}

const outcomePurpose = (uid: string) => `psu-outcome ${uid}` as const;

function outcomeCookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Secure-drawbridge-outcome" : "drawbridge-outcome";
}

const atPassword = ["sign-in", "sign-in-again"] as const;
const atCode = ["code"] as const;
const atPasskeys = ["passkeys"] as const;
const anywhere = [
  "sign-in",
  "sign-in-again",
  "code",
  "permission",
  "revoke",
  "passkeys",
  "remove-passkey",
] as const;

/** Pages that can say what came of the last answer. */
export type SayingPage = SignInPage | "permission" | "revoke" | "passkeys" | "remove-passkey";

/** Each with the pages on which it is of use. */
export const ownOutcomes = {
  "user-id-missing": atPassword,
  "password-missing": atPassword,
  "credentials-missing": atPassword,
  "wrong-credentials": atPassword,
  "too-soon": atPassword,
  busy: atPassword,
  blocked: atPassword,
  "blocked-for-good": atPassword,
  unlocked: atPassword,
  "not-unlocked": atPassword,
  "code-missing": atCode,
  "code-malformed": atCode,
  "wrong-code": atCode,
  "code-expired": atCode,
  "not-delivered": atCode,
  "too-many-codes": atCode,
  "too-many-texts": atCode,
  "new-code-sent": atCode,
  "wrong-passkey": atCode,
  "passkey-missing": atCode,
  "passkey-expired": atCode,
  "passkey-added": atPasskeys,
  "passkey-removed": atPasskeys,
  "passkey-name-missing": atPasskeys,
  "not-understood": atPasskeys,
  "known-already": atPasskeys,
  "too-many-passkeys": atPasskeys,
  revoked: ["permission"],
  "not-revoked": ["permission"],
  "stale-form": anywhere,
  fault: anywhere,
} as const satisfies Record<string, readonly SayingPage[]>;

export type OwnOutcomeName = keyof typeof ownOutcomes;

const ownOutcomeContent = z.object({
  outcome: z.enum(Object.keys(ownOutcomes) as [OwnOutcomeName, ...OwnOutcomeName[]]),
  attemptsLeft: z.number().int().min(0).optional(),
  waitSeconds: z.number().int().min(1).optional(),
  /** What was typed, so that it need not be typed again. Passwords and codes never travel. */
  userId: z.string().max(100).optional(),
});
export type OwnOutcome = z.infer<typeof ownOutcomeContent>;

/** The page that says it. */
type OwnOutcomeWhere = { readonly path: string; readonly config: SealingConfig };

/** The Set-Cookie that carries the outcome over the redirect; without outcome, the one that clears it. */
export async function carryOwnOutcome(
  { path, config }: OwnOutcomeWhere,
  outcome?: OwnOutcome,
): Promise<string> {
  const cookie = {
    name: ownOutcomeCookieName(config.WEB_URL),
    path,
    secure: isSecure(config.WEB_URL),
  };
  if (outcome === undefined) return setCookie({ ...cookie, value: "", seconds: 0 });
  const value = await seal(
    config.SESSION_SECRET,
    ownOutcomePurpose(path),
    outcome,
    OUTCOME_SECONDS,
  );
  return setCookie({ ...cookie, value, seconds: OUTCOME_SECONDS });
}

export async function readOwnOutcome(
  { path, config }: OwnOutcomeWhere,
  cookieHeader: string | null,
  page: SayingPage,
): Promise<OwnOutcome | undefined> {
  const sealed = readCookie(cookieHeader ?? "none", ownOutcomeCookieName(config.WEB_URL));
  const outcome = await unseal(
    config.SESSION_SECRET,
    ownOutcomePurpose(path),
    sealed,
    ownOutcomeContent,
  );
  if (outcome === undefined) return undefined;
  const shownOn: readonly SayingPage[] = ownOutcomes[outcome.outcome];
  return shownOn.includes(page) ? outcome : undefined;
}

const ownOutcomePurpose = (path: string) => `own-outcome ${path}` as const;

function ownOutcomeCookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Secure-drawbridge-own-outcome" : "drawbridge-own-outcome";
}
