import { readFundsConsent } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { consentOf, fundsConsentCall } from "@/lib/xs2a/resource-calls";
import { authorisationsRead } from "@/lib/xs2a/wire/consents";

// The authorisation starts implicitly with the consent: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listFundsConsentAuthorisations",
    summary: "List the authorisations of a consent for funds",
    ...fundsConsentCall,
    handle: (call, ports) => readFundsConsent(ports, consentOf(call)),
    reply: authorisationsRead,
  }),
});
