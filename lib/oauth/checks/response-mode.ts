import { AuthorisationFault } from "../faults";

/** The answer travels in the query; no other mode is in the metadata. */
export function checkResponseMode(parameters: URLSearchParams): void {
  const responseMode = parameters.get("response_mode");
  if (responseMode !== null && responseMode !== "query") {
    throw new AuthorisationFault("invalid_request", "response_mode must be query");
  }
}
