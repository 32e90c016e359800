import type { AdapterPayload } from "oidc-provider";
import type { TppId } from "@/lib/domain/identifiers";
import type { Ports } from "@/lib/domain/ports";

export type FindClient = (clientId: string) => Promise<AdapterPayload | undefined>;

/** oidc-provider wants a client to have one; `.invalid` belongs to nobody (RFC 2606). */
const NO_REDIRECT_URI = "https://redirect-uri.invalid/";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,100}$/;

/** Whether it can be a client's id at all; a database need not be asked about anything else. */
export function isClientId(text: string): text is TppId {
  return VISIBLE_ASCII.test(text);
}

/**
 * There is no registration: a TPP that the bank has met is a client, and its redirect URIs are those
 * of the resources that wait for a PSU.
 */
export function clientFinder(
  ports: Pick<Ports, "authorisations" | "clock" | "tppRegister">,
): FindClient {
  return async (clientId) => {
    const tpp = isClientId(clientId) ? await ports.tppRegister.find(clientId) : undefined;
    if (tpp === undefined) return undefined;
    const signed = await ports.authorisations.redirectUrisOf(tpp.id, await ports.clock.now());
    const redirectUris = signed.filter(isRedirectUri);
    return clientMetadata(tpp.id, redirectUris.length > 0 ? redirectUris : [NO_REDIRECT_URI]);
  };
}

function clientMetadata(tppId: TppId, redirectUris: string[]): AdapterPayload {
  return {
    client_id: tppId,
    application_type: "web",
    redirect_uris: redirectUris,
    response_types: ["code"],
    response_modes: ["query"],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: `organizationIdentifier=${tppId}`,
    tls_client_certificate_bound_access_tokens: true,
  };
}

/** One that oidc-provider refuses would lock the client out of all its other resources. */
function isRedirectUri(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.href.includes("#");
}
