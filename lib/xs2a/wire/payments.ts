import * as z from "zod";
import {
  type AspspProfile,
  isProduct,
  offeredProducts,
  PAYMENT_SERVICE,
  type PaymentProduct,
  type ProductTerms,
  paymentProducts,
  termsOf,
} from "@/lib/domain/bank-profile";
import { type Rejection, reject } from "@/lib/domain/errors";
import {
  type Bic,
  type Payment,
  type PaymentOrder,
  type PaymentRejection,
  transactionTransitions,
} from "@/lib/domain/payment-order";
import {
  answerAgain,
  feeOf,
  type initiatePayment,
  PRODUCT_UNKNOWN,
  type StoredAnswer,
} from "@/lib/domain/payments";
import { type Currency, fractionDigitsOf, type PaymentId, parseAmount } from "@/lib/domain/values";
import {
  type Answers,
  type Call,
  type Caller,
  type FormByPath,
  headersOfNotified,
  replyOf,
  type SchemaContext,
  type Xs2aPorts,
} from "../declaration";
import { orMissing } from "../parse";
import { digestOf } from "../read-request";
import { type AnswerWithBody, serialise, serialiseRejection } from "../reply";
import {
  accountFields,
  amountSent,
  authorisationId,
  createdAt,
  currency,
  idInPath,
  jsonObject,
  keysOf,
  linksToAuthorise,
  type Notified,
  notificationHeaders,
  notificationOf,
  type PaymentHeaders,
  plainText,
  redirectUrisOf,
  shownAs,
  toAmount,
  validFields,
  withoutType,
  withSent,
} from "./common";

/**
 * One payment, strict: silently dropping a part of an order is worse than refusing it. That holds for unknown fields,
 * for those this bank does not offer, such as a day of execution, and for those of other products.
 */
const instruction = ({ currencies, crossBorder, chargeBearers }: ProductTerms) =>
  z
    .strictObject(
      {
        debtorAccount: paymentAccount,
        instructedAmount: amountInOneOf(currencies),
        creditorAccount: paymentAccount,
        creditorName: plainText(70),
        // A payment abroad is routed by the bank and the country.
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
      when: validFields("debtorAccount", "creditorAccount"),
      error: "is the account that pays",
    });

type Instruction = z.infer<ReturnType<typeof instruction>>;

export type PaymentRequest = {
  readonly order: Omit<PaymentOrder, "rejectWithoutFunds">;
  readonly instruction: unknown;
};

type ProductInPath = { readonly product: PaymentProduct };

/** All sub-accounts together, of which no payment can be made. */
const ALL_CURRENCIES = "XXX";

/** Debtor and creditor: by IBAN alone; `bban`, `pan` and the others are refused by name. */
export const paymentAccount = z
  .strictObject(
    accountFields(
      currency
        .meta({ pattern: `^(?!${ALL_CURRENCIES}$)[A-Z]{3}$` })
        .refine((code) => code !== ALL_CURRENCIES, "names no one sub-account"),
    ),
    orMissing("is not an account"),
  )
  .transform(withoutType);

/** Money is text, a dot at most, and never a number: `1e3` and `0.1` of a float are not exact. */
const amountToPay = (fractionDigitsMax: number) => {
  const fraction = fractionDigitsMax === 0 ? "" : `(\\.[0-9]{1,${fractionDigitsMax}})?`;
  return z
    .string(orMissing("is not a text"))
    .describe("Above zero, with as many digits after the dot as the currency has at most.")
    .regex(
      new RegExp(`^(?=.*[1-9])[0-9]{1,14}${fraction}$`),
      `is not an amount above zero: 14 digits at most, and ${fractionDigitsMax} after a dot`,
    );
};

/** An amount in a currency of this form, with at most so many digits after the dot. */
export const amountIn = (currencyForm: z.ZodType<Currency>, fractionDigitsMax: number) =>
  z
    .strictObject(
      { currency: currencyForm, amount: amountToPay(fractionDigitsMax) },
      orMissing("is not an amount"),
    )
    .transform(({ currency: code, amount }, issues) => {
      const minorUnits = parseAmount(amount, fractionDigitsOf(code));
      if (minorUnits !== undefined) return { currency: code, minorUnits };
      const message = `has more digits after the dot than ${code} has`;
      issues.addIssue({ code: "custom", path: ["amount"], message });
      return z.NEVER;
    });

const amountInOneOf = (currencies: readonly string[]) => {
  const ofProduct = z
    .string(orMissing("is not a currency"))
    .meta({ enum: currencies })
    .refine(
      (code) => currencies.includes(code),
      `is not a currency of this product: ${currencies.join(", ")}`,
    )
    .transform((code) => code as Currency);
  const digits = currencies.map((code) => fractionDigitsOf(code as Currency));
  return amountIn(ofProduct, Math.max(...digits));
};

/** The bank, not its branch: eight of the eleven characters that ISO 9362 knows. */
const bic = z
  .string(orMissing("is not a BIC"))
  .regex(/^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]$/, "is not a BIC of eight characters")
  .transform((text) => text as Bic);

const creditorAddress = z.strictObject(
  {
    streetName: plainText(70).exactOptional(),
    buildingNumber: plainText(70).exactOptional(),
    townName: plainText(70).exactOptional(),
    postCode: plainText(35).exactOptional(),
    country: z
      .string(orMissing("is not a country"))
      .regex(/^[A-Z]{2}$/, "is not a country: two capital letters"),
  },
  orMissing("is not an address"),
);

const chargeBearer = z.enum(["DEBT", "CRED", "SHAR", "SLEV"], {
  error: "is one of DEBT, CRED, SHAR, SLEV",
});

/** A field of the standard that this product does not have; sent all the same, it is refused. */
const notOffered = z.never({ error: "is not supported" }).exactOptional();

export const paymentRequest: FormByPath<ProductInPath, PaymentRequest> = {
  forms: ({ profile }) => {
    const products = offeredProducts(profile);
    return Object.fromEntries(products.map((name) => [name, requestFor(name, profile)]));
  },
  nameOf: ({ product }) => product,
};

function requestFor(product: PaymentProduct, profile: AspspProfile): z.ZodType<PaymentRequest> {
  const terms = termsOf(profile, product);
  const schema = instruction(terms);
  const form = withSent(schema).transform(({ sent, read }) => {
    return { order: toOrder(read, product, terms), instruction: sent };
  });
  return shownAs(form, schema);
}

function toOrder(
  sent: Instruction,
  product: PaymentProduct,
  { chargeBearers }: ProductTerms,
): PaymentRequest["order"] {
  return {
    product,
    amount: sent.instructedAmount,
    debtor: sent.debtorAccount,
    creditor: {
      name: sent.creditorName,
      ...sent.creditorAccount,
      agent: sent.creditorAgent,
      address: sent.creditorAddress,
    },
    endToEndId: sent.endToEndIdentification,
    remittance: sent.remittanceInformationUnstructured,
    chargeBearer: sent.chargeBearer ?? chargeBearers[0],
  };
}

/** Service and product; of the standard's services this bank has one. */
const productInPath = (profile: AspspProfile, isKnown: (name: string) => boolean) =>
  z
    .object({
      paymentService: z
        .string()
        .meta({ const: PAYMENT_SERVICE, description: "The one service there is." }),
      paymentProduct: z.string().meta({
        enum: offeredProducts(profile),
        description: "The product, which decides on the fields of the body.",
      }),
    })
    .refine(
      ({ paymentService, paymentProduct }) =>
        paymentService === PAYMENT_SERVICE && isKnown(paymentProduct),
      { message: PRODUCT_UNKNOWN, params: { code: "PRODUCT_UNKNOWN" } },
    )
    .transform(({ paymentProduct }) => ({ product: paymentProduct as PaymentProduct }));

const paymentId = idInPath<PaymentId>("The payment's id.");

export const paymentsPath = ({ profile }: SchemaContext) =>
  productInPath(profile, (name) => isProduct(profile, name));

/** Payments of a product that is no longer offered are there until they are over, and after. */
export const paymentPath = ({ profile }: SchemaContext) => {
  const known = productInPath(profile, isOfStandard);
  return z.intersection(known, z.object({ paymentId }));
};

export const paymentAuthorisationPath = (schemaContext: SchemaContext) =>
  z.intersection(paymentPath(schemaContext), z.object({ authorisationId }));

const isOfStandard = (name: string) => paymentProducts.some((one) => one === name);

/**
 * A service or product that is not offered is unknown with any method and any further path, so this is checked first. Of
 * a product that is not offered any more there may be payments, and requests for them may be repeated.
 */
export function unknownProduct(
  segments: Readonly<Record<string, unknown>>,
  { profile }: Pick<Xs2aPorts, "profile">,
  method?: string,
): Rejection | undefined {
  const { paymentService, paymentProduct, paymentId, unknown } = segments;
  const product = String(paymentProduct);
  const mayBeOfBefore = paymentId !== undefined || (method === "POST" && unknown === undefined);
  const isKnown = mayBeOfBefore ? isOfStandard(product) : isProduct(profile, product);
  return paymentService === PAYMENT_SERVICE && isKnown
    ? undefined
    : reject("PRODUCT_UNKNOWN", PRODUCT_UNKNOWN);
}

const transactionStatus = z.enum(keysOf(transactionTransitions));

const created = z.strictObject({
  transactionStatus,
  paymentId: z.uuid(),
  transactionFeeIndicator: z.boolean(),
  transactionFees: amountSent.optional(),
  _links: linksToAuthorise,
});

/** In capitals: the standard knows an IBAN in no other letters, the bank reads it in any. */
const account = z
  .object({ iban: z.string().regex(/^[^a-z]+$/) })
  .catchall(z.unknown().describe("As it was sent."));

const payment = z
  .object({
    debtorAccount: account,
    instructedAmount: z.strictObject({ currency: z.string(), amount: z.string() }),
    creditorAccount: account,
    creditorName: z.string(),
    transactionStatus,
  })
  .catchall(z.unknown().describe("As it was sent."));

/** Its answer is written when the payment is made, and kept with it. */
export const initiated = {
  status: 201,
  description: "The payment is there, and waits for the PSU to authorise it.",
  headers: headersOfNotified,
  body: created,
} as const satisfies Answers;

export function paymentInitiated(
  started: Payment,
  { links, profile }: Pick<Xs2aPorts, "links" | "profile">,
  notified: Notified["notified"] = {},
): AnswerWithBody {
  const { id, order, authorisationId } = started;
  const self = `${links.pisp}/${PAYMENT_SERVICE}/${order.product}/${id}`;
  const { headers, _links } = createdAt(self, authorisationId, links.scaOAuth);
  const fee = feeOf(order, profile);
  const isCharged = fee.minorUnits > 0n;
  const value = {
    transactionStatus: started.status,
    paymentId: id,
    transactionFeeIndicator: isCharged,
    transactionFees: isCharged ? toAmount(fee) : undefined,
    _links,
  };
  const all = { ...headers, ...notified };
  return { status: initiated.status, headers: all, body: { schema: initiated.body, value } };
}

export const paymentRead = replyOf(
  { status: 200, description: "The payment as it was sent, and where it stands.", body: payment },
  ({ instruction, status }: Payment) => {
    const sent = instruction as Sent;
    const accounts = {
      debtorAccount: inCapitals(sent.debtorAccount),
      creditorAccount: inCapitals(sent.creditorAccount),
    };
    return { value: { ...sent, ...accounts, transactionStatus: status } };
  },
);

/** Every accepted body has these. */
type Sent = { readonly debtorAccount: AccountSent; readonly creditorAccount: AccountSent };
type AccountSent = { readonly iban: string };

function inCapitals(account: AccountSent): AccountSent {
  return { ...account, iban: account.iban.toUpperCase() };
}

const status = z.strictObject({
  transactionStatus,
  fundsAvailable: z.boolean().optional(),
  psuMessage: z.string().max(500).optional(),
  tppMessages: z
    .array(
      z.strictObject({
        category: z.literal("WARNING"),
        code: z.literal("FUNDS_NOT_AVAILABLE"),
        text: z.string().max(500),
      }),
    )
    .optional(),
});

/**
 * What the TPP may show the PSU. It passes through the TPP's hands, so it says what to do about it
 * and nothing that only bank and PSU know: no balance, no limit's height, no name.
 */
const REJECTED: Readonly<Record<PaymentRejection, string>> = {
  cancelled: "The payment was not confirmed.",
  "too-many-tries": "The payment was not confirmed: there were too many wrong entries.",
  "psu-blocked": "The payment was not confirmed. Please contact your bank.",
  "window-over": "The payment was not confirmed in time. Please start it again.",
  "withdrawn-by-tpp": "The payment was withdrawn.",
  "not-own-account": "This account cannot be used for the payment.",
  "account-gone": "This account cannot be used for the payment.",
  "last-day-over": "The payment was not confirmed in time. Please start it again.",
  "tpp-blocked": "The payment was not confirmed. Please contact your bank.",
  "opted-out": "The payment was not confirmed. Please contact your bank.",
  "customer-blocked": "The payment was not confirmed. Please contact your bank.",
  "account-blocked": "This account cannot be used for payments. Please contact your bank.",
  "psu-limit": "The amount is above your limit. Your bank can tell you more.",
  "day-limit": "The amount is above what is left of your limit for today.",
  "no-funds": "The account did not have enough funds for the payment.",
  "creditor-account-closed": "The payee's account cannot receive the payment.",
};

const WITHOUT_FUNDS = "there are not sufficient funds for this payment";

/** Where the payment stands. Names of owners are not sent: no PSU has consented to it. */
export const paymentStatusRead = replyOf(
  { status: 200, description: "Where the payment stands.", body: status },
  (payment: Payment) => {
    const { status: now, reason } = payment;
    const fundsAvailable = fundsKnown(payment);
    const lacksFunds = now === "PDNG" || reason === "no-funds" || fundsAvailable === false;
    const remark = { category: "WARNING", code: "FUNDS_NOT_AVAILABLE", text: WITHOUT_FUNDS };
    const value = {
      transactionStatus: now,
      ...(fundsAvailable !== undefined && { fundsAvailable }),
      ...(reason !== undefined && { psuMessage: REJECTED[reason] }),
      ...(lacksFunds && { tppMessages: [remark] }),
    };
    return { value };
  },
);

/** The standard has it after the check and before the execution only. */
function fundsKnown({ status: now, fundsAvailable }: Payment): boolean | undefined {
  return now === "ACTC" || now === "ACCP" ? fundsAvailable : undefined;
}

type InitiationCall = Call<PaymentHeaders, unknown, unknown, PaymentRequest, undefined>;
type InitiationAsked = Parameters<typeof initiatePayment>[1];

/** `X-Request-ID` is the idempotency key of a payment: a repeated request gets the first answer again. */
export async function earlierAnswer(
  { qwac, requestId, bytes }: Caller,
  ports: Pick<Xs2aPorts, "payments" | "events">,
): Promise<StoredAnswer | undefined> {
  const key = { tppId: qwac.tpp.id, requestId };
  const first = await ports.payments.firstAnswer(key);
  return first && answerAgain(ports, { first, key, bodyDigest: digestOf(bytes) });
}

/** A request for a payment for the domain, with the functions that write its answer. */
export function initiationOf(call: InitiationCall, ports: Xs2aPorts): InitiationAsked {
  const { headers, body } = call;
  return {
    tpp: call.qwac.tpp,
    knownTpp: call.knownTpp,
    requestId: call.requestId,
    bodyDigest: digestOf(call.bytes),
    order: { ...body.order, rejectWithoutFunds: headers["tpp-rejection-nofunds-preferred"] },
    instruction: body.instruction,
    redirectUris: redirectUrisOf(headers),
    notification: notificationOf(headers),
    loginHint: headers["psu-id"],
    acceptLanguage: headers["psu-accept-language"],
    now: call.now,
    writer: {
      initiated: (payment) =>
        serialise(paymentInitiated(payment, ports, notificationHeaders(headers))),
      refused: (rejection) => serialiseRejection(rejection, call, ports),
    },
  };
}
