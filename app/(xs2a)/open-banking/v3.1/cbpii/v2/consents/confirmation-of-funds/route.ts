import { createFundsConsent } from "@/lib/domain/funds-confirmation/create-funds-consent";
import { consentAsked, fundsConsentAnswered } from "@/lib/xs2a/consent-asked";
import { endpoint } from "@/lib/xs2a/endpoint";
import { resource } from "@/lib/xs2a/resource";
import { noToken } from "@/lib/xs2a/token";
import { fundsConsentCreated } from "@/lib/xs2a/wire/funds-consent";
import { fundsConsentRequest } from "@/lib/xs2a/wire/funds-consent-request";
import { redirectHeaders } from "@/lib/xs2a/wire/headers";
import { noPath, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: endpoint({
    operationId: "createFundsConsent",
    summary: "Ask to confirm funds",
    role: "PSP_IC",
    token: noToken,
    headers: redirectHeaders,
    path: noPath,
    answered: fundsConsentAnswered,
    query: noQuery,
    body: fundsConsentRequest,
    refuses: {},
    handle: (call, ports) =>
      createFundsConsent(ports, { ...consentAsked(call), request: call.body }),
    reply: fundsConsentCreated,
  }),
});
