import { initiatePayment } from "@/lib/domain/payment/initiate-payment";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import { arrivalsBy } from "@/lib/domain/testing/in-memory-arrivals";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { asWritten } from "../answers";
import { endpoint } from "../endpoint";
import { responseOf } from "../http";
import { answeredBefore, paymentAsked } from "../payment-initiation";
import type { Xs2aPorts } from "../ports";
import { noToken } from "../token";
import { paymentHeaders } from "../wire/headers";
import { noQuery } from "../wire/path";
import { initiated } from "../wire/payment";
import { paymentsPath } from "../wire/payment-path";
import { paymentRequest } from "../wire/payment-request";
import { paymentBody, sepa } from "./payment-request";
import { certificatesOf, portsOf, signedRequest } from "./tpp";

/** As the route declares it. */
const startPayment = endpoint({
  operationId: "initiatePayment",
  summary: "Start a payment",
  role: "PSP_PI",
  token: noToken,
  headers: paymentHeaders,
  path: paymentsPath,
  answered: answeredBefore,
  query: noQuery,
  body: paymentRequest,
  refuses: {},
  handle: (call, ports) => initiatePayment(ports, paymentAsked(call, ports)),
  reply: asWritten(initiated),
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

/** A payment's request, signed; headers that are `without` are left away after that. */
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

/** A bank that starts payments, at whatever time. */
export async function paymentHouse() {
  const house = inMemoryBank();
  const ports: Xs2aPorts = { ...(await portsOf()), ...house.ports };
  const send = async (
    request: Request,
    at?: Date,
    product: PaymentProduct = sepa,
  ): Promise<Heard> => {
    const clock = at === undefined ? ports.clock : { now: async () => at };
    const segments = { paymentService: "payments", paymentProduct: product };
    const asked = { ...ports, clock, arrivals: arrivalsBy({ ...ports, clock }) };
    const answer = responseOf(await startPayment(request.clone(), segments, asked));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const start = (asked: Asked = {}) => send(paymentCall(asked), undefined, asked.product);
  return { bank: house.bank, ports, send, start };
}

/** Status and body of an answer, and the headers that are its own. */
export function kept({ status, headers, text }: Heard) {
  const own = ["content-type", "location", "aspsp-sca-approach", "www-authenticate", "allow"];
  return { status, text, headers: own.map((name) => headers.get(name)) };
}
