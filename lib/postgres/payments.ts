import { and, asc, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import {
  payment,
  paymentInitiation,
  paymentState,
  paymentSubmission,
} from "@/drizzle/schema/drawbridge";
import type { Debit } from "@/lib/domain/accounts";
import type { AuthorisationStore, PaymentDecision } from "@/lib/domain/authorisation";
import { linkHash, paymentLink } from "@/lib/domain/dynamic-linking";
import {
  type Creditor,
  type Payment,
  type PaymentOrder,
  type PaymentRejection,
  statusesBefore,
  type TransactionStatus,
} from "@/lib/domain/payment-order";
import type { FirstAnswer, Initiation, PaymentStore, RequestKey } from "@/lib/domain/payments";
import { isUuid, type PaymentId } from "@/lib/domain/values";
import {
  authorisations,
  choosingAgain,
  closeChallenge,
  freeSlot,
  fromAuthorisation,
  ifFree,
  lockOpenChallenge,
  slots,
} from "./authorisation-rows";
import { atomically, type Database, type Transaction } from "./client";
import { givenStatement, givenTable } from "./statements";

/** An id that is no UUID names no payment: it is answered like any other unknown one. */
export function paymentStore(db: Database): PaymentStore {
  const one = (name: string, where: SQL | undefined) => {
    const statement = paymentRows(db, where).prepare(name);
    return async (id: string, given = {}) => {
      if (!isUuid(id)) return undefined;
      const [row] = await statement.execute({ id, ...given });
      return row && toPayment(row);
    };
  };
  const id = sql.placeholder("id");
  const isTpps = eq(payment.tppId, sql.placeholder("tppId"));
  const ofTpp = one("payment_of_tpp", and(eq(payment.id, id), isTpps));
  return {
    ...initiatingPayments(db),
    ...paymentOutbox(db),
    findOfTpp: (paymentId, tppId) => ofTpp(paymentId, { tppId }),
    findByAuthorisation: one("payment_of_authorisation", eq(payment.authorisationId, id)),
  };
}

const answers = givenTable(paymentInitiation);
const payments = givenTable(payment);
const states = givenTable(paymentState);

/**
 * One statement: who is first with a key keeps the answer, and starts a payment. Whoever comes with the
 * same key meanwhile waits for its primary key until the first has ended.
 */
function initiatingPayments(db: Database): Pick<PaymentStore, "initiate" | "firstAnswer"> {
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

/**
 * Locks the authorisation, then the payment's state, and writes only once the link fits (RTS art. 5(1)): until
 * then `gone` and `too-late` leave no trace. Of the order nothing ever changes, so it needs no lock.
 */
export function finalisePayment(
  db: Database,
  decision: PaymentDecision,
): ReturnType<AuthorisationStore["finalisePayment"]> {
  const { paymentId, debit } = decision;
  const challenge = { resourceId: paymentId, selection: [debit.accountId] };
  return atomically(db, async (tx) => {
    const tppId = await lockOpenChallenge(tx, { ...decision, ...challenge, kind: "PIS" });
    if (tppId === undefined) return "too-late";
    const order = await orderOf(tx, decision);
    if (order === undefined) return "too-late";
    const linked = await linkHash(paymentLink({ id: paymentId, order }, debit));
    if (linked !== decision.linked) return "gone";
    if (!(await authorisePayment(tx, decision))) return "too-late";
    await closeChallenge(tx, decision);
    return "finalised";
  });
}

async function orderOf(
  tx: Transaction,
  { paymentId, authorisationId }: PaymentDecision,
): Promise<PaymentOrder | undefined> {
  const [row] = await tx
    .select()
    .from(payment)
    .where(and(eq(payment.id, paymentId), eq(payment.authorisationId, authorisationId)));
  return row && toOrder(row);
}

/*
 * The one module that changes a payment's state, and the outbox from which authorised payments are submitted to
 * the core bank. Where both rows are written, the state comes first.
 */

type Changed = PgUpdateSetSource<typeof paymentState> & { readonly status: TransactionStatus };

/**
 * Each status is an update of its own, which the database keeps; false, and nothing has changed, where the table of
 * transitions knows no way from the present status.
 */
async function proceed(tx: Transaction, id: PaymentId, changed: Changed): Promise<boolean> {
  const before = inArray(paymentState.status, statusesBefore(changed.status));
  const rows = await tx
    .update(paymentState)
    .set(changed)
    .where(and(eq(paymentState.paymentId, id), before))
    .returning({ id: paymentState.paymentId });
  return rows.length === 1;
}

/** The PSU's yes: the payment is authorised and in the outbox. False when it does not wait for one any more. */
async function authorisePayment(
  tx: Transaction,
  { paymentId, psuId, debit, at, submitAgainAt: dueAt }: PaymentDecision,
): Promise<boolean> {
  const authorised = await proceed(tx, paymentId, {
    status: "ACTC",
    statusAt: at,
    psuId,
    authorisedAt: at,
    debitAccountId: debit.accountId,
    debitCurrency: debit.amount.currency,
    debitMinor: debit.amount.minorUnits,
    feeMinor: debit.fee.minorUnits,
  });
  if (authorised) await tx.insert(paymentSubmission).values({ paymentId, dueAt });
  return authorised;
}

/** What its authorisation's failure does to a payment that nobody has authorised; others stay as they are. */
export async function rejectPayment(
  tx: Transaction,
  paymentId: PaymentId,
  because: PaymentRejection,
  at: Date,
): Promise<void> {
  const rejected = { status: "RJCT", reason: because, statusAt: at } as const;
  await tx
    .update(paymentState)
    .set(rejected)
    .where(and(eq(paymentState.paymentId, paymentId), eq(paymentState.status, "RCVD")));
}

type Outbox = Pick<PaymentStore, "claimSubmissions" | "record">;

function paymentOutbox(db: Database): Outbox {
  return {
    claimSubmissions: async (now, limits) => {
      const claimed = await claim(db, now, limits);
      return claimed.length === 0 ? [] : selectPayments(db, inArray(payment.id, claimed));
    },
    record: ({ id, status }, { history, fundsAvailable }, dueAt) => {
      const known = history.findIndex((step) => step.status === status);
      return atomically(db, async (tx) => {
        for (const { status: to, at, reason } of history.slice(known + 1)) {
          const funds = to === "ACCP" && fundsAvailable !== undefined ? { fundsAvailable } : {};
          await proceed(tx, id, { status: to, statusAt: at, reason: reason ?? null, ...funds });
        }
        const row = eq(paymentSubmission.paymentId, id);
        if (dueAt === undefined) await tx.delete(paymentSubmission).where(row);
        else await tx.update(paymentSubmission).set({ dueAt, attempts: 0 }).where(row);
      });
    },
  };
}

/**
 * Those that have been due for longest. One statement, so that no lock is held while the core bank is asked: until
 * the pause is over, no other server takes them.
 */
async function claim(
  db: Database,
  now: Date,
  { rowsAtOnce, retrySeconds, retrySecondsMax }: Parameters<Outbox["claimSubmissions"]>[1],
): Promise<readonly PaymentId[]> {
  const { paymentId, dueAt, attempts } = paymentSubmission;
  const due = db
    .select({ paymentId })
    .from(paymentSubmission)
    .where(lte(dueAt, now))
    .orderBy(asc(dueAt))
    .limit(rowsAtOnce)
    .for("update", { skipLocked: true });
  const seconds = sql`least(${retrySecondsMax}::int, ${retrySeconds}::int * 2 ^ ${attempts})`;
  const rows = await db
    .update(paymentSubmission)
    .set({
      dueAt: sql`${now.toISOString()}::timestamptz + make_interval(secs => ${seconds})`,
      attempts: sql`least(${attempts} + 1, 10)`,
    })
    // An array, which is made once: a join could look for due rows again and take more of them.
    .where(sql`${paymentId} = any(array(${due}))`)
    .returning({ paymentId });
  return rows.map((row) => row.paymentId);
}

type PaymentRow = typeof payment.$inferSelect;
type StateRow = typeof paymentState.$inferSelect;

/** Order and state in one query, hence as of one instant. */
function paymentRows(db: Database, where: SQL | undefined) {
  return db
    .select({ payment, state: paymentState })
    .from(payment)
    .innerJoin(paymentState, eq(paymentState.paymentId, payment.id))
    .where(where);
}

export async function selectPayments(
  db: Database,
  where: SQL | undefined,
): Promise<readonly Payment[]> {
  return (await paymentRows(db, where)).map(toPayment);
}

type Row = { readonly payment: PaymentRow; readonly state: StateRow };

function toPayment({ payment: row, state }: Row): Payment {
  const debit = toDebit(state);
  return {
    id: row.id,
    tppId: row.tppId,
    authorisationId: row.authorisationId,
    order: toOrder(row),
    instruction: row.instruction,
    createdAt: row.createdAt,
    status: state.status,
    statusAt: state.statusAt,
    ...(state.reason !== null && { reason: state.reason }),
    ...(state.fundsAvailable !== null && { fundsAvailable: state.fundsAvailable }),
    ...(state.psuId !== null && { psuId: state.psuId }),
    ...(state.authorisedAt !== null && { authorisedAt: state.authorisedAt }),
    ...(debit !== undefined && { debit }),
  };
}

function toOrder(row: PaymentRow): PaymentOrder {
  const { debtorIban: iban, debtorCurrency: currency } = row;
  return {
    product: row.product,
    amount: { currency: row.currency, minorUnits: row.amountMinor },
    debtor: currency === null ? { iban } : { iban, currency },
    creditor: toCreditor(row),
    ...(row.endToEndId !== null && { endToEndId: row.endToEndId }),
    ...(row.remittance !== null && { remittance: row.remittance }),
    chargeBearer: row.chargeBearer,
    rejectWithoutFunds: row.rejectWithoutFunds,
  };
}

function toCreditor(row: PaymentRow): Creditor {
  return {
    name: row.creditorName,
    iban: row.creditorIban,
    ...(row.creditorCurrency !== null && { currency: row.creditorCurrency }),
    ...(row.creditorAgent !== null && { agent: row.creditorAgent }),
    ...(row.creditorAddress !== null && { address: row.creditorAddress }),
  };
}

function toDebit(state: StateRow): Debit | undefined {
  const { debitAccountId: accountId, debitCurrency: currency, debitMinor, feeMinor } = state;
  if (accountId === null || debitMinor === null || feeMinor === null || currency === null) {
    return undefined;
  }
  return {
    accountId,
    amount: { currency, minorUnits: debitMinor },
    fee: { currency, minorUnits: feeMinor },
  };
}

function fromPayment(started: Payment): typeof payment.$inferInsert {
  const { order, ...columns } = started;
  const { amount, debtor, creditor } = order;
  return {
    id: columns.id,
    tppId: columns.tppId,
    authorisationId: columns.authorisationId,
    product: order.product,
    amountMinor: amount.minorUnits,
    currency: amount.currency,
    debtorIban: debtor.iban,
    debtorCurrency: debtor.currency,
    creditorName: creditor.name,
    creditorIban: creditor.iban,
    creditorCurrency: creditor.currency,
    creditorAgent: creditor.agent,
    creditorAddress: creditor.address,
    endToEndId: order.endToEndId,
    remittance: order.remittance,
    chargeBearer: order.chargeBearer,
    rejectWithoutFunds: order.rejectWithoutFunds,
    instruction: columns.instruction,
    createdAt: columns.createdAt,
  };
}
