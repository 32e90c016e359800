import { readFundsConsent } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { consentOf, fundsConsentCall } from "@/lib/xs2a/resource-calls";
import { fundsConsentStatusRead } from "@/lib/xs2a/wire/funds";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsentStatus",
    summary: "Read the status of a consent for funds",
    ...fundsConsentCall,
    handle: (call, ports) => readFundsConsent(ports, consentOf(call)),
    reply: fundsConsentStatusRead,
  }),
});
