import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { payment, paymentState, paymentSubmission } from "@/drizzle/schema/drawbridge";
import type { PaymentId } from "@/lib/domain/identifiers";
import type { PaymentRejection } from "@/lib/domain/payment/payment";
import type { PaymentStore } from "@/lib/domain/payment/payment-store";
import { statusesBefore, type TransactionStatus } from "@/lib/domain/payment/transaction-status";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { selectPayments } from "./payment-row";

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
export async function authorisePayment(
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

export function paymentOutbox(db: Database): Outbox {
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
