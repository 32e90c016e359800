import type { Ports } from "@/lib/domain/ports";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { currentAuthorisation } from "@/lib/domain/sca/current-authorisation";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { checkClient } from "./checks/client";
import { checkCodeChallenge } from "./checks/code-challenge";
import { checkNotBlocked } from "./checks/not-blocked";
import { checkOpenAuthorisation } from "./checks/open-authorisation";
import { checkRedirectUri } from "./checks/redirect-uri";
import { checkRepeatedParameters } from "./checks/repeated-parameters";
import { checkRequestObjects } from "./checks/request-objects";
import { checkResponseMode } from "./checks/response-mode";
import { checkResponseType } from "./checks/response-type";
import { checkRole } from "./checks/role";
import { checkState } from "./checks/state";
import { formatScope, parseScope } from "./scope";

export type AuthorisationPorts = Pick<
  Ports,
  "authorisations" | "clock" | "profile" | "stopList" | "tppRegister"
>;

/** Who asks, and the URI that is proven to be this client's: from here on faults go there. */
export type Requester = {
  readonly tpp: Tpp;
  readonly redirectUri: string;
  /** The resource of the scope, if it is this client's own; it may be decided already. */
  readonly authorisation: Authorisation | undefined;
  /** The bank serves this client no more. */
  readonly blocked: boolean;
};

/** As every URI that was signed; a database need not be asked about anything else. */
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * Step 1, whose faults end on the bank's own page. When the scope names a resource of the client,
 * only that resource's URI will do; else that of any waiting authorisation of the client, so that an
 * unknown resource can be told to the TPP as `invalid_scope`. Throws a LocalFault.
 */
export async function identifyRequester(
  parameters: URLSearchParams,
  ports: AuthorisationPorts,
): Promise<Requester> {
  const now = await ports.clock.now();
  const tpp = await checkClient(parameters, ports.tppRegister);
  const named = parseScope(parameters.get("scope"));
  const authorisation =
    named && (await currentAuthorisation(ports, { ...named, tppId: tpp.id, now }));
  const redirectUri = await checkRedirectUri(parameters, async (uri) =>
    authorisation === undefined
      ? VISIBLE_ASCII.test(uri) && ports.authorisations.isOpenRedirectUri(tpp.id, uri, now)
      : uri === authorisation.wayBack.redirectUri,
  );
  const blocked = (await ports.stopList.find(tpp.id, now)) !== undefined;
  return { tpp, redirectUri, authorisation, blocked };
}

/**
 * Step 2, whose faults go to the TPP. Yields the request as oidc-provider is to see it: only what
 * has been checked, and everything else is left out as RFC 6749 3.1 wants of unknown parameters.
 * Throws an AuthorisationFault.
 */
export function checkAuthorisationRequest(
  parameters: URLSearchParams,
  { tpp, redirectUri, authorisation, blocked }: Requester,
): URLSearchParams {
  checkNotBlocked({ blocked });
  checkRepeatedParameters(parameters);
  checkRequestObjects(parameters);
  checkResponseType(parameters);
  checkResponseMode(parameters);
  const state = checkState(parameters);
  const challenge = checkCodeChallenge(parameters);
  const open = checkOpenAuthorisation(authorisation);
  checkRole(tpp, open.kind);
  const uiLocales = parameters.get("ui_locales");
  return new URLSearchParams({
    response_type: "code",
    client_id: tpp.id,
    redirect_uri: redirectUri,
    scope: formatScope(open),
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...(uiLocales !== null && LANGUAGE_TAGS.test(uiLocales) && { ui_locales: uiLocales }),
  });
}

// `ro_RO` is no tag of RFC 5646, and yet what many platforms call their own language.
const LANGUAGE_TAGS = /^[A-Za-z0-9_-]{1,35}(?: [A-Za-z0-9_-]{1,35}){0,9}$/;
