import { deleteFundsConsent, readFundsConsent } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { consentOf, fundsConsentCall } from "@/lib/xs2a/resource-calls";
import { deleted } from "@/lib/xs2a/wire/consents";
import { fundsConsentRead } from "@/lib/xs2a/wire/funds";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsent",
    summary: "Read a consent for funds",
    ...fundsConsentCall,
    handle: (call, ports) => readFundsConsent(ports, consentOf(call)),
    reply: fundsConsentRead,
  }),
  DELETE: endpoint({
    operationId: "deleteFundsConsent",
    summary: "End a consent for funds",
    ...fundsConsentCall,
    handle: (call, ports) =>
      deleteFundsConsent(ports, { ...consentOf(call), requestId: call.requestId }),
    reply: deleted,
  }),
});
