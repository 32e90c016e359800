import { initiatePayment } from "@/lib/domain/payment/initiate-payment";
import { asWritten } from "@/lib/xs2a/answers";
import { endpoint } from "@/lib/xs2a/endpoint";
import { answeredBefore, paymentAsked } from "@/lib/xs2a/payment-initiation";
import { ofPaymentRequest } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { noToken } from "@/lib/xs2a/token";
import { paymentHeaders } from "@/lib/xs2a/wire/headers";
import { noQuery } from "@/lib/xs2a/wire/path";
import { initiated } from "@/lib/xs2a/wire/payment";
import { paymentsPath, unknownProduct } from "@/lib/xs2a/wire/payment-path";
import { paymentRequest } from "@/lib/xs2a/wire/payment-request";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    POST: endpoint({
      operationId: "initiatePayment",
      summary: "Start a payment",
      role: "PSP_PI",
      token: noToken,
      headers: paymentHeaders,
      path: paymentsPath,
      answered: answeredBefore,
      query: noQuery,
      body: paymentRequest,
      refuses: ofPaymentRequest,
      handle: (call, ports) => initiatePayment(ports, paymentAsked(call, ports)),
      reply: asWritten(initiated),
    }),
  },
  unknownProduct,
);
