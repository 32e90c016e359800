import { readPayment } from "@/lib/domain/payments";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofPayment } from "@/lib/xs2a/refusals";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import {
  paymentOf,
  paymentPath,
  paymentStatusRead,
  unknownProduct,
} from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "readPaymentStatus",
      summary: "Read a payment's status",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      path: paymentPath,
      refuses: ofPayment,
      handle: (call, ports) => readPayment(ports, paymentOf(call)),
      reply: paymentStatusRead,
    }),
  },
  unknownProduct,
);
