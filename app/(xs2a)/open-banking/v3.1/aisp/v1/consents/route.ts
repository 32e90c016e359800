import { createAccountConsent } from "@/lib/domain/consent/create-account-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofConsentRequest } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { noToken } from "@/lib/xs2a/token";
import { accountConsentCreated } from "@/lib/xs2a/wire/account-consent";
import { accountConsentRequest } from "@/lib/xs2a/wire/account-consent-request";
import { redirectHeaders, wayBackOf } from "@/lib/xs2a/wire/headers";
import { noPath, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: endpoint({
    operationId: "createAccountConsent",
    summary: "Ask for access to accounts",
    role: "PSP_AI",
    token: noToken,
    headers: redirectHeaders,
    path: noPath,
    query: noQuery,
    body: accountConsentRequest,
    refuses: ofConsentRequest,
    handle: ({ qwac: { tpp }, knownTpp, requestId, headers, body, now }, ports) =>
      createAccountConsent(ports, {
        tpp,
        knownTpp,
        requestId,
        request: body,
        wayBack: wayBackOf(headers),
        loginHint: headers["psu-id"],
        now,
      }),
    reply: accountConsentCreated,
  }),
});
