import type Provider from "oidc-provider";
import { type AuthorisationId, addTime, type TppId } from "@/lib/domain/values";
import { endByMachineTime } from "./adapter";
import { endedPage, formatScope, parseScope } from "./authorisation-request";
import { audienceOf, withCookies } from "./http";
import { loadOidcProvider } from "./load-provider";
import type { ProviderPorts } from "./provider";
import { grantTerms } from "./tokens";

type InteractionPorts = Omit<ProviderPorts, "models" | "identifyTpp" | "cookieSecret" | "refusals">;
type Stored = Awaited<ReturnType<Provider["interactionDetails"]>>;

export function interactions(getProvider: () => Promise<Provider>, ports: InteractionPorts) {
  return {
    /** Undefined when it is over, or when the browser's cookie is not the one it was started with. */
    read: async (uid: string, cookieHeader: string | undefined) => {
      const stored = await findInteraction(await getProvider(), uid, cookieHeader);
      return stored && fromStored(stored);
    },

    /**
     * The PSU has authorised: returns the URL that redirects the browser to the TPP, or to the bank's own page when the
     * interaction is over. Undefined when the resource is no longer valid: the TPP may have withdrawn it meanwhile, the
     * PSU revoked it, or it has expired. A second call before the browser has followed the redirect changes nothing.
     */
    accept: async (
      { uid, uiLocales }: { readonly uid: string; readonly uiLocales?: string | undefined },
      cookieHeader: string | undefined,
      { authorisationId }: Pick<Accepted, "authorisationId">,
    ) => {
      const provider = await getProvider();
      const stored = await findInteraction(provider, uid, cookieHeader);
      if (stored === undefined) return endedPage(ports.webUrl, "gone", uiLocales);
      const grantId = await saveGrant(provider, ports, {
        interaction: fromStored(stored),
        authorisationId,
      });
      if (grantId === undefined) return undefined;
      const login = { accountId: authorisationId, remember: false };
      const result = { login, consent: { grantId } };
      return withCookies(cookieHeader, (request, response) =>
        provider.interactionResult(request, response, result),
      );
    },

    /** Deletes the interaction; the caller redirects the browser to the TPP with the error. */
    refuse: async (uid: string, cookieHeader: string | undefined) => {
      const stored = await findInteraction(await getProvider(), uid, cookieHeader);
      await stored?.destroy();
    },
  };
}

async function findInteraction(
  provider: Provider,
  uid: string,
  cookieHeader: string | undefined,
): Promise<Stored | undefined> {
  const { errors } = await loadOidcProvider();
  try {
    const stored = await withCookies(cookieHeader, (request, response) =>
      provider.interactionDetails(request, response),
    );
    // A link with another uid must not open the interaction of this browser's cookie.
    return stored.uid === uid ? stored : undefined;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

/** One authorisation request in one browser, waiting for the bank's pages. */
function fromStored({ uid, params }: Stored) {
  const { client_id, redirect_uri, scope, state, ui_locales } = params;
  const resource = parseScope(String(scope));
  if (resource === undefined) throw new Error("an interaction without a resource");
  return {
    uid,
    clientId: String(client_id) as TppId,
    ...resource,
    /** The TPP's, to be returned unchanged. */
    state: String(state),
    redirectUri: String(redirect_uri),
    /** Language tags in the order of the TPP's preference, separated by blanks. */
    ...(typeof ui_locales === "string" && { uiLocales: ui_locales }),
  };
}

type Accepted = {
  readonly interaction: ReturnType<typeof fromStored>;
  readonly authorisationId: AuthorisationId;
};

/** The grant has the interaction's own id: one interaction can make one grant and no more. */
async function saveGrant(
  provider: Provider,
  ports: InteractionPorts,
  { interaction, authorisationId }: Accepted,
): Promise<string | undefined> {
  const scope = formatScope(interaction);
  const now = await ports.clock.now(interaction.clientId);
  const terms = await grantTerms(ports, authorisationId, now);
  if (terms === undefined) return undefined;
  if (terms.scope !== scope || terms.clientId !== interaction.clientId) {
    throw new Error("accepted with the authorisation of another resource");
  }
  const grant = new provider.Grant({
    accountId: authorisationId,
    clientId: interaction.clientId,
  });
  grant.jti = interaction.uid;
  // A second more than its terms: rounding must not end the grant before a token that ends with them.
  grant.exp = await endByMachineTime(addTime(terms.grantEndsAt, 1, "second"), now);
  grant.addResourceScope(audienceOf(ports), scope);
  return grant.save();
}
