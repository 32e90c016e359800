import type { SignInTexts } from "./sign-in-texts";
import type { Texts } from "./texts";

type Common =
  | "user-id-missing"
  | "password-missing"
  | "credentials-missing"
  | "wrong-credentials"
  | "code-missing"
  | "code-malformed"
  | "wrong-code"
  | "code-expired"
  | "passkey-missing"
  | "too-many-texts"
  | "new-code-sent"
  | "stale-form"
  | "fault";

/** By how many tries are left, which each of the two says with its own consequence. */
export type CommonAnswers = (
  left: (attempts: number | undefined) => string,
) => Pick<Texts["outcomes"] & SignInTexts["outcomes"], Common>;
