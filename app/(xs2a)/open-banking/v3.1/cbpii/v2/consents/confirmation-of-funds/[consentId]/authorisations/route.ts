import { readFundsConsent } from "@/lib/domain/funds-confirmation/read-funds-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfFundsConsentInPath } from "@/lib/xs2a/token-of-funds-consent";
import { authorisationsRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { consentPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

// The authorisation starts implicitly with the consent: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listFundsConsentAuthorisations",
    summary: "List the authorisations of a consent for funds",
    role: "PSP_IC",
    token: tokenOfFundsConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readFundsConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: authorisationsRead,
  }),
});
