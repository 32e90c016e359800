import { readPaymentAuthorisation } from "@/lib/domain/payment/read-payment";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofPayment } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { authorisationRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { noBody, noQuery } from "@/lib/xs2a/wire/path";
import { paymentAuthorisationPath, paymentOf, unknownProduct } from "@/lib/xs2a/wire/payment-path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "readPaymentAuthorisation",
      summary: "Read the status of a payment's authorisation",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      headers: plainHeaders,
      path: paymentAuthorisationPath,
      query: noQuery,
      body: noBody,
      refuses: ofPayment,
      handle: (call, ports) => {
        const { authorisationId } = call.path;
        return readPaymentAuthorisation(ports, { ...paymentOf(call), authorisationId });
      },
      reply: authorisationRead,
    }),
  },
  unknownProduct,
);
