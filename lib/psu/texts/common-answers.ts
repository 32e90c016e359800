import type { SignInTexts } from "./sign-in-texts";
import type { Texts } from "./texts";

type Common =
  | "user-id-missing"
  | "password-missing"
  | "credentials-missing"
  | "wrong-credentials"
  | "too-soon"
  | "busy"
  | "code-missing"
  | "code-malformed"
  | "wrong-code"
  | "code-expired"
  | "passkey-missing"
  | "too-many-texts"
  | "new-code-sent"
  | "stale-form"
  | "fault";

type Left = (attempts: number | undefined) => string;

/**
 * By how many tries are left, which each of the two says with its own consequence: wrong passwords block for a
 * time, codes and passkeys in the end for good.
 */
export type CommonAnswers = (left: {
  readonly password: Left;
  readonly second: Left;
}) => Pick<Texts["outcomes"] & SignInTexts["outcomes"], Common>;
