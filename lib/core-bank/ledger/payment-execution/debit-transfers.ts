import { randomUUID } from "node:crypto";
import type { Counterparty } from "@/lib/domain/account-access/bank-account";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { LedgerPayment } from "./claim-due-payment";
import type { Transfer } from "./enter-transfers";
import { isOwnIban } from "./own-iban";
import { referencesOf } from "./references";
import { CHARGES, PAYMENT_RETURNED, transactionCodes } from "./transaction-codes";

const bank: Counterparty = { name: aspspProfile.name, bic: aspspProfile.bic };

/** What leaves the debtor's account: the amount and, where there is one, the fee. */
export function debitTransfers(payment: LedgerPayment): readonly [Transfer, ...Transfer[]] {
  const { id, product, accountId, debitMinor, feeMinor, remittance, endToEndId } = payment;
  const amount: Transfer = {
    id,
    accountId,
    amountMinor: -debitMinor,
    counterparty: creditorOf(payment),
    reference: referencesOf(id).debit,
    code: transactionCodes[product].sent,
    remittance,
    endToEndId,
  };
  const fee: Transfer = {
    id: randomUUID(),
    accountId,
    amountMinor: -feeMinor,
    counterparty: bank,
    reference: referencesOf(id).fee,
    code: CHARGES,
    remittance: `Fee for payment ${id}`,
    endToEndId: null,
  };
  return feeMinor === 0n ? [amount] : [amount, fee];
}

/** The same, back again: what is booked stays, and is made good by transfers of its own. */
export function returnTransfers(payment: LedgerPayment): readonly Transfer[] {
  const references = referencesOf(payment.id);
  const [amount, ...fees] = debitTransfers(payment);
  return [
    back(amount, references.return, `Returned: payment ${payment.id}`),
    ...fees.map((fee) =>
      back(fee, references.feeReturn, `Returned: fee for payment ${payment.id}`),
    ),
  ];
}

function back(transfer: Transfer, reference: string, remittance: string): Transfer {
  const amountMinor = -transfer.amountMinor;
  return {
    ...transfer,
    id: randomUUID(),
    amountMinor,
    reference,
    remittance,
    code: PAYMENT_RETURNED,
  };
}

function creditorOf({ creditorName, creditorIban, creditorAgent }: LedgerPayment): Counterparty {
  const bic = creditorAgent ?? (isOwnIban(creditorIban) ? aspspProfile.bic : undefined);
  return { name: creditorName, iban: creditorIban, ...(bic !== undefined && { bic }) };
}
