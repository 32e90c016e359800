import { isKeyedSignature, keyedSignature } from "../keyed-signature";
import type { OwnSession } from "./session";

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
  "passkey-options",
  "add-passkey",
  "remove-passkey",
] as const;
export type OwnAction = (typeof ownActions)[number];

export type OwnForm = {
  readonly secret: string;
  readonly action: OwnAction;
  /** What the form is about, where a page has several of its kind: a token is for one of them. */
  readonly target?: string | undefined;
  readonly session: OwnSession;
};

export function ownFormToken(form: OwnForm): Promise<string> {
  return keyedSignature(form.secret, subjectOf(form));
}

export function isOwnFormToken(form: OwnForm, token: string | null): Promise<boolean> {
  return isKeyedSignature(form.secret, subjectOf(form), token);
}

/** Bound to the session where there is one. Before, nothing is done in anybody's name. */
function subjectOf({ action, target = "none", session }: OwnForm): string {
  return ["own-form", action, target, `session ${session.id ?? "none"}`].join("\n");
}
