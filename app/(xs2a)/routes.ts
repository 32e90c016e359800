import { published, type Routes } from "@/lib/xs2a/openapi/document";
import * as refusedRequest from "./open-banking/support/v1/requests/[requestId]/route";
import * as balances from "./open-banking/v3.1/aisp/v1/accounts/[accountId]/balances/route";
import * as account from "./open-banking/v3.1/aisp/v1/accounts/[accountId]/route";
import * as transaction from "./open-banking/v3.1/aisp/v1/accounts/[accountId]/transactions/[transactionId]/route";
import * as transactions from "./open-banking/v3.1/aisp/v1/accounts/[accountId]/transactions/route";
import * as accounts from "./open-banking/v3.1/aisp/v1/accounts/route";
import * as consentAuthorisation from "./open-banking/v3.1/aisp/v1/consents/[consentId]/authorisations/[authorisationId]/route";
import * as consentAuthorisations from "./open-banking/v3.1/aisp/v1/consents/[consentId]/authorisations/route";
import * as consent from "./open-banking/v3.1/aisp/v1/consents/[consentId]/route";
import * as consentStatus from "./open-banking/v3.1/aisp/v1/consents/[consentId]/status/route";
import * as consents from "./open-banking/v3.1/aisp/v1/consents/route";
import * as fundsConfirmations from "./open-banking/v3.1/cbpii/v1/funds-confirmations/route";
import * as fundsConsentAuthorisation from "./open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/[consentId]/authorisations/[authorisationId]/route";
import * as fundsConsentAuthorisations from "./open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/[consentId]/authorisations/route";
import * as fundsConsent from "./open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/[consentId]/route";
import * as fundsConsentStatus from "./open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/[consentId]/status/route";
import * as fundsConsents from "./open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/route";
import * as paymentAuthorisation from "./open-banking/v3.1/pisp/v1/[paymentService]/[paymentProduct]/[paymentId]/authorisations/[authorisationId]/route";
import * as paymentAuthorisations from "./open-banking/v3.1/pisp/v1/[paymentService]/[paymentProduct]/[paymentId]/authorisations/route";
import * as payment from "./open-banking/v3.1/pisp/v1/[paymentService]/[paymentProduct]/[paymentId]/route";
import * as paymentStatus from "./open-banking/v3.1/pisp/v1/[paymentService]/[paymentProduct]/[paymentId]/status/route";
import * as payments from "./open-banking/v3.1/pisp/v1/[paymentService]/[paymentProduct]/route";

const pisp = "/open-banking/v3.1/pisp/v1/{paymentService}/{paymentProduct}";
const cbpii = "/open-banking/v3.1/cbpii";
const confirmation = `${cbpii}/v2/consents/confirmation-of-funds`;
const aisp = "/open-banking/v3.1/aisp/v1";

/** The route files by path, for the description of the API; a test compares them with the folders. */
export const routes: Routes = {
  [`${aisp}/consents`]: consents,
  [`${aisp}/consents/{consentId}`]: consent,
  [`${aisp}/consents/{consentId}/status`]: consentStatus,
  [`${aisp}/consents/{consentId}/authorisations`]: consentAuthorisations,
  [`${aisp}/consents/{consentId}/authorisations/{authorisationId}`]: consentAuthorisation,
  [`${aisp}/accounts`]: accounts,
  [`${aisp}/accounts/{accountId}`]: account,
  [`${aisp}/accounts/{accountId}/balances`]: balances,
  [`${aisp}/accounts/{accountId}/transactions`]: transactions,
  [`${aisp}/accounts/{accountId}/transactions/{transactionId}`]: transaction,
  [pisp]: payments,
  [`${pisp}/{paymentId}`]: payment,
  [`${pisp}/{paymentId}/status`]: paymentStatus,
  [`${pisp}/{paymentId}/authorisations`]: paymentAuthorisations,
  [`${pisp}/{paymentId}/authorisations/{authorisationId}`]: paymentAuthorisation,
  [confirmation]: fundsConsents,
  [`${confirmation}/{consentId}`]: fundsConsent,
  [`${confirmation}/{consentId}/status`]: fundsConsentStatus,
  [`${confirmation}/{consentId}/authorisations`]: fundsConsentAuthorisations,
  [`${confirmation}/{consentId}/authorisations/{authorisationId}`]: fundsConsentAuthorisation,
  [`${cbpii}/v1/funds-confirmations`]: fundsConfirmations,
  "/open-banking/support/v1/requests/{requestId}": refusedRequest,
};

export const api = () => published(routes);
