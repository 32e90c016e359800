import { z } from "zod";
import type { StandingOrder, Transaction } from "@/lib/domain/account-access/bank-account";
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
  transactionId: z.uuid(),
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

export function toTransaction(entry: Transaction) {
  return {
    transactionId: entry.id,
    ...given("entryReference", entry.entryReference),
    ...given("endToEndId", entry.endToEndId),
    // A pending entry has no booking date yet.
    ...(entry.status === "booked" ? { bookingDate: entry.day } : {}),
    ...given("valueDate", entry.valueDate),
    transactionAmount: toAmount(entry.amount),
    ...otherSide(entry),
    ...given("remittanceInformationUnstructured", entry.remittance),
    bankTransactionCode: entry.bankTransactionCode,
  };
}

export function toStandingOrder(order: StandingOrder) {
  return {
    transactionId: order.id,
    transactionAmount: toAmount(order.amount),
    ...otherSide(order),
    ...given("remittanceInformationUnstructured", order.remittance),
    bankTransactionCode: "PMNT-ICDT-STDO",
    additionalInformationStructured: {
      standingOrderDetails: {
        startDate: order.startDate,
        ...given("endDate", order.endDate),
        frequency: order.frequency,
        ...given("dayOfExecution", order.dayOfExecution),
      },
    },
  };
}

/** Seen from the account holder: the creditor of what leaves, the debtor of what comes in. */
function otherSide({ amount, counterparty }: Pick<Transaction, "amount" | "counterparty">) {
  const { name, iban, bic } = counterparty;
  const side = amount.minorUnits < 0n ? "creditor" : "debtor";
  return {
    ...given(`${side}Name`, name?.slice(0, 70)),
    ...given(`${side}Account`, iban === undefined ? undefined : { iban }),
    ...given(`${side}Agent`, bic),
  };
}

/** The member, or nothing at all: the standard knows no null. */
function given<Value>(name: string, value: Value | undefined): Readonly<Record<string, Value>> {
  return value === undefined ? {} : { [name]: value };
}
