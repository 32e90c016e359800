import { deleteAccountConsent, readAccountConsent } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { accountConsentCall, consentOf } from "@/lib/xs2a/resource-calls";
import { accountConsentRead, deleted } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsent",
    summary: "Read a consent",
    ...accountConsentCall,
    handle: (call, ports) => readAccountConsent(ports, consentOf(call)),
    reply: accountConsentRead,
  }),
  DELETE: endpoint({
    operationId: "deleteAccountConsent",
    summary: "End a consent",
    ...accountConsentCall,
    handle: (call, ports) =>
      deleteAccountConsent(ports, { ...consentOf(call), requestId: call.requestId }),
    reply: deleted,
  }),
});
