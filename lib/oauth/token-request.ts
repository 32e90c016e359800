import { formatScope, parseScope } from "./scope";

/**
 * A form as oidc-provider is to see it. A scope named again at refresh is written as the token has
 * it, so that a client that was understood when it asked for authorisation is understood here too;
 * `resource` (RFC 8707) is ignored as it is there: the library would notice a wrong one only when
 * the refresh token is used up.
 */
export function mendForm(body: Uint8Array): Uint8Array {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  form.delete("resource");
  const [scope, ...more] = form.getAll("scope");
  const resource = more.length > 0 ? undefined : parseScope(scope);
  if (resource !== undefined) form.set("scope", formatScope(resource));
  return new TextEncoder().encode(form.toString());
}
