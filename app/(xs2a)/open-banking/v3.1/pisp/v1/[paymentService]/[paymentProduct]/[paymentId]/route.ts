import { readPayment, refuseCancellation } from "@/lib/domain/payments";
import { neverGranted } from "@/lib/xs2a/declaration";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofCancellation, ofPayment } from "@/lib/xs2a/refusals";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { paymentOf, paymentPath, paymentRead, unknownProduct } from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "readPayment",
      summary: "Read a payment",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      path: paymentPath,
      refuses: ofPayment,
      handle: (call, ports) => readPayment(ports, paymentOf(call)),
      reply: paymentRead,
    }),
    DELETE: endpoint({
      operationId: "cancelPayment",
      summary: "Cancel a payment (not offered)",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      path: paymentPath,
      refuses: ofCancellation,
      handle: (call, ports) => refuseCancellation(ports, paymentOf(call)),
      reply: neverGranted,
    }),
  },
  unknownProduct,
);
