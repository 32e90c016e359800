import { z } from "zod";
import type { StandingOrder, Transaction } from "@/lib/domain/account-access/bank-account";
import { CORE_BANK_ID_CHARACTERS_MAX } from "@/lib/domain/core-bank";
import { accountReferenceSent } from "./account-reference";
import { amountSent, toAmount } from "./amount";

const standingOrderDetails = z.strictObject({
  startDate: z.iso.date(),
  endDate: z.iso.date().optional(),
  frequency: z.enum(["Weekly", "Monthly", "Quarterly", "Annual"]),
  dayOfExecution: z
    .string()
    .regex(/^([1-9]|[12]\d|3[01])$/)
    .optional(),
});

const fields = {
  transactionId: z.string().max(CORE_BANK_ID_CHARACTERS_MAX),
  entryReference: z.string().max(35).optional(),
  endToEndId: z.string().max(35).optional(),
  bookingDate: z.iso.date().optional(),
  valueDate: z.iso.date().optional(),
  transactionAmount: amountSent,
  creditorName: z.string().max(70).optional(),
  creditorAccount: accountReferenceSent.optional(),
  creditorAgent: z.string().max(11).optional(),
  debtorName: z.string().max(70).optional(),
  debtorAccount: accountReferenceSent.optional(),
  debtorAgent: z.string().max(11).optional(),
  remittanceInformationUnstructured: z.string().max(140).optional(),
  bankTransactionCode: z.string().regex(/^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/),
  additionalInformationStructured: z.strictObject({ standingOrderDetails }).optional(),
};

export const transactionSent = z
  .strictObject(fields)
  .meta({ id: "Transaction", description: "An entry, or a standing order." });

/** What has no value is left out when it is written: the standard knows no null. */
export function toTransaction(entry: Transaction) {
  const { creditor, debtor } = sidesOf(entry);
  return {
    transactionId: entry.id,
    entryReference: entry.entryReference,
    endToEndId: entry.endToEndId,
    // A pending entry has no booking date yet.
    bookingDate: entry.status === "booked" ? entry.day : undefined,
    valueDate: entry.valueDate,
    transactionAmount: toAmount(entry.amount),
    creditorName: creditor.name,
    creditorAccount: creditor.account,
    creditorAgent: creditor.agent,
    debtorName: debtor.name,
    debtorAccount: debtor.account,
    debtorAgent: debtor.agent,
    remittanceInformationUnstructured: entry.remittance,
    bankTransactionCode: entry.bankTransactionCode,
  };
}

export function toStandingOrder(order: StandingOrder) {
  const { creditor, debtor } = sidesOf(order);
  return {
    transactionId: order.id,
    transactionAmount: toAmount(order.amount),
    creditorName: creditor.name,
    creditorAccount: creditor.account,
    creditorAgent: creditor.agent,
    debtorName: debtor.name,
    debtorAccount: debtor.account,
    debtorAgent: debtor.agent,
    remittanceInformationUnstructured: order.remittance,
    bankTransactionCode: "PMNT-ICDT-STDO",
    additionalInformationStructured: {
      standingOrderDetails: {
        startDate: order.startDate,
        endDate: order.endDate,
        frequency: order.frequency,
        dayOfExecution: order.dayOfExecution,
      },
    },
  };
}

const nobody = { name: undefined, account: undefined, agent: undefined };

/** Seen from the account holder: the creditor of what leaves, the debtor of what comes in. */
function sidesOf({ amount, counterparty }: Pick<Transaction, "amount" | "counterparty">) {
  const { name, iban, bic } = counterparty;
  const account = iban === undefined ? undefined : { iban };
  const other = { name: name?.slice(0, 70), account, agent: bic };
  return amount.minorUnits < 0n
    ? { creditor: other, debtor: nobody }
    : { creditor: nobody, debtor: other };
}
