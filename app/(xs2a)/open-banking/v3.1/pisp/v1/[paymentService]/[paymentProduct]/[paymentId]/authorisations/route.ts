import { readPayment } from "@/lib/domain/payment/read-payment";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofPayment } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { authorisationsRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { noBody, noQuery } from "@/lib/xs2a/wire/path";
import { paymentOf, paymentPath, unknownProduct } from "@/lib/xs2a/wire/payment-path";

// The authorisation starts implicitly with the payment: there is nothing to POST.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      operationId: "listPaymentAuthorisations",
      summary: "List a payment's authorisations",
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      headers: plainHeaders,
      path: paymentPath,
      query: noQuery,
      body: noBody,
      refuses: ofPayment,
      handle: (call, ports) => readPayment(ports, paymentOf(call)),
      reply: authorisationsRead,
    }),
  },
  unknownProduct,
);
