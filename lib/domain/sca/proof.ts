import type { PasskeyAssertion } from "../passkeys/passkey";

/**
 * The second element of SCA, as the PSU has presented it: a code that only the PSU's phone has, or the
 * signature of a key that only the PSU's device has (possession, RTS art. 7).
 */
export type Proof =
  | { readonly method: "code"; readonly code: string }
  | { readonly method: "passkey"; readonly assertion: PasskeyAssertion };
