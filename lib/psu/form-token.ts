import { secretsIn } from "@/lib/secrets";
import type { OwnSession, Session } from "./session";

export const actions = [
  "login",
  "accounts",
  "code",
  "confirm",
  "app",
  "approval",
  "passkey-challenge",
  "passkey",
  "stay",
  "cancel",
] as const;
export type Action = (typeof actions)[number];
type FormTokens = Readonly<Record<Action, string>>;

type Form = {
  readonly secret: string;
  readonly uid: string;
  readonly action: Action;
  readonly session: Session;
};

/** One token per form, so that the token of Cancel cannot be sent with Confirm. */
export async function formTokens(form: Omit<Form, "action">): Promise<FormTokens> {
  const tokens = actions.map(
    async (action) =>
      [action, await keyedSignature(form.secret, subjectOf({ ...form, action }))] as const,
  );
  return Object.fromEntries(await Promise.all(tokens)) as FormTokens;
}

/** Constant in time. */
export function isFormToken(form: Form, token: string | null): Promise<boolean> {
  return isKeyedSignature(form.secret, subjectOf(form), token);
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

export const ownActions = [
  "password",
  "code",
  "new-code",
  "passkey-challenge",
  "passkey",
  "unlock-challenge",
  "unlock",
  "stay",
  "sign-out",
  "revoke",
  "refuse",
  "refuse-no-more",
  "passkey-options",
  "add-passkey",
  "remove-passkey",
] as const;
export type OwnAction = (typeof ownActions)[number];

type OwnPage = {
  readonly services: { readonly config: { readonly SESSION_SECRET: string } };
  readonly session: OwnSession;
};
type OwnForm = {
  readonly action: OwnAction;
  /** What the form is about, where a page has several of its kind: a token is for one of them. */
  readonly target?: string | undefined;
};

export function ownFormToken(
  { services, session }: OwnPage,
  action: OwnAction,
  target?: string,
): Promise<string> {
  const subject = ownSubjectOf({ action, target }, session);
  return keyedSignature(services.config.SESSION_SECRET, subject);
}

export function isOwnFormToken(
  { services, session }: OwnPage,
  form: OwnForm,
  token: string | null,
): Promise<boolean> {
  return isKeyedSignature(services.config.SESSION_SECRET, ownSubjectOf(form, session), token);
}

/** Bound to the session where there is one. Before, nothing is done in anybody's name. */
function ownSubjectOf({ action, target = "none" }: OwnForm, session: OwnSession): string {
  const id = "id" in session ? session.id : "none";
  return ["own-form", action, target, `session ${id}`].join("\n");
}

/** base64url of the text's HMAC under the first of the secrets. */
export async function keyedSignature(secrets: string, text: string): Promise<string> {
  const [secret] = secretsIn(secrets);
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), bytesOf(text));
  return Buffer.from(signature).toString("base64url");
}

/** Under one of the secrets; constant in time with each. */
export async function isKeyedSignature(
  secrets: string,
  text: string,
  signature: string | null,
): Promise<boolean> {
  if (signature === null) return false;
  const bytes = Buffer.from(signature, "base64url");
  const verified = secretsIn(secrets).map(async (secret) =>
    crypto.subtle.verify("HMAC", await keyOf(secret), bytes, bytesOf(text)),
  );
  return (await Promise.all(verified)).includes(true);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign", "verify"]);
}
