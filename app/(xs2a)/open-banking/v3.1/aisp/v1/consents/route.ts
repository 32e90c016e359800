import { createAccountConsent } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofConsentRequest } from "@/lib/xs2a/refusals";
import { noToken } from "@/lib/xs2a/token";
import { notifiedHeaders } from "@/lib/xs2a/wire/common";
import {
  accountConsentAnswered,
  accountConsentCreated,
  accountConsentRequest,
  consentRequestOf,
  notifying,
} from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: endpoint({
    operationId: "createAccountConsent",
    summary: "Ask for access to accounts",
    role: "PSP_AI",
    token: noToken,
    headers: notifiedHeaders,
    answered: accountConsentAnswered,
    body: accountConsentRequest,
    refuses: ofConsentRequest,
    handle: (call, ports) =>
      createAccountConsent(ports, { ...consentRequestOf(call), request: call.body }).then(
        notifying(call),
      ),
    reply: accountConsentCreated,
  }),
});
