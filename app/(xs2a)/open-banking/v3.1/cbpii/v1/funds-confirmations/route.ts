import { confirmFunds } from "@/lib/domain/funds-confirmation/confirm-funds";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofFunds } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfFundsConsentInHeader } from "@/lib/xs2a/token-of-funds-consent";
import {
  fundsConfirmationRequest,
  fundsConfirmed,
  fundsHeaders,
} from "@/lib/xs2a/wire/funds-confirmation";
import { noPath, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: endpoint({
    operationId: "confirmFunds",
    summary: "Ask whether there are funds",
    role: "PSP_IC",
    token: tokenOfFundsConsentInHeader,
    headers: fundsHeaders,
    path: noPath,
    query: noQuery,
    body: fundsConfirmationRequest,
    refuses: ofFunds,
    handle: ({ grant: consent, requestId, body: request, now }, ports) =>
      confirmFunds(ports, { consent, requestId, request, now }),
    reply: fundsConfirmed,
  }),
});
