import { readPaymentAuthorisation } from "@/lib/domain/payments";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofPayment } from "@/lib/xs2a/refusals";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { authorisationRead } from "@/lib/xs2a/wire/consents";
import { paymentAuthorisationPath, paymentOf, unknownProduct } from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "readPaymentAuthorisation",
      summary: "Read the status of a payment's authorisation",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      path: paymentAuthorisationPath,
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
