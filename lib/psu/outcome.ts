import * as z from "zod";
import { type QuestionPage, questionPages } from "./pages";
import type { PsuServices } from "./ports";
import { cookieName, readCookie, seal, setCookie, unseal } from "./session";

const login = ["login", "login-again", "not-yours"] as const;
const confirming = ["summary", "payment", "funds"] as const;
const signingIn = ["sign-in", "sign-in-again"] as const;
const ownPages = [
  ...signingIn,
  "code",
  "permission",
  "revoke",
  "refusals",
  "passkeys",
  "remove-passkey",
] as const;

/** Pages of the bank's own channel that can say what came of the last answer. */
type OwnOutcomePage = (typeof ownPages)[number];
type OutcomePage = QuestionPage | OwnOutcomePage;

/** Where an outcome is said: at a field, above the whole page, or as good news. */
export type OutcomePlace =
  | "user-id"
  | "password"
  | "accounts"
  | "code"
  | "passkey"
  | "passkey-name"
  | "page"
  | "good-news";

/**
 * What came of the PSU's last answer when the question has to be asked again, where it is said, and the
 * pages that can say so; on any other page it is of no use any more.
 */
export const outcomes = {
  "user-id-missing": { place: "user-id", pages: [...login, ...signingIn] },
  "password-missing": { place: "password", pages: [...login, ...signingIn] },
  "credentials-missing": { place: "user-id", pages: [...login, ...signingIn] },
  "wrong-credentials": { place: "user-id", pages: [...login, ...signingIn] },
  "another-psu": { place: "user-id", pages: login },
  blocked: { place: "user-id", pages: signingIn },
  "blocked-for-good": { place: "user-id", pages: signingIn },
  unlocked: { place: "good-news", pages: signingIn },
  "not-unlocked": { place: "page", pages: signingIn },
  "too-soon": { place: "page", pages: [...login, ...signingIn] },
  busy: { place: "page", pages: [...login, ...signingIn] },
  "nothing-selected": { place: "accounts", pages: ["accounts"] },
  "not-offered": { place: "accounts", pages: ["accounts"] },
  "code-missing": { place: "code", pages: [...confirming, "code"] },
  "code-malformed": { place: "code", pages: [...confirming, "code"] },
  "wrong-code": { place: "code", pages: [...confirming, "code"] },
  "code-expired": { place: "code", pages: [...confirming, "code"] },
  "not-delivered": { place: "code", pages: [...confirming, "code"] },
  "too-many-codes": { place: "code", pages: [...confirming, "code"] },
  "too-many-texts": { place: "page", pages: ["accounts", ...confirming, "code"] },
  "new-code-sent": { place: "good-news", pages: [...confirming, "code"] },
  "wrong-passkey": { place: "passkey", pages: [...confirming, "code"] },
  "passkey-expired": { place: "passkey", pages: [...confirming, "code"] },
  "passkey-missing": { place: "passkey", pages: [...confirming, "code"] },
  "passkey-added": { place: "good-news", pages: ["passkeys"] },
  "passkey-removed": { place: "good-news", pages: ["passkeys"] },
  "passkey-name-missing": { place: "passkey-name", pages: ["passkeys"] },
  "not-understood": { place: "page", pages: ["passkeys"] },
  "known-already": { place: "page", pages: ["passkeys"] },
  "too-many-passkeys": { place: "page", pages: ["passkeys"] },
  revoked: { place: "good-news", pages: ["permission"] },
  refused: { place: "good-news", pages: ["refusals"] },
  "refused-already": { place: "page", pages: ["refusals"] },
  "not-refused": { place: "good-news", pages: ["refusals"] },
  "not-revoked": { place: "page", pages: ["permission"] },
  "provider-unavailable": {
    place: "page",
    pages: [...login, "accounts", ...confirming, ...signingIn],
  },
  "login-refused": { place: "page", pages: [...login, ...signingIn] },
  "acr-too-low": { place: "page", pages: [...login, ...confirming, ...signingIn] },
  "not-proved": { place: "page", pages: [...login, ...confirming, ...signingIn] },
  "another-customer": { place: "page", pages: [...login, ...confirming] },
  changed: { place: "page", pages: confirming },
  "app-asked": { place: "good-news", pages: confirming },
  "app-pending": { place: "page", pages: confirming },
  "approval-expired": { place: "page", pages: confirming },
  "more-time": { place: "good-news", pages: questionPages },
  "time-after-sign-in": { place: "page", pages: login },
  "stale-form": { place: "page", pages: [...questionPages, ...ownPages] },
  fault: { place: "page", pages: [...questionPages, ...ownPages] },
} as const satisfies Record<
  string,
  { readonly place: OutcomePlace; readonly pages: readonly OutcomePage[] }
>;

type Outcomes = typeof outcomes;
/** The outcomes that at least one of these pages can say. */
type NameOn<Page> = {
  [Name in keyof Outcomes]: Page & Outcomes[Name]["pages"][number] extends never ? never : Name;
}[keyof Outcomes];

export type OutcomeName = NameOn<QuestionPage>;
export type OwnOutcomeName = NameOn<OwnOutcomePage>;

const content = z.object({
  outcome: z.enum(Object.keys(outcomes) as [keyof Outcomes, ...(keyof Outcomes)[]]),
  attemptsLeft: z.number().int().min(0).optional(),
  waitSeconds: z.number().int().min(1).optional(),
  /** What was typed, so that it need not be typed again. Passwords and codes never travel. */
  userId: z.string().max(100).optional(),
});
type Of<Name> = Omit<z.infer<typeof content>, "outcome"> & { readonly outcome: Name };
export type Outcome = Of<OutcomeName>;
export type OwnOutcome = Of<OwnOutcomeName>;
type OutcomeOn<Page> = Page extends QuestionPage ? Outcome : OwnOutcome;

type SealingConfig = Pick<PsuServices["config"], "SESSION_SECRET" | "WEB_URL">;
/** `path`: of the page that says it. */
type Where = { readonly path: string; readonly config: SealingConfig };

const NAME = "outcome";
const purposeOf = (path: string) => `outcome ${path}` as const;

/** Long enough for a redirect, short enough not to come back on a later visit. */
const OUTCOME_SECONDS = 60;

/** The Set-Cookie that carries the outcome over the redirect; without outcome, the one that clears it. */
export async function carryOutcome(
  { path, config: { SESSION_SECRET, WEB_URL } }: Where,
  outcome?: Outcome | OwnOutcome,
): Promise<string> {
  if (outcome === undefined) return setCookie(WEB_URL, { name: NAME, path, value: "", seconds: 0 });
  const value = await seal(SESSION_SECRET, purposeOf(path), outcome, OUTCOME_SECONDS);
  return setCookie(WEB_URL, { name: NAME, path, value, seconds: OUTCOME_SECONDS });
}

type Reader = {
  readonly services: { readonly config: SealingConfig };
  readonly cookieHeader: string | null;
};

/** The outcome that this page can show. Anything malformed or of another page is none. */
export async function readOutcome<Page extends OutcomePage>(
  { services: { config }, cookieHeader }: Reader,
  path: string,
  page: Page,
): Promise<OutcomeOn<Page> | undefined> {
  const { SESSION_SECRET, WEB_URL } = config;
  const sealed = readCookie(cookieHeader, cookieName(WEB_URL, NAME, path));
  const outcome = await unseal(SESSION_SECRET, purposeOf(path), sealed, content);
  const shownOn: readonly string[] = outcome === undefined ? [] : outcomes[outcome.outcome].pages;
  return shownOn.includes(page) ? (outcome as OutcomeOn<Page>) : undefined;
}
