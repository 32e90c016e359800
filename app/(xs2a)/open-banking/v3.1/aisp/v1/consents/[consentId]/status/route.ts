import { readAccountConsent } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { accountConsentCall, consentOf } from "@/lib/xs2a/resource-calls";
import { consentStatusRead } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsentStatus",
    summary: "Read a consent's status",
    ...accountConsentCall,
    handle: (call, ports) => readAccountConsent(ports, consentOf(call)),
    reply: consentStatusRead,
  }),
});
