import type Provider from "oidc-provider";
import type { errors, KoaContextWithOIDC } from "oidc-provider";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";

/**
 * The library describes every refused grant in the same words and keeps the cause for its log. The caller
 * has shown a trusted certificate by then and is told it. What belongs to another client is described
 * like what is not there, and nothing that was sent is repeated.
 */
export function describeRefusals(provider: Provider, { oauth }: AspspProfile): void {
  const describe = (ctx: KoaContextWithOIDC, refusal: errors.OIDCProviderError) => {
    const description = descriptionOf(refusal, oauth.codeSeconds);
    if (description !== undefined) {
      ctx.body = { error: refusal.error, error_description: description };
    }
  };
  provider.on("grant.error", describe);
  provider.on("revocation.error", describe);
}

function descriptionOf(
  { error, error_description: given, error_detail: detail = "none" }: errors.OIDCProviderError,
  codeSeconds: number,
): string | undefined {
  if (given === "no client authentication mechanism provided") return "client_id is missing";
  if (error === "invalid_client") {
    return "client_id must be the organizationIdentifier of the client certificate";
  }
  if (error !== "invalid_grant") return undefined;
  if (detail.includes("code_verifier")) {
    return "code_verifier does not match the code_challenge of the authorisation request; the code has ended";
  }
  if (detail.includes("redirect_uri")) {
    return "redirect_uri is not that of the authorisation request; the code has ended";
  }
  if (detail.includes("x5t#S256")) return "the refresh token is bound to another certificate";
  return `the code or refresh token is not known to be this client's: a code is good once and for ${codeSeconds} seconds, a refresh token until the next one is used or its consent ends`;
}
