import { readAccountConsent } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { consentPath } from "@/lib/xs2a/wire/common";
import { consentStatusRead } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsentStatus",
    summary: "Read a consent's status",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    path: consentPath,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: consentStatusRead,
  }),
});
