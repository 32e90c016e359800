import { readPayment, refuseCancellation } from "@/lib/domain/payments";
import { neverGranted } from "@/lib/xs2a/declaration";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofCancellation } from "@/lib/xs2a/refusals";
import { paymentCall, paymentOf, paymentResource } from "@/lib/xs2a/resource-calls";
import { paymentRead } from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paymentResource({
  GET: endpoint({
    operationId: "readPayment",
    summary: "Read a payment",
    ...paymentCall,
    handle: (call, ports) => readPayment(ports, paymentOf(call)),
    reply: paymentRead,
  }),
  DELETE: endpoint({
    operationId: "cancelPayment",
    summary: "Cancel a payment (not offered)",
    ...paymentCall,
    refuses: ofCancellation,
    handle: (call, ports) => refuseCancellation(ports, paymentOf(call)),
    reply: neverGranted,
  }),
});
