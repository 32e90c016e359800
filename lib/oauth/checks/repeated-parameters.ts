import { AuthorisationFault } from "../faults";

/** RFC 6749 3.1: no parameter more than once; two readers could each believe another one. */
export function checkRepeatedParameters(parameters: URLSearchParams): void {
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length) {
    throw new AuthorisationFault("invalid_request", "a parameter is given more than once");
  }
}
