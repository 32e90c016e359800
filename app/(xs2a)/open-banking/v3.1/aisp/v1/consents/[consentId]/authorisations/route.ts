import { readAccountConsent } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { consentPath } from "@/lib/xs2a/wire/common";
import { authorisationsRead } from "@/lib/xs2a/wire/consents";

// The authorisation starts implicitly with the consent: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listAccountConsentAuthorisations",
    summary: "List a consent's authorisations",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    path: consentPath,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: authorisationsRead,
  }),
});
