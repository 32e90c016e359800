import { readPayment } from "@/lib/domain/payments";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { paymentCall, paymentOf } from "@/lib/xs2a/resource-calls";
import { authorisationsRead } from "@/lib/xs2a/wire/consents";
import { unknownProduct } from "@/lib/xs2a/wire/payments";

// The authorisation starts implicitly with the payment: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "listPaymentAuthorisations",
      summary: "List a payment's authorisations",
      ...paymentCall,
      handle: (call, ports) => readPayment(ports, paymentOf(call)),
      reply: authorisationsRead,
    }),
  },
  unknownProduct,
);
