import { and, eq } from "drizzle-orm";
import { payment } from "@/drizzle/schema/drawbridge";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import type { AuthorisationStore, PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { closeChallenge, lockOpenChallenge } from "./open-challenge";
import { toOrder } from "./payment-row";
import { authorisePayment } from "./payment-state";

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
