import { z } from "zod";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { PaymentId } from "@/lib/domain/identifiers";
import { isProduct, type PaymentProduct } from "@/lib/domain/payment/payment-product";
import type { PaymentOfTpp } from "@/lib/domain/payment/read-payment";
import { type Rejection, reject } from "@/lib/domain/rejection";
import type { Circumstances } from "../circumstances";
import type { Caller } from "../endpoint";
import type { Xs2aPorts } from "../ports";
import { authorisationId, idInPath } from "./path";

const PRODUCT_UNKNOWN = "this payment service or product is not offered";

/** Service and product; of the standard's services this bank has one. */
const offeredProduct = (profile: AspspProfile) =>
  z
    .object({
      paymentService: z
        .string()
        .meta({ const: profile.payments.service, description: "The one service there is." }),
      paymentProduct: z.string().meta({
        enum: Object.keys(profile.payments.products),
        description: "The product, which decides on the fields of the body.",
      }),
    })
    .refine(
      ({ paymentService, paymentProduct }) =>
        paymentService === profile.payments.service && isProduct(profile, paymentProduct),
      { message: PRODUCT_UNKNOWN, params: { code: "PRODUCT_UNKNOWN" } },
    )
    .transform(({ paymentProduct }) => ({ product: paymentProduct as PaymentProduct }));

const paymentId = idInPath("The payment's id.").transform(
  (text) => text.toLowerCase() as PaymentId,
);

export const paymentsPath = ({ profile }: Circumstances) => offeredProduct(profile);

export const paymentPath = ({ profile }: Circumstances) =>
  z.intersection(offeredProduct(profile), z.object({ paymentId }));

export const paymentAuthorisationPath = (circumstances: Circumstances) =>
  z.intersection(
    paymentPath(circumstances),
    z.object({
      authorisationId,
    }),
  );

type PaymentCall = Pick<Caller, "qwac" | "now"> & {
  readonly path: { readonly product: PaymentProduct; readonly paymentId: PaymentId };
};

/** Whose payment a call is about, and which. */
export function paymentOf({ qwac, path, now }: PaymentCall): PaymentOfTpp {
  return { id: path.paymentId, product: path.product, tppId: qwac.tpp.id, now };
}

/**
 * A service or product that is not offered is unknown with any method and with whatever follows it in
 * the path, so this is asked before them.
 */
export function unknownProduct(
  segments: Readonly<Record<string, unknown>>,
  { profile }: Pick<Xs2aPorts, "profile">,
): Rejection | undefined {
  const { paymentService, paymentProduct } = segments;
  const offered =
    paymentService === profile.payments.service && isProduct(profile, String(paymentProduct));
  return offered ? undefined : reject("PRODUCT_UNKNOWN", PRODUCT_UNKNOWN);
}
