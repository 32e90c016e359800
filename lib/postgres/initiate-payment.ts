import { and, eq, type SQL, sql } from "drizzle-orm";
import { payment, paymentInitiation, paymentState } from "@/drizzle/schema/drawbridge";
import type {
  FirstAnswer,
  Initiation,
  PaymentStore,
  RequestKey,
} from "@/lib/domain/payment/payment-store";
import { fromAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { givenTable } from "./given-row";
import { givenStatement } from "./given-statement";
import { fromPayment } from "./payment-row";
import { authorisations, choosingAgain, freeSlot, ifFree, slots } from "./start-authorisation";

const answers = givenTable(paymentInitiation);
const payments = givenTable(payment);
const states = givenTable(paymentState);

/**
 * One statement: who is first with a key keeps the answer, and starts a payment. Whoever comes with the
 * same key meanwhile waits for its primary key until the first has ended.
 */
export function initiatingPayments(db: Database): Pick<PaymentStore, "initiate" | "firstAnswer"> {
  const attempts = { first: startStatement(db, "first"), next: startStatement(db, "next") };
  const refuse = refusalStatement(db);
  const firstAnswer = findingAnswers(db);
  const keep = async (initiation: Initiation): Promise<boolean> => {
    const { started } = initiation;
    const answer = fromAnswer(initiation);
    if (started === undefined) return (await refuse(answer)).length === 1;
    const { payment: begun, authorisation, openMax } = started;
    const { id: paymentId, tppId, status, statusAt } = begun;
    const rows = [fromAuthorisation(authorisation), fromPayment(begun)] as const;
    const state = { paymentId, status, statusAt };
    const kept = await choosingAgain((attempt) =>
      attempts[attempt]({ tppId, openMax }, answer, ...rows, state),
    );
    return kept.length === 1;
  };
  return {
    firstAnswer,
    initiate: async (initiation) => {
      const { key, answer, bodyDigest } = initiation;
      if (await keep(initiation)) return { answer, bodyDigest, first: true };
      const kept = await firstAnswer(key);
      if (kept === undefined) return "full";
      return { ...kept, first: false };
    },
  };
}

const answering = (from?: SQL) => sql`${answers.insert(from)}
  on conflict (tpp_id, request_id) do nothing returning request_id`;
const forIt = sql`from answered`;

/**
 * The request id of a payment has started no authorisation before: that one's key would fail the whole
 * statement. The answer refers to the payment by a key that is checked at the end.
 */
function startStatement(db: Database, attempt: "first" | "next") {
  const answered = db.$with("answered", {}).as(answering(ifFree));
  const started = db.$with("started", {}).as(authorisations.insert(forIt));
  const ordered = db.$with("ordered", {}).as(payments.insert(forIt));
  const begun = db.$with("begun", {}).as(states.insert(forIt));
  const statement = db
    .with(...freeSlot(db, attempt), answered, started, ordered, begun)
    .select({ requestId: sql`request_id` })
    .from(sql`answered`);
  return givenStatement(db, statement, [slots, answers, authorisations, payments, states]);
}

function refusalStatement(db: Database) {
  const statement = db
    .with(db.$with("answered", {}).as(answering()))
    .select({ requestId: sql`request_id` })
    .from(sql`answered`);
  return givenStatement(db, statement, [answers]);
}

function fromAnswer(initiation: Initiation): typeof paymentInitiation.$inferInsert {
  const { key, answer, bodyDigest, at, started } = initiation;
  return {
    tppId: key.tppId,
    requestId: key.requestId,
    bodyDigest,
    status: answer.status,
    headers: answer.headers,
    body: answer.body,
    paymentId: started?.payment.id,
    createdAt: at,
  };
}

function findingAnswers(db: Database) {
  const { tppId, requestId, status, headers, body, bodyDigest } = paymentInitiation;
  const isOfKey = and(
    eq(tppId, sql.placeholder("tppId")),
    eq(requestId, sql.placeholder("requestId")),
  );
  const statement = db
    .select({ answer: { status, headers, body }, bodyDigest })
    .from(paymentInitiation)
    .where(isOfKey)
    .prepare("first_answer");
  return async (key: RequestKey): Promise<FirstAnswer | undefined> =>
    (await statement.execute({ ...key }))[0];
}
