import type { AdapterPayload } from "oidc-provider";
import {
  type Authorisation,
  currentAuthorisation,
  isDecided,
  type ResourceKind,
} from "@/lib/domain/authorisation";
import type { Ports } from "@/lib/domain/ports";
import type { Psd2Role, Tpp, TppRegister } from "@/lib/domain/tpp";
import { isUuid, type TppId } from "@/lib/domain/values";
import { certificateLimits } from "@/lib/eidas/certificate-fault";

export type AuthorisationPorts = Pick<
  Ports,
  "authorisations" | "clock" | "profile" | "stopList" | "tppRegister"
>;

/** The client, and the URI that is proven to be its own: further errors are sent there. */
export type Requester = {
  readonly tpp: Tpp;
  readonly redirectUri: string;
  /** The resource of the scope, if it is this client's own; it may be authorised or rejected already. */
  readonly authorisation: Authorisation | undefined;
  /** Whether the TPP has the role for the resource. */
  readonly hasRole: boolean;
  /** The bank has blocked this TPP. */
  readonly blocked: boolean;
};

/** Every signed URI matches; for any other text the database need not be asked. */
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * Step 1, whose errors end on the bank's own page. When the scope names a resource of the client,
 * only that resource's URI is accepted; else that of any open authorisation of the client, so that an
 * unknown resource can be reported to the TPP as `invalid_scope`. Throws a LocalFault.
 */
export async function identifyRequester(
  parameters: URLSearchParams,
  ports: AuthorisationPorts,
): Promise<Requester> {
  const tpp = await checkClient(parameters, ports.tppRegister);
  const now = await ports.clock.now(tpp.id);
  const named = parseScope(parameters.get("scope"));
  const authorisation =
    named && (await currentAuthorisation(ports, { ...named, tppId: tpp.id, now }));
  const redirectUri = await checkRedirectUri(parameters, async (uri) =>
    authorisation === undefined
      ? VISIBLE_ASCII.test(uri) && ports.authorisations.isOpenRedirectUri(tpp.id, uri, now)
      : uri === authorisation.redirectUris.redirectUri,
  );
  const bankNow = await ports.clock.now();
  const blocked = (await ports.stopList.find(tpp.id, bankNow)) !== undefined;
  const hasRole =
    authorisation !== undefined && (await hasRoleFor(authorisation, tpp, bankNow, ports));
  return { tpp, redirectUri, authorisation, hasRole, blocked };
}

/**
 * Step 2, whose errors go to the TPP. Returns the request for oidc-provider: only the checked parameters; unknown
 * ones are ignored (RFC 6749 3.1). Throws an AuthorisationFault.
 */
export function checkAuthorisationRequest(
  parameters: URLSearchParams,
  { tpp, redirectUri, authorisation, hasRole, blocked }: Requester,
): URLSearchParams {
  if (blocked) {
    // Anybody who opens a link sees it, so it says less than the answer to the TPP's own certificate.
    throw new AuthorisationFault("unauthorized_client", "the bank does not serve this client now");
  }
  checkForm(parameters);
  const state = checkState(parameters);
  const challenge = checkCodeChallenge(parameters);
  const open = checkOpenAuthorisation(authorisation);
  if (!hasRole) {
    throw new AuthorisationFault(
      "invalid_scope",
      `this scope needs the role ${roleFor[open.kind]}`,
    );
  }
  const uiLocales = localesAsked(parameters);
  return new URLSearchParams({
    response_type: "code",
    client_id: tpp.id,
    redirect_uri: redirectUri,
    scope: formatScope(open),
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...(uiLocales !== undefined && { ui_locales: uiLocales }),
  });
}

// `ro_RO` is no tag of RFC 5646, but many platforms name their language so.
const LANGUAGE_TAGS = /^[A-Za-z0-9_-]{1,35}(?: [A-Za-z0-9_-]{1,35}){0,9}$/;

/** `ui_locales`; undefined where it is not a list of language tags. */
export function localesAsked(parameters: URLSearchParams): string | undefined {
  const uiLocales = parameters.get("ui_locales");
  return uiLocales !== null && LANGUAGE_TAGS.test(uiLocales) ? uiLocales : undefined;
}

/** The one resource that an authorisation, and every token from it, is for. */
type ResourceScope = { readonly kind: ResourceKind; readonly resourceId: string };

const BLANK_AFTER_COLON = /(?<![^ ])(AIS|PIIS|PIS): (?=[^ ])/i;
const RESOURCE = /^(AIS|PIIS|PIS):([^ ]+)$/i;

/**
 * The resource named by a `scope` parameter, undefined unless it is exactly one. Clients in the field write the
 * prefix in lower case, put a blank after the colon, or add `offline_access`; all three are accepted.
 */
export function parseScope(text: string | null | undefined): ResourceScope | undefined {
  const tokens = text?.replace(BLANK_AFTER_COLON, "$1:").split(" ") ?? [];
  const named = tokens.filter((token) => token !== "offline_access");
  const [, prefix, resourceId] = RESOURCE.exec(named.join(" ")) ?? [];
  if (prefix === undefined || resourceId === undefined || !isUuid(resourceId)) return undefined;
  return { kind: prefix.toUpperCase() as ResourceKind, resourceId: resourceId.toLowerCase() };
}

/** As it is issued: upper case and no blank, which would separate two scopes. */
export function formatScope({ kind, resourceId }: ResourceScope): string {
  return `${kind}:${resourceId}`;
}

/** The TPP named by `client_id`. A TPP is known once it has called with its certificate. */
async function checkClient(
  parameters: URLSearchParams,
  register: Pick<TppRegister, "find">,
): Promise<Tpp> {
  const [clientId, ...more] = parameters.getAll("client_id");
  if (clientId === undefined || more.length > 0 || !isClientId(clientId)) {
    throw new LocalFault("unknown-client");
  }
  const tpp = await register.find(clientId);
  if (tpp === undefined) throw new LocalFault("unknown-client");
  return tpp;
}

/**
 * The `redirect_uri`, equal to one that the TPP signed, character by character: any comparison of URIs that is more
 * lenient has been used to steal codes (RFC 9700 2.1).
 */
async function checkRedirectUri(
  parameters: URLSearchParams,
  isSigned: (uri: string) => Promise<boolean>,
): Promise<string> {
  const [redirectUri, ...more] = parameters.getAll("redirect_uri");
  if (redirectUri === undefined || more.length > 0 || !(await isSigned(redirectUri))) {
    throw new LocalFault("wrong-redirect-uri");
  }
  return redirectUri;
}

/**
 * A request object would repeat the parameters, perhaps with other values than those checked here, and
 * `request_uri` would make the bank fetch any address.
 */
const notOffered = ["request", "request_uri", "registration"] as const;

function checkForm(parameters: URLSearchParams): void {
  // RFC 6749 3.1: no parameter more than once; two parsers could each use another one.
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length) {
    throw new AuthorisationFault("invalid_request", "a parameter is given more than once");
  }
  const found = notOffered.find((name) => parameters.has(name));
  if (found !== undefined) throw new AuthorisationFault("invalid_request", `${found} not offered`);
  const responseType = parameters.get("response_type");
  if (responseType === null) {
    throw new AuthorisationFault("invalid_request", "response_type is missing");
  }
  // A token in a URL would stay in histories and logs.
  if (responseType !== "code") {
    throw new AuthorisationFault("unsupported_response_type", "response_type must be code");
  }
  // The answer is in the query; no other mode is in the metadata.
  if ((parameters.get("response_mode") ?? "query") !== "query") {
    throw new AuthorisationFault("invalid_request", "response_mode must be query");
  }
}

/** The characters RFC 6749 appendix A.5 allows. */
const STATE = /^[\x20-\x7e]+$/;

/** Mandatory here: without it a TPP cannot tell its own answer from an injected one. */
function checkState(parameters: URLSearchParams): string {
  const state = parameters.get("state");
  if (state === null || !STATE.test(state)) {
    throw new AuthorisationFault("invalid_request", "state is missing or not printable ASCII");
  }
  return state;
}

/** base64url of a SHA-256, without padding. */
const SHA_256 = /^[A-Za-z0-9_-]{43}$/;

/** PKCE is mandatory and `plain` would show the verifier to everybody who sees the request (RFC 7636). */
function checkCodeChallenge(parameters: URLSearchParams): string {
  if (parameters.get("code_challenge_method") !== "S256") {
    throw new AuthorisationFault("invalid_request", "code_challenge_method must be S256");
  }
  const challenge = parameters.get("code_challenge");
  if (challenge === null || !SHA_256.test(challenge)) {
    throw new AuthorisationFault(
      "invalid_request",
      "code_challenge must be 43 characters of base64url",
    );
  }
  return challenge;
}

const roleFor = { AIS: "PSP_AI", PIIS: "PSP_IC", PIS: "PSP_PI" } as const satisfies Record<
  ResourceKind,
  Psd2Role
>;

/**
 * The QWAC that created the resource may have ended since. The record may lack its roles where two QWACs of the TPP were seen
 * for the first time at once.
 */
async function hasRoleFor(
  { kind }: Authorisation,
  tpp: Tpp,
  now: Date,
  { tppRegister }: Pick<AuthorisationPorts, "tppRegister">,
): Promise<boolean> {
  const role = roleFor[kind];
  return tpp.roles.includes(role) || tppRegister.hasQwacFor(role, tpp.id, now);
}

/**
 * The scope must name one resource of this TPP that waits for its PSU. Malformed, unknown, another
 * TPP's, decided and expired ones get the same answer, so that a TPP does not learn what exists.
 */
function checkOpenAuthorisation(authorisation: Authorisation | undefined): Authorisation {
  if (authorisation === undefined || isDecided(authorisation.scaStatus)) {
    throw new AuthorisationFault(
      "invalid_scope",
      "scope must name one resource of this client that waits for authorisation",
    );
  }
  return authorisation;
}

export type FindClient = (clientId: string) => Promise<AdapterPayload | undefined>;

/** oidc-provider requires a client to have one; `.invalid` is reserved (RFC 2606). */
const NO_REDIRECT_URI = "https://redirect-uri.invalid/";

const CLIENT_ID = /^[\x21-\x7e]+$/;

/** Whether it can be a client id; for any other text the database need not be asked. */
function isClientId(text: string): text is TppId {
  return text.length <= certificateLimits.nameCharactersMax && CLIENT_ID.test(text);
}

/** The parameters of the authorisation request that the library is serving; undefined for any other. */
type AuthorisationParameters = () => Readonly<Record<string, unknown>> | undefined;

/**
 * There is no registration: every TPP on record is a client. Its redirect URI is needed only in an
 * authorisation request, and is that of the resource that the scope names; a code stores its own.
 */
export function clientFinder(
  ports: Pick<Ports, "authorisations" | "tppRegister">,
  parametersNow: AuthorisationParameters,
): FindClient {
  const redirectUriOf = async (tppId: TppId): Promise<string | undefined> => {
    const named = parseScope(scopeIn(parametersNow()));
    const found =
      named && (await ports.authorisations.findByResource(named.kind, named.resourceId));
    return found?.tppId === tppId ? found.redirectUris.redirectUri : undefined;
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

/** For a client that oidc-provider refuses there would be no error to send. */
function isRedirectUri(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.href.includes("#");
}

/**
 * Why the browser cannot be redirected to a TPP: the client or its redirect URI is not proven. The
 * page `/authorise/ended` has a text for each.
 */
const endedReasons = ["unknown-client", "wrong-redirect-uri", "gone", "fault"] as const;
export type EndedReason = (typeof endedReasons)[number];

/** Ends an authorisation request on the bank's own page, because no redirect URI is proven. */
export class LocalFault extends Error {
  override readonly name = "LocalFault";

  constructor(readonly reason: EndedReason) {
    super(reason);
  }
}

type AuthorisationError =
  | "invalid_request"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_response_type"
  | "server_error";

/** Ends an authorisation request at the TPP, whose client_id and redirect_uri are proven by then. */
export class AuthorisationFault extends Error {
  override readonly name = "AuthorisationFault";

  /** `description` is for the TPP's developer: ASCII without quotes (RFC 6749 4.1.2.1). */
  constructor(
    readonly error: AuthorisationError,
    description: string,
  ) {
    super(description);
  }
}

/** The bank's own page for errors that cannot be sent to a TPP, in the language that the request asks for. */
export function endedPage(webUrl: string, reason: EndedReason, uiLocales?: string): string {
  const locales = uiLocales === undefined ? "" : `/${uiLocales.replaceAll(" ", "/")}`;
  return `${webUrl}/authorise/ended${locales}?reason=${reason}`;
}
