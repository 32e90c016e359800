import { z } from "zod";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import { type PaymentProduct, termsOf } from "@/lib/domain/payment/payment-product";
import type { ProductTerms } from "@/lib/domain/payment/product-terms";
import type { Circumstances } from "../circumstances";
import { cameOutWell } from "./came-out-well";
import { jsonObject } from "./json-object";
import {
  bic,
  chargeBearer,
  creditorAddress,
  instructedAmount,
  notOffered,
  paymentAccount,
} from "./payment-fields";
import { plainText } from "./plain-text";
import { shownAs } from "./shown-as";

/**
 * One payment, strict: to drop a part of an order without a word is worse than to refuse it. That
 * holds for fields nobody knows, for those this bank does not have, such as a day of execution, and
 * for those of other products.
 */
const instruction = ({ currencies, crossBorder, chargeBearers }: ProductTerms) =>
  z
    .strictObject(
      {
        debtorAccount: paymentAccount,
        instructedAmount: instructedAmount(currencies),
        creditorAccount: paymentAccount,
        creditorName: plainText(70),
        // Abroad, a payment finds its way by the bank and the country.
        creditorAgent: crossBorder ? bic : bic.exactOptional(),
        creditorAddress: crossBorder ? creditorAddress : creditorAddress.exactOptional(),
        endToEndIdentification: crossBorder ? notOffered : plainText(35).exactOptional(),
        remittanceInformationUnstructured: plainText(140).exactOptional(),
        chargeBearer: chargeBearers.length > 1 ? chargeBearer.exactOptional() : notOffered,
      },
      jsonObject,
    )
    .refine(({ debtorAccount, creditorAccount }) => debtorAccount.iban !== creditorAccount.iban, {
      path: ["creditorAccount"],
      when: cameOutWell("debtorAccount", "creditorAccount"),
      error: "is the account that pays",
    });

type Instruction = z.infer<ReturnType<typeof instruction>>;

export type PaymentRequest = {
  readonly order: Omit<PaymentOrder, "rejectWithoutFunds">;
  /** Word for word. */
  readonly instruction: unknown;
};

/** Every product that the path can name. */
function products({ profile }: Circumstances): Readonly<Record<string, ProductInPath>> {
  const names = Object.keys(profile.payments.products) as PaymentProduct[];
  return Object.fromEntries(names.map((product) => [product, { product }]));
}

type ProductInPath = { readonly product: PaymentProduct };

/** The body of a new payment of the product that its path names. */
export const paymentRequest = Object.assign(ofProduct, { paths: products });

function ofProduct(
  { profile }: Circumstances,
  { product }: ProductInPath,
): z.ZodType<PaymentRequest> {
  const terms = termsOf(profile, product);
  const schema = instruction(terms);
  const form = z.unknown().transform((sent, issues): PaymentRequest => {
    const result = schema.safeParse(sent);
    if (result.success) {
      return { order: toOrder(result.data, product, terms), instruction: sent };
    }
    for (const issue of result.error.issues) issues.addIssue({ ...issue });
    return z.NEVER;
  });
  return shownAs(form, schema);
}

function toOrder(
  sent: Instruction,
  product: PaymentProduct,
  { chargeBearers }: ProductTerms,
): PaymentRequest["order"] {
  const { creditorAccount } = sent;
  return {
    product,
    amount: sent.instructedAmount,
    debtor: sent.debtorAccount,
    creditor: {
      name: sent.creditorName,
      iban: creditorAccount.iban,
      currency: creditorAccount.currency,
      agent: sent.creditorAgent,
      address: sent.creditorAddress,
    },
    endToEndId: sent.endToEndIdentification,
    remittance: sent.remittanceInformationUnstructured,
    chargeBearer: sent.chargeBearer ?? chargeBearers[0],
  };
}
