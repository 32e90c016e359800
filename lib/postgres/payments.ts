import { and, asc, eq, inArray, lte, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import { payment, paymentState, paymentSubmission } from "@/drizzle/schema/drawbridge";
import type { Debit } from "@/lib/domain/accounts";
import type { AuthorisationStore, PaymentDecision } from "@/lib/domain/authorisation";
import { linkedPayment } from "@/lib/domain/dynamic-linking";
import {
  type Payment,
  type PaymentOrder,
  type PaymentRejection,
  statusesBefore,
  type TransactionStatus,
} from "@/lib/domain/payment-order";
import type { FirstAnswer, Initiation, PaymentStore, RequestKey } from "@/lib/domain/payments";
import type { PaymentId, TppId } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import {
  closeChallenge,
  freeSlot,
  insertedAuthorisation,
  lockOpenChallenge,
  retryingSlots,
} from "./authorisation-rows";
import { atomically, type Database, type Transaction } from "./client";
import { finder, rowInserter } from "./columns";

export function paymentStore(db: Database): PaymentStore {
  const one = (name: string, where: SQL | undefined) =>
    finder(paymentRows(db, where).prepare(name), toPayment);
  const id = sql.placeholder("id");
  const isTpps = eq(payment.tppId, sql.placeholder("tppId"));
  const ofTpp = one("payment_of_tpp", and(eq(payment.id, id), isTpps));
  return {
    ...paymentOutbox(db),
    firstAnswer: (key) => findAnswer(db, key),
    initiate: async (initiation) => {
      const { key, answer, bodyDigest } = initiation;
      if (await keep(db, initiation)) return { answer, bodyDigest, first: true };
      const kept = await findAnswer(db, key);
      return kept === undefined ? "full" : { ...kept, first: false };
    },
    findOfTpp: (paymentId, tppId) => ofTpp(paymentId, { tppId }),
    findByAuthorisation: one("payment_of_authorisation", eq(payment.authorisationId, id)),
  };
}

/**
 * One statement: the first request with a key keeps its answer, and starts a payment. A request that comes with the
 * same key meanwhile waits for its primary key until the first has ended. The request id of a payment has started no
 * authorisation before: that one's key would fail the whole statement. The answer refers to the payment by a key that
 * is checked at the end.
 */
async function keep({ $client }: Database, initiation: Initiation): Promise<boolean> {
  const { started } = initiation;
  if (started === undefined) {
    const kept = await $client.run(
      (sql) => sql`${insertedAnswer(sql, initiation)} ${onceForKey(sql)}`,
    );
    return kept.length === 1;
  }
  const { payment, authorisation, openMax } = started;
  const slots = { tppId: payment.tppId, openMax };
  const kept = await retryingSlots((attempt) =>
    $client.run(
      (sql) => sql`
        with ${freeSlot(sql, slots, attempt)},
        answered as (
          ${insertedAnswer(sql, initiation)} from free where slot is not null ${onceForKey(sql)}
        ),
        started as (${insertedAuthorisation(sql, authorisation)} from answered),
        ordered as (${insertedPayment(sql, payment)} from answered),
        begun as (
          insert into payment_state (payment_id, status, status_at)
          select ${payment.id}, ${payment.status}, ${payment.statusAt} from answered
        )
        select request_id from answered`,
    ),
  );
  return kept.length === 1;
}

function insertedAnswer(sql: postgres.Sql, initiation: Initiation): postgres.Fragment {
  const { key, answer, bodyDigest, at, started } = initiation;
  return sql`
    insert into payment_initiation (tpp_id, request_id, body_digest, status, headers, body, payment_id, created_at)
    select ${key.tppId}, ${key.requestId}, ${bodyDigest}, ${answer.status}, ${JSON.stringify(answer.headers)},
      ${answer.body}, ${started?.payment.id ?? null}, ${at}`;
}

const onceForKey = (sql: postgres.Sql): postgres.Fragment =>
  sql`on conflict (tpp_id, request_id) do nothing returning request_id`;

async function findAnswer(
  { $client }: Database,
  key: RequestKey,
): Promise<FirstAnswer | undefined> {
  const [row] = await $client.run(
    (sql) => sql<(FirstAnswer["answer"] & Pick<FirstAnswer, "bodyDigest">)[]>`
      select status, headers, body, body_digest as "bodyDigest" from payment_initiation
      where tpp_id = ${key.tppId} and request_id = ${key.requestId}`,
  );
  if (row === undefined) return undefined;
  const { bodyDigest, ...answer } = row;
  return { answer, bodyDigest };
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
    const linked = await linkedPayment({ id: paymentId, order }, debit);
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
 * Each status is an update of its own, whose trigger keeps it. False where the transition is not allowed, and where
 * the outbox says otherwise whether the core bank has another order under the payment's id.
 */
async function proceed(
  tx: Transaction,
  { id, conflict = false }: Pick<Payment, "id" | "conflict">,
  changed: Changed,
): Promise<boolean> {
  const before = inArray(paymentState.status, statusesBefore(changed.status));
  const otherwise = tx
    .select({ paymentId: paymentSubmission.paymentId })
    .from(paymentSubmission)
    .where(and(eq(paymentSubmission.paymentId, id), ne(paymentSubmission.conflict, conflict)));
  const { count } = await tx
    .update(paymentState)
    .set(changed)
    .where(and(eq(paymentState.paymentId, id), before, notExists(otherwise)));
  return count === 1;
}

/** Authorises the payment and puts it into the outbox. False when it is no longer waiting for the PSU. */
async function authorisePayment(
  tx: Transaction,
  { paymentId, psuId, debit, at, submitAgainAt: dueAt }: PaymentDecision,
): Promise<boolean> {
  const authorised = await proceed(
    tx,
    { id: paymentId },
    {
      status: "ACTC",
      statusAt: at,
      psuId,
      authorisedAt: at,
      debitAccountId: debit.accountId,
      debitCurrency: debit.amount.currency,
      debitMinor: debit.amount.minorUnits,
      feeMinor: debit.fee.minorUnits,
    },
  );
  if (authorised) await tx.insert(paymentSubmission).values({ paymentId, dueAt });
  return authorised;
}

/** Follows from the failure of its authorisation; a payment that is authorised stays as it is. */
export async function rejectPayment(
  tx: Transaction,
  paymentId: PaymentId,
  because: PaymentRejection,
  at: Date,
): Promise<void> {
  await tx
    .update(paymentState)
    .set({ status: "RJCT", reason: because, statusAt: at })
    .where(and(eq(paymentState.paymentId, paymentId), eq(paymentState.status, "RCVD")));
}

type Outbox = Pick<PaymentStore, "claimSubmissions" | "record" | "noteConflict">;

function paymentOutbox(db: Database): Outbox {
  return {
    claimSubmissions: async (now, limits, tppId) => {
      const claimed = await claim(db, now, limits, tppId);
      return claimed.length === 0 ? [] : selectPayments(db, inArray(payment.id, claimed));
    },
    noteConflict: async (id) => {
      const row = eq(paymentSubmission.paymentId, id);
      await db.update(paymentSubmission).set({ conflict: true }).where(row);
    },
    record: (payment, { history, fundsAvailable }, dueAt) => {
      const { id, status, conflict = false } = payment;
      const known = history.findIndex((step) => step.status === status);
      return atomically(db, async (tx) => {
        const [first] = history;
        if (status === "RCVD" && first !== undefined) {
          const learned = { status: "ACTC", statusAt: first.at, authorisationLost: true } as const;
          await proceed(tx, payment, learned);
        }
        for (const { status: to, at, reason } of history.slice(known + 1)) {
          const funds = to === "ACCP" && fundsAvailable !== undefined ? { fundsAvailable } : {};
          await proceed(tx, payment, {
            status: to,
            statusAt: at,
            reason: reason ?? null,
            ...funds,
          });
        }
        const row = and(
          eq(paymentSubmission.paymentId, id),
          eq(paymentSubmission.conflict, conflict),
        );
        const due = { dueAt, attempts: 0, conflict: false };
        if (dueAt === undefined) await tx.delete(paymentSubmission).where(row);
        else if (status !== "RCVD") await tx.update(paymentSubmission).set(due).where(row);
        // Of one whose authorisation was lost the row in the outbox was lost, too.
        else
          await tx
            .insert(paymentSubmission)
            .values({ paymentId: id, ...due, dueAt })
            .onConflictDoUpdate({ target: paymentSubmission.paymentId, set: due });
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
  tppId?: TppId,
): Promise<readonly PaymentId[]> {
  const { paymentId, dueAt, attempts } = paymentSubmission;
  const due = db
    .select({ paymentId })
    .from(paymentSubmission)
    .where(and(lte(dueAt, now), tppId && inArray(paymentId, paymentsOf(db, tppId))))
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

const paymentsOf = (db: Database, tppId: TppId) =>
  db.select({ id: payment.id }).from(payment).where(eq(payment.tppId, tppId));

type PaymentRow = typeof payment.$inferSelect;
type StateRow = typeof paymentState.$inferSelect;

/** Order, state and conflict in one query, hence as of one instant. */
function paymentRows(db: Database, where: SQL | undefined) {
  return db
    .select({ payment, state: paymentState, conflict: paymentSubmission.conflict })
    .from(payment)
    .innerJoin(paymentState, eq(paymentState.paymentId, payment.id))
    .leftJoin(paymentSubmission, eq(paymentSubmission.paymentId, payment.id))
    .where(where);
}

export async function selectPayments(
  db: Database,
  where: SQL | undefined,
  page?: { readonly orderBy: SQL; readonly limit: number },
): Promise<readonly Payment[]> {
  const rows = paymentRows(db, where);
  const found = page ? await rows.orderBy(page.orderBy).limit(page.limit) : await rows;
  return found.map(toPayment);
}

type Row = {
  readonly payment: PaymentRow;
  readonly state: StateRow;
  readonly conflict: boolean | null;
};

function toPayment({ payment: row, state, conflict }: Row): Payment {
  const { id, tppId, authorisationId, instruction, createdAt } = row;
  const { status, statusAt, reason, fundsAvailable, psuId, authorisedAt } = state;
  return {
    ...{ id, tppId, authorisationId, instruction, createdAt, status, statusAt },
    order: toOrder(row),
    ...withoutNulls({ reason, fundsAvailable, psuId, authorisedAt, debit: toDebit(state) }),
    ...(conflict === true && { conflict }),
  };
}

function toOrder(row: PaymentRow): PaymentOrder {
  const { product, endToEndId, remittance, chargeBearer, rejectWithoutFunds } = row;
  return {
    ...{ product, chargeBearer, rejectWithoutFunds, ...withoutNulls({ endToEndId, remittance }) },
    amount: { currency: row.currency, minorUnits: row.amountMinor },
    debtor: withoutNulls({ iban: row.debtorIban, currency: row.debtorCurrency }),
    creditor: withoutNulls({
      name: row.creditorName,
      iban: row.creditorIban,
      currency: row.creditorCurrency,
      agent: row.creditorAgent,
      address: row.creditorAddress,
    }),
  };
}

function toDebit(state: StateRow): Debit | null {
  const { debitAccountId: accountId, debitCurrency: currency, debitMinor, feeMinor } = state;
  if (accountId === null || debitMinor === null || feeMinor === null || currency === null) {
    return null;
  }
  return {
    accountId,
    amount: { currency, minorUnits: debitMinor },
    fee: { currency, minorUnits: feeMinor },
  };
}

const insertedRow = rowInserter(payment);

function insertedPayment(sql: postgres.Sql, { order, ...started }: Payment): postgres.Fragment {
  const { amount, debtor, creditor } = order;
  return insertedRow(sql, {
    ...started,
    ...order,
    amountMinor: amount.minorUnits,
    currency: amount.currency,
    debtorIban: debtor.iban,
    debtorCurrency: debtor.currency,
    creditorName: creditor.name,
    creditorIban: creditor.iban,
    creditorCurrency: creditor.currency,
    creditorAgent: creditor.agent,
    creditorAddress: creditor.address,
  });
}
