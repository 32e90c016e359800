import { isKeyedSignature, keyedSignature } from "./keyed-signature";
import type { Session } from "./session";

export const actions = [
  "login",
  "accounts",
  "code",
  "confirm",
  "passkey-challenge",
  "passkey",
  "stay",
  "cancel",
] as const;
export type Action = (typeof actions)[number];
export type FormTokens = Readonly<Record<Action, string>>;

type Form = {
  readonly secret: string;
  readonly uid: string;
  readonly action: Action;
  readonly session: Session;
};

/** One token per form, so that the token of Cancel cannot be sent with Confirm. */
export async function formTokens(form: Omit<Form, "action">): Promise<FormTokens> {
  const made = await Promise.all(
    actions.map(async (action) => [action, await tokenOf({ ...form, action })] as const),
  );
  return Object.fromEntries(made) as FormTokens;
}

/** Constant in time. */
export function isFormToken(form: Form, token: string | null): Promise<boolean> {
  return isKeyedSignature(form.secret, subjectOf(form), token);
}

function tokenOf(form: Form): Promise<string> {
  return keyedSignature(form.secret, subjectOf(form));
}

/**
 * Signing in and cancelling need no session: there, the interaction binds the token to the browser,
 * for its cookie is asked for on every visit. What is done in a PSU's name is bound to the session.
 */
function subjectOf({ uid, action, session }: Form): string {
  const sessionBound = action !== "login" && action !== "cancel" && session.id !== undefined;
  const binding = sessionBound ? `session ${session.id}` : "interaction";
  return ["psu-form", uid, action, binding].join("\n");
}
