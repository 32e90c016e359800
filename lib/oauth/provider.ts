import type Provider from "oidc-provider";
import type { Ports } from "@/lib/domain/ports";
import { type AccessTokens, revokeAccessTokens } from "./access-tokens";
import { loadOidcProvider } from "./load-provider";
import { logEvents } from "./log-events";
import type { Hosts } from "./metadata";
import type { OidcModelStore } from "./oidc-model-store";
import { providerSettings } from "./provider-settings";
import { describeRefusals } from "./refusal-causes";
import type { SigningKey } from "./signing-key";
import { spoilFailedCode } from "./spoil-failed-code";
import { type IdentifyTpp, tppCertificates } from "./tpp-certificate";

export type ProviderPorts = Pick<
  Ports,
  "authorisations" | "clock" | "consents" | "fundsConsents" | "payments" | "profile" | "tppRegister"
> &
  Hosts & {
    readonly models: OidcModelStore;
    readonly identifyTpp: IdentifyTpp;
    readonly cookieSecret: string;
  };

/** The library, set up for this bank. Throws when it cannot work as it must. */
export async function createProvider(
  ports: ProviderPorts,
  { key, tokens }: { readonly key: SigningKey; readonly tokens: AccessTokens },
): Promise<Provider> {
  const library = await loadOidcProvider();
  const certificates = tppCertificates(ports.identifyTpp, ports.clock);
  const provider = new library.Provider(
    ports.issuer,
    providerSettings({ ports, key, library, certificates, provider: () => provider }),
  );
  // Bundled, its classes lose their names, and codes, grants and tokens would share one table space.
  if (provider.AccessToken.name !== "AccessToken") {
    throw new Error("oidc-provider is bundled; it must be in serverExternalPackages");
  }
  // The bridge alone says which scheme a request came by; it passes on nothing a caller could forge.
  provider.proxy = true;
  logEvents(provider);
  describeRefusals(provider, ports.profile);
  provider.use(certificates.identify);
  provider.use(spoilFailedCode(provider, ports.models));
  provider.use(revokeAccessTokens(tokens, ports.models));
  return provider;
}
