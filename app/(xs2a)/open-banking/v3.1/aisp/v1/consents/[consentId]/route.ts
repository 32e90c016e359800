import { deleteAccountConsent } from "@/lib/domain/consent/delete-account-consent";
import { readAccountConsent } from "@/lib/domain/consent/read-account-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { accountConsentRead, deleted } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { consentPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    handle: ({ qwac, path, now }, ports) =>
      readAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: accountConsentRead,
  }),
  DELETE: endpoint({
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    handle: ({ qwac, path, now }, ports) =>
      deleteAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: deleted,
  }),
});
