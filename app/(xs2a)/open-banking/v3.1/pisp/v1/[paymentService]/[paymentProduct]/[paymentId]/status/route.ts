import { readPayment } from "@/lib/domain/payment/read-payment";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofPayment } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { noBody, noQuery } from "@/lib/xs2a/wire/path";
import { paymentOf, paymentPath, unknownProduct } from "@/lib/xs2a/wire/payment-path";
import { paymentStatusRead } from "@/lib/xs2a/wire/payment-status";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "readPaymentStatus",
      summary: "Read a payment's status",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      headers: plainHeaders,
      path: paymentPath,
      query: noQuery,
      body: noBody,
      refuses: ofPayment,
      handle: (call, ports) => readPayment(ports, paymentOf(call)),
      reply: paymentStatusRead,
    }),
  },
  unknownProduct,
);
