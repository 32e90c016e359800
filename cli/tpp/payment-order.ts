import type { PaymentRequest } from "@/clients/typescript/src";
import { demoDebtor } from "./demo-debtor";
import { WrongUsage } from "./wrong-usage";

/** The options of a payment, for parseArgs. */
export const paymentOptions = {
  product: { type: "string" },
  amount: { type: "string" },
  currency: { type: "string" },
  to: { type: "string" },
  name: { type: "string" },
  from: { type: "string" },
  bic: { type: "string" },
  country: { type: "string" },
  text: { type: "string" },
  "reject-without-funds": { type: "boolean" },
} as const;

type TextOption = Exclude<keyof typeof paymentOptions, "reject-without-funds">;
type Values = Readonly<Partial<Record<TextOption, string>>> & {
  readonly "reject-without-funds"?: boolean;
};

export type PaymentOrder = {
  readonly product: string;
  readonly payment: PaymentRequest;
  /** Rather rejected than left waiting for funds. */
  readonly rejectWithoutFunds: boolean;
};

/** As it is typed: what is no amount, IBAN or currency the bank says. Throws WrongUsage. */
export function paymentOrder(values: Values): PaymentOrder {
  const { product, amount, currency, to, name, from, bic, country, text } = values;
  if (
    product === undefined ||
    amount === undefined ||
    currency === undefined ||
    to === undefined ||
    name === undefined
  ) {
    throw new WrongUsage("pay needs --product, --amount, --currency, --to and --name");
  }
  const payment: PaymentRequest = {
    debtorAccount: { iban: from ?? demoDebtor(currency) },
    instructedAmount: { currency, amount },
    creditorAccount: { iban: to },
    creditorName: name,
    ...(bic !== undefined && { creditorAgent: bic }),
    ...(country !== undefined && { creditorAddress: { country } }),
    ...(text !== undefined && { remittanceInformationUnstructured: text }),
  };
  return { product, payment, rejectWithoutFunds: values["reject-without-funds"] === true };
}
