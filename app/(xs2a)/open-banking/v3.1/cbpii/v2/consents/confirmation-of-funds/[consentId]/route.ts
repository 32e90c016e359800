import { deleteFundsConsent, readFundsConsent } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofConsent } from "@/lib/xs2a/refusals";
import { tokenOfFundsConsentInPath } from "@/lib/xs2a/token";
import { consentPath } from "@/lib/xs2a/wire/common";
import { deleted } from "@/lib/xs2a/wire/consents";
import { fundsConsentRead } from "@/lib/xs2a/wire/funds";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsent",
    summary: "Read a consent for funds",
    role: "PSP_IC",
    token: tokenOfFundsConsentInPath,
    path: consentPath,
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
    path: consentPath,
    refuses: ofConsent,
    handle: ({ qwac, path, now }, ports) =>
      deleteFundsConsent(ports, { id: path.consentId, tppId: qwac.tpp.id, now }),
    reply: deleted,
  }),
});
