import type { Session } from "./session";

export const actions = ["login", "accounts", "code", "confirm", "cancel"] as const;
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
export async function isFormToken(form: Form, token: string | null): Promise<boolean> {
  if (token === null) return false;
  const signature = Buffer.from(token, "base64url");
  return crypto.subtle.verify("HMAC", await keyOf(form.secret), signature, subjectOf(form));
}

async function tokenOf(form: Form): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await keyOf(form.secret), subjectOf(form));
  return Buffer.from(signature).toString("base64url");
}

/**
 * Signing in and cancelling need no session: there, the interaction binds the token to the browser,
 * for its cookie is asked for on every visit. What is done in a PSU's name is bound to the session.
 */
function subjectOf({ uid, action, session }: Form): Uint8Array<ArrayBuffer> {
  const sessionBound = action !== "login" && action !== "cancel" && session.id !== undefined;
  const binding = sessionBound ? `session ${session.id}` : "interaction";
  return new TextEncoder().encode(["psu-form", uid, action, binding].join("\n"));
}

function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}
