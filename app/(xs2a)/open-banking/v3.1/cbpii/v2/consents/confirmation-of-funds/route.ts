import { createFundsConsent } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { noToken } from "@/lib/xs2a/token";
import { redirectHeaders } from "@/lib/xs2a/wire/common";
import { consentRequestOf } from "@/lib/xs2a/wire/consents";
import {
  fundsConsentAnswered,
  fundsConsentCreated,
  fundsConsentRequest,
  fundsUnknown,
} from "@/lib/xs2a/wire/funds";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    POST: endpoint({
      operationId: "createFundsConsent",
      summary: "Ask to confirm funds",
      role: "PSP_IC",
      token: noToken,
      headers: redirectHeaders,
      answered: fundsConsentAnswered,
      body: fundsConsentRequest,
      handle: (call, ports) =>
        createFundsConsent(ports, { ...consentRequestOf(call), request: call.body }),
      reply: fundsConsentCreated,
    }),
  },
  fundsUnknown,
);
