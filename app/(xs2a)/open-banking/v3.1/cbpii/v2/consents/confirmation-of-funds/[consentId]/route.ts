import {
  deleteFundsConsent,
  readFundsConsent,
} from "@/lib/domain/funds-confirmation/read-funds-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfFundsConsentInPath } from "@/lib/xs2a/token-of-funds-consent";
import { deleted } from "@/lib/xs2a/wire/account-consent";
import { fundsConsentRead } from "@/lib/xs2a/wire/funds-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { consentPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsent",
    summary: "Read a consent for funds",
    role: "PSP_IC",
    token: tokenOfFundsConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      readFundsConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: fundsConsentRead,
  }),
  DELETE: endpoint({
    operationId: "deleteFundsConsent",
    summary: "End a consent for funds",
    role: "PSP_IC",
    token: tokenOfFundsConsentInPath,
    headers: plainHeaders,
    path: consentPath,
    query: noQuery,
    body: noBody,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      deleteFundsConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: deleted,
  }),
});
