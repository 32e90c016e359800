import { expect } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AuthorisationId, PaymentId, RequestId } from "@/lib/domain/identifiers";
import { convert } from "@/lib/domain/payment/exchange-rate";
import { type AnswerWriter, initiatePayment } from "@/lib/domain/payment/initiate-payment";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import type { StoredAnswer } from "@/lib/domain/payment/payment-store";
import { money } from "@/lib/domain/payment/product-terms";
import { command, onPayment } from "./command";
import { type Cut, cutShort } from "./cut-connection";
import { EUR } from "./lane";
import type { Model, Payee } from "./model";
import type { World } from "./world";

export type Wish = {
  readonly product: PaymentProduct;
  readonly minorUnits: bigint;
  readonly payee: Payee;
  readonly rejectWithoutFunds: boolean;
};

const told = ({ product, minorUnits, payee }: Wish) => `${minorUnits} ${payee} by ${product}`;

/** A POST; with a cut its connection breaks, and the TPP sends it again until it hears. */
export const create = (wish: Wish, cut?: Cut) =>
  command(`${cut ? "create, cut short" : "create"}: ${told(wish)}`, async (model, world) => {
    const requestId = crypto.randomUUID() as string as RequestId;
    const order = orderOf(wish, world);
    const asked = { requestId, order, now: model.now, digest: JSON.stringify(wish, String) };
    const heard = cut && (await cutShort(world.database, cut, (db) => post(world, asked, db)));
    const answer = heard ?? (await post(world, asked));
    if (cut !== undefined) expect(await post(world, asked)).toEqual(answer);
    model.lives.push(begun(model, { requestId, order, answer, payee: wish.payee }));
  });

/** The same X-Request-ID again, from several servers at once, whatever the body. */
export const repeat = (nth: number, other: Wish) =>
  onPayment(`repeat with ${told(other)}`, nth, async ({ requestId, answer }, { now }, world) => {
    const order = orderOf(other, world);
    const again = { requestId, order, now, digest: JSON.stringify(other, String) };
    const answers = await Promise.all([post(world, again), post(world, again)]);
    expect(answers).toEqual([answer, answer]);
  });

type Posted = {
  readonly requestId: RequestId;
  readonly order: PaymentOrder;
  readonly now: Date;
  readonly digest: string;
};

function post(
  { tpp, portsOver, database }: World,
  { digest: bodyDigest, ...asked }: Posted,
  over = database.db,
): Promise<StoredAnswer> {
  const wayBack = { redirectUri: "https://tpp.example/ok" };
  return initiatePayment(portsOver(over), {
    ...asked,
    tpp,
    bodyDigest,
    instruction: {},
    wayBack,
    writer,
  });
}

const writer: AnswerWriter = {
  initiated: ({ id, authorisationId }) => {
    return { status: 201, headers: {}, body: JSON.stringify({ id, authorisationId }) };
  },
  refused: ({ message }) => {
    throw new Error(`no payment here is above the bank's limit: ${message}`);
  },
};

function orderOf({ product, minorUnits, payee, ...rest }: Wish, world: World): PaymentOrder {
  const { currencies, chargeBearers } = aspspProfile.payments.products[product];
  return {
    ...rest,
    product,
    amount: money(currencies[0], minorUnits),
    debtor: { iban: world.debtor.iban },
    creditor: { name: "Payee", iban: world.payees[payee].iban },
    chargeBearer: chargeBearers[0],
  };
}

type Begun = {
  readonly requestId: RequestId;
  readonly order: PaymentOrder;
  readonly answer: StoredAnswer;
  readonly payee: Payee;
};

function begun({ now: createdAt }: Model, { order, ...asked }: Begun): Model["lives"][number] {
  const { id, authorisationId } = JSON.parse(asked.answer.body) as Record<string, string>;
  const { minorUnits } = convert(order.amount, EUR, aspspProfile);
  return {
    ...asked,
    order,
    createdAt,
    id: id as PaymentId,
    authorisationId: authorisationId as AuthorisationId,
    debit: minorUnits + aspspProfile.payments.products[order.product].fee.minorUnits,
    limited: minorUnits,
    status: "RCVD",
    history: ["RCVD"],
    known: 1,
    scaStatus: "received",
    failedAttempts: 0,
    codesSent: 0,
  };
}
