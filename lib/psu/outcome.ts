import { z } from "zod";
import { isSecure, readCookie, setCookie } from "./cookies";
import type { PsuHouse } from "./house";
import { type QuestionPage, questionPages } from "./pages";
import { seal, unseal } from "./sealed";

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

const content = z.object({
  outcome: z.enum(Object.keys(outcomes) as [OutcomeName, ...OutcomeName[]]),
  attemptsLeft: z.number().int().min(0).optional(),
  waitSeconds: z.number().int().min(1).optional(),
  /** What was typed, so that it need not be typed again. Passwords and codes never travel. */
  userId: z.string().max(100).optional(),
});
export type Outcome = z.infer<typeof content>;

/** Long enough for a redirect, short enough not to come back on a later visit. */
const OUTCOME_SECONDS = 60;

type Where = { readonly uid: string; readonly config: PsuHouse["config"] };

/** The Set-Cookie that carries the outcome over the redirect; without outcome, the one that clears it. */
export async function carryOutcome({ uid, config }: Where, outcome?: Outcome): Promise<string> {
  const cookie = {
    name: cookieName(config.WEB_URL),
    path: `/authorise/${uid}`,
    secure: isSecure(config.WEB_URL),
  };
  if (outcome === undefined) return setCookie({ ...cookie, value: "", seconds: 0 });
  const value = await seal(config.SESSION_SECRET, purpose(uid), outcome, OUTCOME_SECONDS);
  return setCookie({ ...cookie, value, seconds: OUTCOME_SECONDS });
}

/** The outcome that this page can show. Anything malformed or of another authorisation is none. */
export async function readOutcome(
  { uid, config }: Where,
  cookieHeader: string,
  page: QuestionPage,
): Promise<Outcome | undefined> {
  const sealed = readCookie(cookieHeader, cookieName(config.WEB_URL));
  const outcome = await unseal(config.SESSION_SECRET, purpose(uid), sealed, content);
  if (outcome === undefined) return undefined;
  const shownOn: readonly QuestionPage[] = outcomes[outcome.outcome];
  return shownOn.includes(page) ? outcome : undefined;
}

const purpose = (uid: string) => `psu-outcome ${uid}` as const;

function cookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Secure-drawbridge-outcome" : "drawbridge-outcome";
}
