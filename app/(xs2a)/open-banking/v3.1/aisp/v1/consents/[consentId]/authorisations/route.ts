import { readAccountConsent } from "@/lib/domain/consent/read-account-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { authorisationsRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { consentPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

// The authorisation starts implicitly with the consent: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listAccountConsentAuthorisations",
    summary: "List a consent's authorisations",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: authorisationsRead,
  }),
});
