import * as z from "zod";
import { type QuestionPage, questionPages } from "./pages";
import type { PsuServices } from "./services";
import { cookieName, type Purpose, readCookie, seal, setCookie, unseal } from "./session";

const login = ["login", "login-again", "not-yours"] as const;
const confirming = ["summary", "payment", "funds"] as const;

/**
 * What came of the PSU's last answer when the question has to be asked again, and the pages that
 * can say so; on any other page it is of no use any more.
 */
export const outcomes = {
  "user-id-missing": login,
  "password-missing": login,
  "credentials-missing": login,
  "wrong-credentials": login,
  "too-soon": login,
  busy: login,
  "another-psu": login,
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
  "more-time": questionPages,
  "time-after-sign-in": login,
  "stale-form": questionPages,
  fault: questionPages,
} as const satisfies Record<string, readonly QuestionPage[]>;

export type OutcomeName = keyof typeof outcomes;

const atPassword = ["sign-in", "sign-in-again"] as const;
const atCode = ["code"] as const;
const atPasskeys = ["passkeys"] as const;
const everywhere = [
  ...["sign-in", "sign-in-again", "code"],
  ...["permission", "revoke", "passkeys", "remove-passkey"],
] as readonly OwnOutcomePage[];

/** Pages of the bank's own channel that can say what came of the last answer. */
export type OwnOutcomePage =
  | ("sign-in" | "sign-in-again" | "code")
  | ("permission" | "revoke" | "passkeys" | "remove-passkey");

/** The same of the bank's own channel. */
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
  "stale-form": everywhere,
  fault: everywhere,
} as const satisfies Record<string, readonly OwnOutcomePage[]>;

export type OwnOutcomeName = keyof typeof ownOutcomes;

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

export const outcomePlaces: Readonly<Record<OutcomeName | OwnOutcomeName, OutcomePlace>> = {
  "user-id-missing": "user-id",
  "password-missing": "password",
  "credentials-missing": "user-id",
  "wrong-credentials": "user-id",
  "another-psu": "user-id",
  blocked: "user-id",
  "blocked-for-good": "user-id",
  unlocked: "good-news",
  "not-unlocked": "page",
  "too-soon": "page",
  busy: "page",
  "nothing-selected": "accounts",
  "not-offered": "accounts",
  "code-missing": "code",
  "code-malformed": "code",
  "wrong-code": "code",
  "code-expired": "code",
  "not-delivered": "code",
  "too-many-codes": "code",
  "too-many-texts": "page",
  "new-code-sent": "good-news",
  "wrong-passkey": "passkey",
  "passkey-expired": "passkey",
  "passkey-missing": "passkey",
  "passkey-added": "good-news",
  "passkey-removed": "good-news",
  "passkey-name-missing": "passkey-name",
  "not-understood": "page",
  "known-already": "page",
  "too-many-passkeys": "page",
  revoked: "good-news",
  "not-revoked": "page",
  "more-time": "good-news",
  "time-after-sign-in": "page",
  "stale-form": "page",
  fault: "page",
};

function contentOf<Name extends string>(names: Readonly<Record<Name, unknown>>) {
  return z.object({
    outcome: z.enum(Object.keys(names) as [Name, ...Name[]]),
    attemptsLeft: z.number().int().min(0).optional(),
    waitSeconds: z.number().int().min(1).optional(),
    /** What was typed, so that it need not be typed again. Passwords and codes never travel. */
    userId: z.string().max(100).optional(),
  });
}
const content = contentOf(outcomes);
const ownContent = contentOf(ownOutcomes);
export type Outcome = z.infer<typeof content>;
export type OwnOutcome = z.infer<typeof ownContent>;

type SealingConfig = Pick<PsuServices["config"], "SESSION_SECRET" | "WEB_URL">;
type Where = { readonly uid: string; readonly config: SealingConfig };
/** `path`: of the page that says it. */
type OwnWhere = { readonly path: string; readonly config: SealingConfig };

/** The Set-Cookie that carries the outcome over the redirect; without outcome, the one that clears it. */
export function carryOutcome({ uid, config }: Where, outcome?: Outcome): Promise<string> {
  return carry(config, cookieOf(uid), outcome);
}

export function carryOwnOutcome({ path, config }: OwnWhere, outcome?: OwnOutcome): Promise<string> {
  return carry(config, ownCookieOf(path), outcome);
}

/** The outcome that this page can show. Anything malformed or of another authorisation is none. */
export async function readOutcome(
  { uid, config }: Where,
  cookieHeader: string,
  page: QuestionPage,
): Promise<Outcome | undefined> {
  const outcome = await read(config, cookieOf(uid), cookieHeader, content);
  const shownOn: readonly string[] = outcome === undefined ? [] : outcomes[outcome.outcome];
  return shownOn.includes(page) ? outcome : undefined;
}

type OwnReader = {
  readonly services: { readonly config: SealingConfig };
  readonly cookieHeader: string | null;
};

export async function readOwnOutcome(
  { services: { config }, cookieHeader }: OwnReader,
  path: string,
  page: OwnOutcomePage,
): Promise<OwnOutcome | undefined> {
  const outcome = await read(config, ownCookieOf(path), cookieHeader, ownContent);
  const shownOn: readonly string[] = outcome === undefined ? [] : ownOutcomes[outcome.outcome];
  return shownOn.includes(page) ? outcome : undefined;
}

type OutcomeCookie = { readonly name: string; readonly path: string; readonly purpose: Purpose };

function cookieOf(uid: string): OutcomeCookie {
  return { name: "outcome", path: `/authorise/${uid}`, purpose: `psu-outcome ${uid}` };
}

function ownCookieOf(path: string): OutcomeCookie {
  return { name: "own-outcome", path, purpose: `own-outcome ${path}` };
}

/** Long enough for a redirect, short enough not to come back on a later visit. */
const OUTCOME_SECONDS = 60;

async function carry(
  { SESSION_SECRET, WEB_URL }: SealingConfig,
  { name, path, purpose }: OutcomeCookie,
  outcome: Outcome | OwnOutcome | undefined,
): Promise<string> {
  if (outcome === undefined) return setCookie(WEB_URL, { name, path, value: "", seconds: 0 });
  const value = await seal(SESSION_SECRET, purpose, outcome, OUTCOME_SECONDS);
  return setCookie(WEB_URL, { name, path, value, seconds: OUTCOME_SECONDS });
}

function read<Content>(
  { SESSION_SECRET, WEB_URL }: SealingConfig,
  { name, path, purpose }: OutcomeCookie,
  cookieHeader: string | null,
  schema: z.ZodType<Content>,
): Promise<Content | undefined> {
  const sealed = readCookie(cookieHeader, cookieName(WEB_URL, name, path));
  return unseal(SESSION_SECRET, purpose, sealed, schema);
}
