import type { AdapterPayload } from "oidc-provider";
import type { TppId } from "@/lib/domain/identifiers";
import type { Ports } from "@/lib/domain/ports";
import { parseScope } from "./scope";

export type FindClient = (clientId: string) => Promise<AdapterPayload | undefined>;

/** oidc-provider wants a client to have one; `.invalid` belongs to nobody (RFC 2606). */
const NO_REDIRECT_URI = "https://redirect-uri.invalid/";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,100}$/;

/** Whether it can be a client's id at all; a database need not be asked about anything else. */
export function isClientId(text: string): text is TppId {
  return VISIBLE_ASCII.test(text);
}

/** The parameters of the authorisation request that the library is serving; undefined for any other. */
export type AuthorisationParameters = () => Readonly<Record<string, unknown>> | undefined;

/**
 * There is no registration: a TPP that the bank has met is a client. Its redirect URI is asked for in an
 * authorisation request alone, and there it is the one of the resource that the scope names; a code
 * carries its own.
 */
export function clientFinder(
  ports: Pick<Ports, "authorisations" | "tppRegister">,
  parametersNow: AuthorisationParameters,
): FindClient {
  const redirectUriOf = async (tppId: TppId): Promise<string | undefined> => {
    const named = parseScope(scopeIn(parametersNow()));
    const found =
      named && (await ports.authorisations.findByResource(named.kind, named.resourceId));
    return found?.tppId === tppId ? found.wayBack.redirectUri : undefined;
  };
  return async (clientId) => {
    const tpp = isClientId(clientId) ? await ports.tppRegister.find(clientId) : undefined;
    if (tpp === undefined) return undefined;
    const redirectUri = await redirectUriOf(tpp.id);
    const usable = redirectUri !== undefined && isRedirectUri(redirectUri);
    return clientMetadata(tpp.id, usable ? redirectUri : NO_REDIRECT_URI);
  };
}

function scopeIn(parameters: ReturnType<AuthorisationParameters>): string | undefined {
  const scope = parameters?.["scope"];
  return typeof scope === "string" ? scope : undefined;
}

function clientMetadata(tppId: TppId, redirectUri: string): AdapterPayload {
  return {
    client_id: tppId,
    application_type: "web",
    redirect_uris: [redirectUri],
    response_types: ["code"],
    response_modes: ["query"],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: `organizationIdentifier=${tppId}`,
    tls_client_certificate_bound_access_tokens: true,
  };
}

/** A client that oidc-provider refuses could not even be told why. */
function isRedirectUri(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.href.includes("#");
}
