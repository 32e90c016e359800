import { readConsentAuthorisation } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAuthorisation } from "@/lib/xs2a/refusals";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { authorisationPath } from "@/lib/xs2a/wire/common";
import { authorisationRead } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsentAuthorisation",
    summary: "Read the status of a consent's authorisation",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    path: authorisationPath,
    refuses: ofAuthorisation,
    handle: ({ qwac, path: { consentId, authorisationId }, now }, ports) =>
      readConsentAuthorisation(ports, { id: consentId, authorisationId, tppId: qwac.tpp.id, now }),
    reply: authorisationRead,
  }),
});
