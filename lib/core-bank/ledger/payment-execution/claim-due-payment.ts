import { asc, eq, getTableColumns, lte } from "drizzle-orm";
import type { PsuId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Debit } from "@/lib/domain/payment/payment";
import type { TransactionStatus } from "@/lib/domain/payment/transaction-status";
import { payment } from "../../../../drizzle/schema/drawbridge/payment";
import { paymentState } from "../../../../drizzle/schema/drawbridge/payment-state";
import { ledgerAccount } from "../../../../drizzle/schema/ledger/account";
import type { LedgerTransaction } from "../database";

const { instruction: _, creditorAddress: __, ...order } = getTableColumns(payment);

type OrderRow = Omit<typeof payment.$inferSelect, "instruction" | "creditorAddress">;
type StateRow = typeof paymentState.$inferSelect;

/** What is to be paid, and how far that has come. */
export type DuePayment = OrderRow & {
  readonly status: TransactionStatus;
  readonly psuId: PsuId;
  readonly authorisedAt: Date;
  readonly debit: Debit;
  /** What it takes of the PSU's limit of a day, in minor units of the limit's currency. */
  readonly limit?: { readonly day: IsoDate; readonly minorUnits: bigint };
};

/**
 * The payment that has been due for longest, held until the end of the transaction. One that another
 * server holds is passed over: nobody waits for it, and nobody does the same.
 */
export async function claimDuePayment(
  tx: LedgerTransaction,
  now: Date,
): Promise<DuePayment | undefined> {
  const [row] = await tx
    .select({ order, state: paymentState, currency: ledgerAccount.currency })
    .from(paymentState)
    .innerJoin(payment, eq(payment.id, paymentState.paymentId))
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, paymentState.debitAccountId))
    .where(lte(paymentState.dueAt, now))
    .orderBy(asc(paymentState.dueAt))
    .limit(1)
    .for("update", { of: paymentState, skipLocked: true });
  return row && { ...row.order, ...authorised(row.state, row.currency) };
}

/** Throws when nobody has authorised it, which the database refuses of a payment past RCVD. */
function authorised(
  { status, psuId, authorisedAt, limitDay, limitMinor, ...state }: StateRow,
  currency: Debit["amount"]["currency"],
): Omit<DuePayment, keyof OrderRow> {
  const { debitAccountId: accountId, debitMinor, feeMinor } = state;
  if (
    psuId === null ||
    authorisedAt === null ||
    accountId === null ||
    debitMinor === null ||
    feeMinor === null
  ) {
    throw new Error("a payment is due that nobody has authorised");
  }
  const amount = { currency, minorUnits: debitMinor };
  const fee = { currency, minorUnits: feeMinor };
  const limit = limitDay !== null && limitMinor !== null;
  return {
    status,
    psuId,
    authorisedAt,
    debit: { accountId, amount, fee },
    ...(limit && { limit: { day: limitDay, minorUnits: limitMinor } }),
  };
}
