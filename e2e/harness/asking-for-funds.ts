import { type FundsConsentRequest, granted, oauth } from "@/clients/typescript/src";
import { ANA_CURRENT } from "./payment-request";
import type { Asked, TestTpp } from "./test-tpp";

/** Creates a confirmation of funds consent and prepares the PSU's visit to the bank. */
export async function askForFunds(
  tpp: TestTpp,
  changes: Partial<FundsConsentRequest> = {},
): Promise<Asked> {
  const consent = { account: { iban: ANA_CURRENT }, ...changes };
  const { consentId, _links } = granted(await tpp.bank.createFundsConsent(consent, tpp));
  const server = await oauth(_links.scaOAuth.href, tpp.id, tpp.http);
  const request = server.authorise(`PIIS:${consentId}`, tpp.redirectUri);
  const authorisationId = String(_links.scaStatus.href.split("/").at(-1));
  return { consentId, authorisationId, server, request };
}
