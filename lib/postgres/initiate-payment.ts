import { and, eq } from "drizzle-orm";
import { payment, paymentInitiation, paymentState } from "@/drizzle/schema";
import type {
  FirstAnswer,
  Initiation,
  PaymentStore,
  RequestKey,
} from "@/lib/domain/payment/payment-store";
import type { Transaction } from "./atomically";
import type { Database } from "./client";
import { fromPayment } from "./payment-row";
import { startAuthorisation } from "./start-authorisation";

const { tppId, requestId } = paymentInitiation;

/**
 * The answer is inserted first: its primary key makes whoever comes with the same key wait until the
 * first has ended, and only who is first starts a payment. Its foreign key is checked at the end.
 */
export async function initiatePayment(
  db: Database,
  initiation: Initiation,
): ReturnType<PaymentStore["initiate"]> {
  const { key, answer, bodyDigest } = initiation;
  const first = await db.transaction(async (tx) => {
    if (!(await keepAnswer(tx, initiation))) return false;
    await start(tx, initiation.started);
    return true;
  });
  if (first) return { answer, bodyDigest, first };
  const kept = await firstAnswer(db, key);
  if (kept === undefined) throw new Error("the first answer to a request is never removed");
  return { ...kept, first };
}

export async function firstAnswer(db: Database, key: RequestKey): Promise<FirstAnswer | undefined> {
  const [row] = await db
    .select()
    .from(paymentInitiation)
    .where(and(eq(tppId, key.tppId), eq(requestId, key.requestId)));
  if (row === undefined) return undefined;
  const { status, headers, body, bodyDigest } = row;
  return { answer: { status, headers, body }, bodyDigest };
}

async function keepAnswer(tx: Transaction, initiation: Initiation): Promise<boolean> {
  const { key, answer, bodyDigest, at, started } = initiation;
  const rows = await tx
    .insert(paymentInitiation)
    .values({ ...key, ...answer, bodyDigest, paymentId: started?.payment.id, createdAt: at })
    .onConflictDoNothing({ target: [tppId, requestId] })
    .returning({ requestId });
  return rows.length === 1;
}

async function start(tx: Transaction, started: Initiation["started"]): Promise<void> {
  if (started === undefined) return;
  const { id: paymentId, status, statusAt } = started.payment;
  if (!(await startAuthorisation(tx, started.authorisation))) {
    throw new Error("a payment's request has started an authorisation before");
  }
  await tx.insert(payment).values(fromPayment(started.payment));
  await tx.insert(paymentState).values({ paymentId, status, statusAt });
}
