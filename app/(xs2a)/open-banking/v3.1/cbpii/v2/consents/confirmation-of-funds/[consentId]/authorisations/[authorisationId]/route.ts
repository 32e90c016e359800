import { readFundsConsentAuthorisation } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAuthorisation } from "@/lib/xs2a/refusals";
import { consentOf, fundsConsentCall } from "@/lib/xs2a/resource-calls";
import { authorisationPath } from "@/lib/xs2a/wire/common";
import { authorisationRead } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsentAuthorisation",
    summary: "Read the status of a consent for funds' authorisation",
    ...fundsConsentCall,
    path: authorisationPath,
    refuses: ofAuthorisation,
    handle: (call, ports) => {
      const { authorisationId } = call.path;
      return readFundsConsentAuthorisation(ports, { ...consentOf(call), authorisationId });
    },
    reply: authorisationRead,
  }),
});
