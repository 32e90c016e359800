import { z } from "zod";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import { type PaymentProduct, termsOf } from "@/lib/domain/payment/payment-product";
import type { ProductTerms } from "@/lib/domain/payment/product-terms";
import type { Circumstances } from "../endpoint";
import { cameOutWell } from "./came-out-well";
import {
  bic,
  chargeBearer,
  creditorAddress,
  instructedAmount,
  notOffered,
  paymentAccount,
} from "./payment-fields";
import { plainText } from "./plain-text";

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
      {
        error: (issue) =>
          issue.code === "invalid_type" ? "the body is not a JSON object" : undefined,
      },
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

/** The body of a new payment of the product that its path names. */
export function paymentRequest(
  { profile }: Circumstances,
  { product }: { readonly product: PaymentProduct },
): z.ZodType<PaymentRequest> {
  const terms = termsOf(profile, product);
  const schema = instruction(terms);
  return z.unknown().transform((sent, issues): PaymentRequest => {
    const result = schema.safeParse(sent);
    if (result.success) {
      return { order: { product, ...toOrder(result.data, terms) }, instruction: sent };
    }
    for (const issue of result.error.issues) issues.addIssue({ ...issue });
    return z.NEVER;
  });
}

function toOrder(
  sent: Instruction,
  { chargeBearers }: ProductTerms,
): Omit<PaymentOrder, "product" | "rejectWithoutFunds"> {
  const {
    creditorAgent: agent,
    creditorAddress: address,
    endToEndIdentification: endToEndId,
    remittanceInformationUnstructured: remittance,
  } = sent;
  return {
    amount: sent.instructedAmount,
    debtor: sent.debtorAccount,
    creditor: {
      name: sent.creditorName,
      ...sent.creditorAccount,
      ...(agent !== undefined && { agent }),
      ...(address !== undefined && { address }),
    },
    ...(endToEndId !== undefined && { endToEndId }),
    ...(remittance !== undefined && { remittance }),
    chargeBearer: sent.chargeBearer ?? chargeBearers[0],
  };
}
