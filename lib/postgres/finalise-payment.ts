import { and, eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { payment, paymentState } from "@/drizzle/schema/drawbridge";
import { accountFunds } from "@/drizzle/schema/ledger";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { PaymentOrder, PaymentRejection } from "@/lib/domain/payment/payment";
import type { AuthorisationStore, PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { lockDebitedAccount } from "./lock-debited-account";
import { closeChallenge, lockOpenChallenge } from "./open-challenge";
import { passesOwnLimit, takeOfDayLimit } from "./payment-limits";
import { toOrder } from "./payment-row";

/**
 * Locks authorisation, payment, account and the PSU's day, in this order, and writes only once the
 * link fits under the locks (RTS art. 5(1)): until then `gone` and `too-late` leave no trace.
 */
export function finalisePayment(
  db: Database,
  decision: PaymentDecision,
): ReturnType<AuthorisationStore["finalisePayment"]> {
  const { paymentId, debit, at } = decision;
  const challenge = { resourceId: paymentId, selection: [debit.accountId] };
  return atomically(db, async (tx) => {
    const tppId = await lockOpenChallenge(tx, { ...decision, ...challenge, kind: "PIS" });
    if (tppId === undefined) return "too-late";
    const order = await lockReceived(tx, decision);
    if (order === undefined) return "too-late";
    const linked = await linkHash(paymentLink({ id: paymentId, order }, debit));
    if (linked !== decision.linked) return "gone";
    const account = await lockDebitedAccount(tx, order, decision);
    if (account === undefined) return "gone";

    await closeChallenge(tx, decision);
    await authorise(tx, decision);
    const reason = account.blocked ? "account-blocked" : await limitPassed(tx, decision);
    if (reason === undefined) {
      await accept(tx, decision);
      return "finalised";
    }
    await proceed(tx, decision, { status: "RJCT", reason, statusAt: at });
    return "rejected";
  });
}

/** The order, while it still waits for this authorisation. */
async function lockReceived(
  tx: Transaction,
  { paymentId, authorisationId }: PaymentDecision,
): Promise<PaymentOrder | undefined> {
  const [row] = await tx
    .select({ payment })
    .from(payment)
    .innerJoin(paymentState, eq(paymentState.paymentId, payment.id))
    .where(
      and(
        eq(payment.id, paymentId),
        eq(payment.authorisationId, authorisationId),
        eq(paymentState.status, "RCVD"),
      ),
    )
    .for("no key update", { of: paymentState });
  return row && toOrder(row.payment);
}

async function limitPassed(
  tx: Transaction,
  decision: PaymentDecision,
): Promise<PaymentRejection | undefined> {
  if (await passesOwnLimit(tx, decision)) return "psu-limit";
  return (await takeOfDayLimit(tx, decision)) ? undefined : "day-limit";
}

function authorise(tx: Transaction, decision: PaymentDecision): Promise<void> {
  const { psuId, debit, at } = decision;
  return proceed(tx, decision, {
    status: "ACTC",
    statusAt: at,
    psuId,
    authorisedAt: at,
    debitAccountId: debit.accountId,
    debitMinor: debit.amount.minorUnits,
    feeMinor: debit.fee.minorUnits,
  });
}

/** Its execution is due at once. Funds are only looked at here: they are reserved when it begins. */
function accept(tx: Transaction, decision: PaymentDecision): Promise<void> {
  const { debit, on, inLimitCurrency, at } = decision;
  const { accountId, availableMinor } = accountFunds;
  const needed = debit.amount.minorUnits + debit.fee.minorUnits;
  return proceed(tx, decision, {
    status: "ACCP",
    statusAt: at,
    fundsAvailable: sql`(select ${availableMinor} >= ${needed}::bigint from ${accountFunds}
      where ${accountId} = ${debit.accountId})`,
    limitDay: on,
    limitMinor: inLimitCurrency.minorUnits,
    dueAt: at,
  });
}

/** Every status is an update of its own: so the database keeps each. */
async function proceed(
  tx: Transaction,
  { paymentId }: PaymentDecision,
  changed: PgUpdateSetSource<typeof paymentState>,
): Promise<void> {
  await tx.update(paymentState).set(changed).where(eq(paymentState.paymentId, paymentId));
}
