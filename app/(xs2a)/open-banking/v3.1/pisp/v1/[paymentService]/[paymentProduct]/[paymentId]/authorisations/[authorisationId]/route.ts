import { readPaymentAuthorisation } from "@/lib/domain/payments";
import { endpoint } from "@/lib/xs2a/endpoint";
import { paymentCall, paymentOf, paymentResource } from "@/lib/xs2a/resource-calls";
import { authorisationRead } from "@/lib/xs2a/wire/consents";
import { paymentAuthorisationPath } from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paymentResource({
  GET: endpoint({
    operationId: "readPaymentAuthorisation",
    summary: "Read the status of a payment's authorisation",
    ...paymentCall,
    path: paymentAuthorisationPath,
    handle: (call, ports) => {
      const { authorisationId } = call.path;
      return readPaymentAuthorisation(ports, { ...paymentOf(call), authorisationId });
    },
    reply: authorisationRead,
  }),
});
