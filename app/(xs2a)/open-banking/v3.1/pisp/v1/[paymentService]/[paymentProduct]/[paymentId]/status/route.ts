import { readPayment } from "@/lib/domain/payments";
import { endpoint } from "@/lib/xs2a/endpoint";
import { paymentCall, paymentOf, paymentResource } from "@/lib/xs2a/resource-calls";
import { paymentStatusRead } from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paymentResource({
  GET: endpoint({
    operationId: "readPaymentStatus",
    summary: "Read a payment's status",
    ...paymentCall,
    handle: (call, ports) => readPayment(ports, paymentOf(call)),
    reply: paymentStatusRead,
  }),
});
