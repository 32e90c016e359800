export type Hosts = {
  /** The TPP host, without a trailing slash. */
  readonly issuer: string;
  /** The browser host, without a trailing slash. */
  readonly webUrl: string;
};

/** The audience of access tokens: this bank's XS2A interface, the only resource server. */
export function audienceOf({ issuer }: Pick<Hosts, "issuer">): string {
  return `${issuer}/open-banking`;
}

/**
 * RFC 8414 metadata, in place of the library's: that knows one host for all endpoints and lists what
 * OpenID Connect would offer. `scopes_supported` is left out, since a scope names a resource.
 */
export function metadata({ issuer, webUrl }: Hosts) {
  return {
    issuer,
    authorization_endpoint: `${webUrl}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    revocation_endpoint: `${issuer}/token/revocation`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["tls_client_auth"],
    revocation_endpoint_auth_methods_supported: ["tls_client_auth"],
    tls_client_certificate_bound_access_tokens: true,
    authorization_response_iss_parameter_supported: true,
  };
}
