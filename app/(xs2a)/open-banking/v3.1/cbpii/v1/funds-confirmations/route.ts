import { confirmFunds } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofFunds } from "@/lib/xs2a/refusals";
import { tokenOfFundsConsentInHeader } from "@/lib/xs2a/token";
import {
  fundsConfirmationRequest,
  fundsConfirmed,
  fundsHeaders,
  fundsUnknown,
} from "@/lib/xs2a/wire/funds";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    POST: endpoint({
      operationId: "confirmFunds",
      summary: "Ask whether there are funds",
      role: "PSP_IC",
      token: tokenOfFundsConsentInHeader,
      headers: fundsHeaders,
      body: fundsConfirmationRequest,
      refuses: ofFunds,
      handle: ({ grant: consent, requestId, body: request, now }, ports) =>
        confirmFunds(ports, { consent, requestId, request, now }),
      reply: fundsConfirmed,
    }),
  },
  fundsUnknown,
);
