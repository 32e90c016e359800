import { deleteAccountConsent, readAccountConsent } from "@/lib/domain/consents";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { tokenOfConsentInPath } from "@/lib/xs2a/token";
import { consentPath } from "@/lib/xs2a/wire/common";
import { accountConsentRead, deleted } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccountConsent",
    summary: "Read a consent",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    path: consentPath,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: accountConsentRead,
  }),
  DELETE: endpoint({
    operationId: "deleteAccountConsent",
    summary: "End a consent",
    role: "PSP_AI",
    token: tokenOfConsentInPath,
    path: consentPath,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      deleteAccountConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: deleted,
  }),
});
