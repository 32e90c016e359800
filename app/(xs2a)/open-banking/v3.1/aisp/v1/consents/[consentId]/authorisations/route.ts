import { readAccountConsent } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { accountConsentCall, consentOf } from "@/lib/xs2a/resource-calls";
import { authorisationsRead } from "@/lib/xs2a/wire/consents";

// The authorisation starts implicitly with the consent: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listAccountConsentAuthorisations",
    summary: "List a consent's authorisations",
    ...accountConsentCall,
    handle: (call, ports) => readAccountConsent(ports, consentOf(call)),
    reply: authorisationsRead,
  }),
});
