import { createAccountConsent } from "@/lib/domain/consent/create-account-consent";
import { accountConsentAnswered, consentAsked } from "@/lib/xs2a/consent-asked";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofConsentRequest } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { noToken } from "@/lib/xs2a/token";
import { accountConsentCreated } from "@/lib/xs2a/wire/account-consent";
import { accountConsentRequest } from "@/lib/xs2a/wire/account-consent-request";
import { redirectHeaders } from "@/lib/xs2a/wire/headers";
import { noPath, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: endpoint({
    operationId: "createAccountConsent",
    summary: "Ask for access to accounts",
    role: "PSP_AI",
    token: noToken,
    headers: redirectHeaders,
    path: noPath,
    answered: accountConsentAnswered,
    query: noQuery,
    body: accountConsentRequest,
    refuses: ofConsentRequest,
    handle: (call, ports) =>
      createAccountConsent(ports, { ...consentAsked(call), request: call.body }),
    reply: accountConsentCreated,
  }),
});
