import { sha256 } from "../sha256";
import type { Debit, Payment } from "./payment";

type Linked = Pick<Payment, "id" | "order">;

/**
 * All that the PSU agrees to, as one text: whatever differs makes another text (RTS art. 5(1)). JSON
 * keeps apart what a separator could run together.
 */
export function paymentLink({ id, order }: Linked, { accountId, amount, fee }: Debit): string {
  const { product, creditor, debtor, chargeBearer } = order;
  return JSON.stringify([
    id,
    product,
    [order.amount.minorUnits.toString(), order.amount.currency],
    [creditor.name, creditor.iban, creditor.currency ?? null, creditor.agent ?? null],
    addressOf(creditor.address),
    [debtor.iban, debtor.currency ?? null, accountId],
    [amount.minorUnits.toString(), fee.minorUnits.toString(), amount.currency, chargeBearer],
    [order.endToEndId ?? null, order.remittance ?? null],
  ]);
}

/** base64url of the SHA-256 of the text. */
export function linkHash(text: string): Promise<string> {
  return sha256(text);
}

function addressOf(address: Payment["order"]["creditor"]["address"]) {
  if (address === undefined) return null;
  const { streetName, buildingNumber, townName, postCode, country } = address;
  return [streetName, buildingNumber, townName, postCode, country].map((part) => part ?? null);
}
