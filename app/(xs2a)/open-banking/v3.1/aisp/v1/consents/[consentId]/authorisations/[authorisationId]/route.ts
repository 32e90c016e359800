import { readConsentAuthorisation } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAuthorisation } from "@/lib/xs2a/refusals";
import { accountConsentCall, consentOf } from "@/lib/xs2a/resource-calls";
import { authorisationPath } from "@/lib/xs2a/wire/common";
import { authorisationRead } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsentAuthorisation",
    summary: "Read the status of a consent's authorisation",
    ...accountConsentCall,
    path: authorisationPath,
    refuses: ofAuthorisation,
    handle: (call, ports) => {
      const { authorisationId } = call.path;
      return readConsentAuthorisation(ports, { ...consentOf(call), authorisationId });
    },
    reply: authorisationRead,
  }),
});
