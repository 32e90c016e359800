import { AuthorisationFault } from "../faults";

/** The characters RFC 6749 appendix A.5 allows. */
const STATE = /^[\x20-\x7e]+$/;

/** Mandatory here: without it a TPP cannot tell an answer it asked for from one slipped in. */
export function checkState(parameters: URLSearchParams): string {
  const state = parameters.get("state");
  if (state === null || !STATE.test(state)) {
    throw new AuthorisationFault("invalid_request", "state is missing or not printable ASCII");
  }
  return state;
}
