import * as z from "zod";
import type { PaymentProduct } from "@/lib/domain/bank-profile";
import type { Rejection } from "@/lib/domain/errors";
import type { Payment } from "@/lib/domain/payment-order";
import { initiatePayment } from "@/lib/domain/payments";
import { inMemoryBank, requestContextsBy } from "@/lib/domain/testing/in-memory-bank";
import { tpp } from "@/lib/domain/testing/samples";
import { type IsoDate, newAuthorisationId, newPaymentId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import {
  type Answer,
  type BodyToWrite,
  type HeaderSchemaContext,
  replyOf,
  serialisedBefore,
  type Xs2aPorts,
} from "../declaration";
import { endpoint } from "../endpoint";
import { responseOf } from "../http";
import { bodySchemaOf, parse } from "../parse";
import { noToken } from "../token";
import { paymentHeaders } from "../wire/common";
import { accountConsentRequest } from "../wire/consents";
import {
  earlierAnswer,
  initiated,
  initiationOf,
  type PaymentRequest,
  paymentRequest,
  paymentsPath,
} from "../wire/payments";
import { certificatesOf, links, now, portsOf, signedRequest } from "./tpp";

/** As the route declares it. */
const startPayment = endpoint({
  operationId: "initiatePayment",
  summary: "Start a payment",
  role: "PSP_PI",
  token: noToken,
  headers: paymentHeaders,
  path: paymentsPath,
  answered: earlierAnswer,
  body: paymentRequest,
  handle: (call, ports) => initiatePayment(ports, initiationOf(call, ports)),
  reply: serialisedBefore(initiated),
});

export const payingTpp = await certificatesOf("PSDRO-NBR-1234567", ["PSP_PI"]);
export const otherTpp = await certificatesOf("PSDRO-NBR-7654321", ["PSP_PI"]);

export type Asked = {
  readonly from?: typeof payingTpp;
  readonly product?: PaymentProduct;
  readonly changed?: Readonly<Record<string, unknown>>;
  /** In place of the whole body. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
};

/** A payment's request, signed; headers in `without` are removed after that. */
export function paymentCall({ product = sepa, changed = {}, ...asked }: Asked = {}): Request {
  return signedRequest(asked.from ?? payingTpp, {
    url: `https://bank.example/open-banking/v3.1/pisp/v1/payments/${product}`,
    body: asked.body ?? JSON.stringify(paymentBody(product, changed)),
    headers: {
      "psu-ip-address": "198.51.100.7",
      "tpp-redirect-uri": "https://tpp.example/cb",
      ...asked.headers,
    },
    ...(asked.without !== undefined && { without: asked.without }),
  });
}

type Heard = { readonly status: number; readonly headers: Headers; readonly text: string };

/** A bank that starts payments, at a given time. */
export async function paymentBank() {
  const memory = inMemoryBank();
  const ports: Xs2aPorts = { ...(await portsOf()), ...memory.ports };
  const send = async (
    request: Request,
    at?: Date,
    product: PaymentProduct = sepa,
  ): Promise<Heard> => {
    const clock = at === undefined ? ports.clock : { now: async () => at };
    const segments = { paymentService: "payments", paymentProduct: product };
    const asked = { ...ports, clock, requestContexts: requestContextsBy({ ...ports, clock }) };
    const answer = responseOf(await startPayment(request.clone(), segments, asked));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const start = (asked: Asked = {}) => send(paymentCall(asked), undefined, asked.product);
  return { bank: memory.bank, ports, send, start };
}

/** Status and body of an answer, and the headers that are its own. */
export function kept({ status, headers, text }: Heard) {
  const own = ["content-type", "location", "aspsp-sca-approach", "www-authenticate", "allow"];
  return { status, text, headers: own.map((name) => headers.get(name)) };
}

export const replyPorts = { links, profile: aspspProfile };

/** A payment as its request has made it, and then what became of it. */
export function paymentOf(
  given: Partial<Payment> = {},
  { product = sepa, changed = {} }: { product?: PaymentProduct; changed?: object } = {},
): Payment {
  const { order, instruction } = pay(product, paymentBody(product, { ...changed }));
  return {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order: { ...order, rejectWithoutFunds: false },
    instruction,
    createdAt: now,
    status: "RCVD",
    statusAt: now,
    ...given,
  };
}

export const PRODUCTS = Object.keys(aspspProfile.payments.products) as readonly PaymentProduct[];
export const DEBTOR = "RO49AAAA1B31007593840000";
export const CREDITOR = "DE89370400440532013000";

const currencyOf = (product: PaymentProduct) =>
  aspspProfile.payments.products[product].currencies[0];
const abroad = { creditorAgent: "COBADEFF", creditorAddress: { country: "DE" } };

/** As little as the product needs, with these changes. */
export function paymentBody(
  product: PaymentProduct,
  changed: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    debtorAccount: { iban: DEBTOR },
    instructedAmount: { currency: currencyOf(product), amount: "12.50" },
    creditorAccount: { iban: CREDITOR },
    creditorName: "Merchant GmbH",
    ...(product === "cross-border-credit-transfers" ? abroad : {}),
    ...changed,
  };
}

export function pay(product: PaymentProduct, body: unknown): PaymentRequest {
  const schema = bodySchemaOf(paymentRequest, schemaContext, { product });
  return parse("body", schema, body, schemaContext);
}

type Faulty = readonly [code: string, path: string | undefined];

/** Code and path of each fault that refuses the body; none when it is accepted. */
export function paymentFaults(product: PaymentProduct, body: unknown): readonly Faulty[] {
  return faultsOfForm(() => pay(product, body));
}

function faultsOfForm(read: () => unknown): Faulty[] {
  try {
    read();
  } catch (error) {
    const rejection = error as Rejection;
    if (rejection.status !== 400) throw error;
    return rejection.faults.map(({ code, path }) => [code, path]);
  }
  return [];
}

export const sepa = "sepa-credit-transfers";
/** The faults of a SEPA payment that is sound but for these changes. */
export const faultsIn = (changed: Readonly<Record<string, unknown>>) =>
  paymentFaults(sepa, paymentBody(sepa, changed));

export const schemaContext: HeaderSchemaContext = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: true,
  cursorSecret: "secret",
  redirectDomains: undefined,
};
export const IBAN = "RO49AAAA1B31007593840000";
export const OTHER = "DE89370400440532013000";
export const validConsent = {
  access: { balances: [], transactions: [] },
  recurringIndicator: true,
  validUntil: "2027-05-19",
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
export const ask = (changed: Record<string, unknown>) =>
  parse("body", accountConsentRequest, { ...validConsent, ...changed }, schemaContext);
export const rights = (access: unknown) => ask({ access }).access;
export const faults = (body: unknown) =>
  faultsOfForm(() => parse("body", accountConsentRequest, body, schemaContext));
export const faultsOf = (changed: Record<string, unknown>) =>
  faults({ ...validConsent, ...changed });

export const own = await certificatesOf();
export const ports = await portsOf();

/** An endpoint that echoes its input, and was not called yet. */
export const newEcho = () =>
  endpoint({
    operationId: "echo",
    summary: "Say it back",
    role: "PSP_AI",
    token: noToken,
    headers: z.object({ "psu-ip-address": z.ipv4({ error: "is not an IP address" }).optional() }),
    body: z.strictObject({ word: z.string() }).optional(),
    handle: async ({ body, qwac }) => ({ said: body?.word ?? "nothing", by: qwac.tpp.id }),
    reply: replyOf(
      {
        status: 200,
        description: "What was said.",
        body: z.strictObject({ said: z.string().max(20), by: z.string() }),
      },
      (value: unknown) => ({ value }),
    ),
  });

const echo = newEcho();
export const run = async (request: Request, given: Xs2aPorts = ports, asked = echo) =>
  responseOf(await asked(request, {}, given));
/** What the first entry of a refusal says. */
export async function refusal(request: Request, given: Xs2aPorts = ports, asked = echo) {
  const response = await run(request, given, asked);
  const { tppMessages } = (await response.json()) as {
    tppMessages: { code: string; path?: string; text: string }[];
  };
  return { status: response.status, ...tppMessages[0], entries: tppMessages.length };
}

/** The body as it leaves, once it has passed its schema. */
export function sentBody<Body extends object>(answer: Answer): Body {
  const { schema, value } = bodyToWrite(answer);
  return JSON.parse(JSON.stringify(schema.parse(value)));
}

export function bodyToWrite({ body }: Answer): BodyToWrite {
  if (body === undefined) throw new Error("an answer without a body");
  return body;
}
