import { readAccountConsent } from "@/lib/domain/consent/read-account-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { consentStatusRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { consentPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsentStatus",
    summary: "Read a consent's status",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: consentStatusRead,
  }),
});
