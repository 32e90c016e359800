import { readFundsConsentAuthorisation } from "@/lib/domain/funds-confirmation/read-funds-consent";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofAuthorisation } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfFundsConsentInPath } from "@/lib/xs2a/token-of-funds-consent";
import { authorisationRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { authorisationPath, noBody, noQuery } from "@/lib/xs2a/wire/path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readFundsConsentAuthorisation",
    summary: "Read the status of a consent for funds' authorisation",
    role: "PSP_IC",
    token: tokenOfFundsConsentInPath,
    headers: plainHeaders,
    path: authorisationPath,
    query: noQuery,
    body: noBody,
    refuses: ofAuthorisation,
    handle: ({ qwac: { tpp }, path: { consentId: id, authorisationId }, now }, ports) =>
      readFundsConsentAuthorisation(ports, { id, authorisationId, tppId: tpp.id, now }),
    reply: authorisationRead,
  }),
});
