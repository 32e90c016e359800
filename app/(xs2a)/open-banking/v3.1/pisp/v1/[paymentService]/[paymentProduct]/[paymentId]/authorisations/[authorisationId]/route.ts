import { readPaymentAuthorisation } from "@/lib/domain/payment/read-payment";
import { endpoint } from "@/lib/xs2a/endpoint";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfPaymentInPath } from "@/lib/xs2a/token";
import { authorisationRead } from "@/lib/xs2a/wire/account-consent";
import { plainHeaders } from "@/lib/xs2a/wire/headers";
import { noBody, noQuery } from "@/lib/xs2a/wire/path";
import { paymentAuthorisationPath, paymentOf, unknownProduct } from "@/lib/xs2a/wire/payment-path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  {
    GET: endpoint({
      role: "PSP_PI",
      token: tokenOfPaymentInPath,
      headers: plainHeaders,
      path: paymentAuthorisationPath,
      query: noQuery,
      body: noBody,
      handle: (call, ports) => {
        const { authorisationId } = call.path;
        return readPaymentAuthorisation(ports, { ...paymentOf(call), authorisationId });
      },
      reply: authorisationRead,
    }),
  },
  unknownProduct,
);
