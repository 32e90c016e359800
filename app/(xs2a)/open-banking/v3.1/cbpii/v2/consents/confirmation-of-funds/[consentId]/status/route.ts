import { readFundsConsent } from "@/lib/domain/funds-confirmation/read-funds-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfFundsConsentInPath } from "@/lib/xs2a/token-of-funds-consent";
import { fundsConsentStatusRead } from "@/lib/xs2a/wire/funds-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { consentPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsentStatus",
    summary: "Read the status of a consent for funds",
    role: "PSP_IC",
    token: tokenOfFundsConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readFundsConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: fundsConsentStatusRead,
  }),
});
