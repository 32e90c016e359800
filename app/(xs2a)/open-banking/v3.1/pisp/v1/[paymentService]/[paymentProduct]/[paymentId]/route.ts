import { readPayment, refuseCancellation } from "@/lib/domain/payment/read-payment";
import { neverGranted } from "@/lib/xs2a/answers";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofCancellation, ofPayment } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { noBody, noQuery } from "@/lib/xs2a/wire/path";
import { paymentRead } from "@/lib/xs2a/wire/payment";
import { paymentOf, paymentPath, unknownProduct } from "@/lib/xs2a/wire/payment-path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "readPayment",
      summary: "Read a payment",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      headers: plainHeaders,
      path: paymentPath,
      query: noQuery,
      body: noBody,
      refuses: ofPayment,
      handle: (call, ports) => readPayment(ports, paymentOf(call)),
      reply: paymentRead,
    }),
    DELETE: endpoint({
      operationId: "cancelPayment",
      summary: "Cancel a payment (not offered)",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      headers: plainHeaders,
      path: paymentPath,
      query: noQuery,
      body: noBody,
      refuses: ofCancellation,
      handle: (call, ports) => refuseCancellation(ports, paymentOf(call)),
      reply: neverGranted,
    }),
  },
  unknownProduct,
);
