import { readFundsConsentAuthorisation } from "@/lib/domain/funds";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAuthorisation } from "@/lib/xs2a/refusals";
import { tokenOfFundsConsentInPath } from "@/lib/xs2a/token";
import { authorisationPath } from "@/lib/xs2a/wire/common";
import { authorisationRead } from "@/lib/xs2a/wire/consents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsentAuthorisation",
    summary: "Read the status of a consent for funds' authorisation",
    role: "PSP_IC",
    token: tokenOfFundsConsentInPath,
    path: authorisationPath,
    refuses: ofAuthorisation,
    handle: ({ qwac: { tpp }, path: { consentId: id, authorisationId }, now }, ports) =>
      readFundsConsentAuthorisation(ports, { id, authorisationId, tppId: tpp.id, now }),
    reply: authorisationRead,
  }),
});
