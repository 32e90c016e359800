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
export async function linkHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function addressOf(address: Payment["order"]["creditor"]["address"]) {
  if (address === undefined) return null;
  const { streetName, buildingNumber, townName, postCode, country } = address;
  return [streetName, buildingNumber, townName, postCode, country].map((part) => part ?? null);
}
