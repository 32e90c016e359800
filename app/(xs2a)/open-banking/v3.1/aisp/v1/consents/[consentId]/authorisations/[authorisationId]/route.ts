import { readConsentAuthorisation } from "@/lib/domain/consent/read-account-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofAuthorisation } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { authorisationRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { authorisationPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsentAuthorisation",
    summary: "Read the status of a consent's authorisation",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    headers: plainHeaders,
    path: authorisationPath,
    query: noQuery,
    body: noBody,
    refuses: ofAuthorisation,
    handle: ({ qwac, path: { consentId, authorisationId }, now }, ports) =>
      readConsentAuthorisation(ports, { id: consentId, authorisationId, tppId: qwac.tpp.id, now }),
    reply: authorisationRead,
  }),
});
