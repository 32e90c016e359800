/**
 * What the TPP host has besides the resources of the standard: the OAuth endpoints (RFC 6749, 7009, 7517,
 * 8414) and the description of the API. A method that one does not offer is for its route to refuse.
 */
const ownEndpoints: readonly string[] = [
  "/.well-known/oauth-authorization-server",
  "/token",
  "/token/revocation",
  "/jwks",
  "/openapi.json",
];

const resources = "/open-banking/";

/** Something below the folder: the folder itself is no resource. */
export function isResource(path: string): boolean {
  return path.startsWith(resources) && path.length > resources.length;
}

const sandboxApi = "/sandbox/api/v1/";

/** Something that TPPs set up their sandbox by; outside a sandbox its route knows no address. */
export function isOfSandboxApi(path: string): boolean {
  return path.startsWith(sandboxApi);
}

/** Compared as sent, without decoding. */
export function isOwnEndpoint(path: string): boolean {
  return ownEndpoints.includes(path);
}

export function isOfTppHost(path: string): boolean {
  return isResource(path) || isOfSandboxApi(path) || isOwnEndpoint(path);
}
