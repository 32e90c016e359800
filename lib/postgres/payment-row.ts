import { eq, type SQL } from "drizzle-orm";
import { payment, paymentState } from "@/drizzle/schema/drawbridge";
import type { Creditor, Debit, Payment, PaymentOrder } from "@/lib/domain/payment/payment";
import type { Database } from "./client";

type PaymentRow = typeof payment.$inferSelect;
type StateRow = typeof paymentState.$inferSelect;

/** Order and state in one query, hence as of one instant. */
export function paymentRows(db: Database, where: SQL | undefined) {
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

export function toPayment({ payment: row, state }: Row): Payment {
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

export function toOrder(row: PaymentRow): PaymentOrder {
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

export function fromPayment(started: Payment): typeof payment.$inferInsert {
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
