import { initiatePayment } from "@/lib/domain/payments";
import { serialisedBefore } from "@/lib/xs2a/declaration";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofPaymentRequest } from "@/lib/xs2a/refusals";
import { paymentResource } from "@/lib/xs2a/resource-calls";
import { noToken } from "@/lib/xs2a/token";
import { paymentHeaders } from "@/lib/xs2a/wire/common";
import {
  earlierAnswer,
  initiated,
  initiationOf,
  paymentRequest,
  paymentsPath,
} from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paymentResource({
  POST: endpoint({
    operationId: "initiatePayment",
    summary: "Start a payment",
    role: "PSP_PI",
    token: noToken,
    headers: paymentHeaders,
    path: paymentsPath,
    answered: earlierAnswer,
    body: paymentRequest,
    refuses: ofPaymentRequest,
    handle: (call, ports) => initiatePayment(ports, initiationOf(call, ports)),
    reply: serialisedBefore(initiated),
  }),
});
