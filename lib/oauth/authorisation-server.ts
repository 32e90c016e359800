import type { RequestListener } from "node:http";
import type Provider from "oidc-provider";
import type { AuthorisationPorts } from "./authorisation-request";
import { audienceOf, serveBrowserHost, serveTppHost } from "./http";
import { interactions } from "./interaction";
import { createProvider, type ProviderPorts } from "./provider";
import { accessTokens, type SigningKeys } from "./tokens";

type AuthorisationServerPorts = ProviderPorts &
  AuthorisationPorts & {
    readonly signingKeys: SigningKeys;
  };

const BROWSER_PATH = /^\/auth(?:\/[A-Za-z0-9_-]{1,64})?$/;

/** Set up at first use. */
export function authorisationServer(ports: AuthorisationServerPorts) {
  const { signingKeys: keys } = ports;
  const tokens = accessTokens(keys, { issuer: ports.issuer, audience: audienceOf(ports) });
  let provider: Promise<Provider> | undefined;
  const getProvider = () => {
    provider ??= createProvider(ports, { keys, tokens }).catch((error: unknown) => {
      provider = undefined;
      throw error;
    });
    return provider;
  };
  let listener: RequestListener | undefined;
  const callback = async () => {
    listener ??= (await getProvider()).callback();
    return listener;
  };
  const host = { ...ports, callback };
  return {
    /** Both hosts; the listeners decide which paths are reachable on which. */
    serve: (request: Request): Promise<Response> =>
      BROWSER_PATH.test(new URL(request.url).pathname)
        ? serveBrowserHost(request, host)
        : serveTppHost(request, host),
    interactions: interactions(getProvider, ports),
    accessTokens: tokens,
  };
}
