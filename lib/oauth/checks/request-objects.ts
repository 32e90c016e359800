import { AuthorisationFault } from "../faults";

const notOffered = ["request", "request_uri", "registration"] as const;

/**
 * A request object would carry the parameters a second time, perhaps others than those checked
 * here, and `request_uri` would have the bank fetch an address of somebody's choice.
 */
export function checkRequestObjects(parameters: URLSearchParams): void {
  const found = notOffered.find((name) => parameters.has(name));
  if (found !== undefined) throw new AuthorisationFault("invalid_request", `${found} not offered`);
}
