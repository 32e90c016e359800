/** What PSUs type, at a TPP's request as in the bank's own channel. */

type Missing = "credentials-missing" | "user-id-missing" | "password-missing";

/** Undefined for a form without the two fields. */
export function readCredentials(form: URLSearchParams) {
  // No user ID has control characters, and PostgreSQL takes no NUL.
  const userId = form
    .get("userId")
    ?.replace(/\p{Cc}/gu, "")
    .trim();
  const password = form.get("password");
  if (userId === undefined || password === null) return undefined;
  return { userId, password, missing: missingOf(userId, password) };
}

function missingOf(userId: string, password: string): Missing | undefined {
  if (userId === "") return password === "" ? "credentials-missing" : "user-id-missing";
  return password === "" ? "password-missing" : undefined;
}

type Refused<Name> = {
  readonly outcome: Name;
  readonly attemptsLeft?: number | undefined;
  readonly waitSeconds?: number | undefined;
};

/** Asks again, with the user ID as it was typed. */
export function withUserId<Name>(
  userId: string,
  { outcome, attemptsLeft, waitSeconds }: Refused<Name>,
) {
  const typed = userId.length > 0 && userId.length <= 100 ? { userId } : {};
  return { outcome, attemptsLeft, waitSeconds, ...typed };
}

type Code =
  | { readonly code: string; readonly outcome?: undefined }
  | { readonly outcome: "code-missing" | "code-malformed" };

/** What cannot be a code takes no attempt. */
export function readCode(form: URLSearchParams, digits: number): Code {
  const code = form.get("code")?.replace(/[\s-]/g, "") ?? null;
  if (code === null || code === "") return { outcome: "code-missing" };
  const possible = code.length === digits && /^[0-9]+$/.test(code);
  return possible ? { code } : { outcome: "code-malformed" };
}
