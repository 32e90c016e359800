import { readPayment } from "@/lib/domain/payments";
import { endpoint } from "@/lib/xs2a/endpoint";
import { paymentCall, paymentOf, paymentResource } from "@/lib/xs2a/resource-calls";
import { authorisationsRead } from "@/lib/xs2a/wire/consents";

// The authorisation starts implicitly with the payment: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paymentResource({
  GET: endpoint({
    operationId: "listPaymentAuthorisations",
    summary: "List a payment's authorisations",
    ...paymentCall,
    handle: (call, ports) => readPayment(ports, paymentOf(call)),
    reply: authorisationsRead,
  }),
});
