import { readPayment } from "@/lib/domain/payments";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofPayment } from "@/lib/xs2a/refusals";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { authorisationsRead } from "@/lib/xs2a/wire/consents";
import { paymentOf, paymentPath, unknownProduct } from "@/lib/xs2a/wire/payments";

// The authorisation starts implicitly with the payment: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "listPaymentAuthorisations",
      summary: "List a payment's authorisations",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      path: paymentPath,
      refuses: ofPayment,
      handle: (call, ports) => readPayment(ports, paymentOf(call)),
      reply: authorisationsRead,
    }),
  },
  unknownProduct,
);
