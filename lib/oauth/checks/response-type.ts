import { AuthorisationFault } from "../faults";

/** Only `code`: a token in a URL would stay in histories and logs. */
export function checkResponseType(parameters: URLSearchParams): void {
  const responseType = parameters.get("response_type");
  if (responseType === null) {
    throw new AuthorisationFault("invalid_request", "response_type is missing");
  }
  if (responseType !== "code") {
    throw new AuthorisationFault("unsupported_response_type", "response_type must be code");
  }
}
