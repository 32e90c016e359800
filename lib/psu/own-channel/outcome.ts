import { z } from "zod";
import { isSecure, readCookie, setCookie } from "../cookies";
import type { PsuHouse } from "../house";
import { seal, unseal } from "../sealed";
import type { SignInPage } from "./pages";

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

const content = z.object({
  outcome: z.enum(Object.keys(ownOutcomes) as [OwnOutcomeName, ...OwnOutcomeName[]]),
  attemptsLeft: z.number().int().min(0).optional(),
  waitSeconds: z.number().int().min(1).optional(),
  /** What was typed, so that it need not be typed again. Passwords and codes never travel. */
  userId: z.string().max(100).optional(),
});
export type OwnOutcome = z.infer<typeof content>;

const OUTCOME_SECONDS = 60;

/** The page that says it. */
type Where = { readonly path: string; readonly config: PsuHouse["config"] };

/** The Set-Cookie that carries the outcome over the redirect; without outcome, the one that clears it. */
export async function carryOwnOutcome(
  { path, config }: Where,
  outcome?: OwnOutcome,
): Promise<string> {
  const cookie = { name: cookieName(config.WEB_URL), path, secure: isSecure(config.WEB_URL) };
  if (outcome === undefined) return setCookie({ ...cookie, value: "", seconds: 0 });
  const value = await seal(config.SESSION_SECRET, purpose(path), outcome, OUTCOME_SECONDS);
  return setCookie({ ...cookie, value, seconds: OUTCOME_SECONDS });
}

export async function readOwnOutcome(
  { path, config }: Where,
  cookieHeader: string | null,
  page: SayingPage,
): Promise<OwnOutcome | undefined> {
  const sealed = readCookie(cookieHeader ?? "none", cookieName(config.WEB_URL));
  const outcome = await unseal(config.SESSION_SECRET, purpose(path), sealed, content);
  if (outcome === undefined) return undefined;
  const shownOn: readonly SayingPage[] = ownOutcomes[outcome.outcome];
  return shownOn.includes(page) ? outcome : undefined;
}

const purpose = (path: string) => `own-outcome ${path}` as const;

function cookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Secure-drawbridge-own-outcome" : "drawbridge-own-outcome";
}
